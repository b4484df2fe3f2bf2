/**
 * The page of an open link: which business is connected to what, and for each provider that can be chosen where to find its credentials,
 * and a field for each. A form that did not connect the merchant says why, at the top of the page and next to the fields concerned.
 */
import type {
  ClosedLink,
  LinkChoice,
  OpenLink,
  Submission,
} from "../../../src/connect-sessions/connect-link.ts";
import type {
  CredentialField,
  CredentialsForm,
  CredentialsGuide,
} from "../../../src/domain/credentials-form.ts";
import { joinTexts, type Text, toText } from "../../../src/foundation/text.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import { html, type Markup } from "../markup.ts";
import { ASSETS } from "../assets.ts";
import { formField, type Trouble, troubleOf, troubleSummary } from "../console/forms.ts";
import { MODE_NAMES, TEXTS } from "../console/messages.ts";
import type { Page } from "../page.ts";
import { type Problem, validationError } from "../../../src/foundation/errors.ts";

/** What was entered, by the name of the field, and why it did not connect the merchant. */
interface Entry {
  values: ReadonlyMap<string, string>;
  trouble: Trouble | undefined;
}

export const WHERE_TO_FIND: Text = { en: "Where to find them", el: "Πού θα βρείτε τα στοιχεία" };

function fieldPart(choice: LinkChoice, field: CredentialField, { values, trouble }: Entry): Markup {
  const { name, label, help, secret, format, required } = field;
  return formField(trouble, {
    id: fieldId(choice, name),
    name,
    label: toText(label),
    note: help && toText(help),
    type: secret ? "password" : format === "email" ? "email" : "text",
    value: values.get(name) ?? "",
    more: html` autocomplete="off" autocapitalize="none" spellcheck="false"${required && html` required`}`,
    look: "field",
  });
}

function fieldsPart(choice: LinkChoice, entry: Entry): Markup {
  const { fields, exactlyOneOf: alternatives = [] } = choice.form;
  const part = (field: CredentialField) => fieldPart(choice, field, entry);
  const common = fields.filter(({ name }) => !alternatives.includes(name));
  const either = fields.filter(({ name }) => alternatives.includes(name));
  return html`${common.map(part)}
${either.length > 0 && html`<fieldset><legend>${EXACTLY_ONE}</legend>${either.map(part)}</fieldset>`}`;
}

export function guideSteps({ steps, url }: CredentialsGuide): Markup {
  return html`<ol class="steps">${steps.map((step) => html`<li>${toText(step)}</li>`)}</ol>
${url !== undefined && html`<p><a href="${url}" rel="noreferrer noopener" target="_blank">${new URL(url).host}</a></p>`}`;
}

/** The form has `novalidate` because browsers report empty fields in their own language; the server does it in the page's. */
function formPart(choice: LinkChoice, mode: Mode, entry: Entry): Markup {
  const { provider, name } = choice;
  const guide = choice.form.guides?.[mode];
  const busy = {
    en: "The provider is checking your entries. This may take up to half a minute; do not close the page.",
    el: "Ο πάροχος ελέγχει τα στοιχεία. Μπορεί να χρειαστεί έως μισό λεπτό· μην κλείσετε τη σελίδα.",
  };
  const patience = {
    en: "The check may take up to half a minute. Press the button only once.",
    el: "Ο έλεγχος μπορεί να χρειαστεί έως μισό λεπτό. Πατήστε μία φορά.",
  };
  return html`<section aria-labelledby="${provider}-name">
<h2 id="${provider}-name">${name}</h2>
${guide && html`<h3>${WHERE_TO_FIND}</h3>${guideSteps(guide)}`}
<form method="post" autocomplete="off" novalidate data-busy="${busy}">
<input type="hidden" name="provider" value="${provider}">
${fieldsPart(choice, entry)}
<p><button class="primary">${TEXTS.checkAndConnect}</button></p>
<p class="soft busy" role="status">${patience}</p>
</form>
</section>`;
}

/** A submitted form that did not connect the merchant. */
export interface Sent {
  provider: string;
  values: ReadonlyMap<string, string>;
  trouble: Trouble;
}

const NOTHING_ENTERED: Entry = { values: new Map(), trouble: undefined };

const NOTES: Readonly<Record<Mode, Text>> = {
  test: {
    en: "Enter the credentials for the provider’s test environment. Nothing issued this way is legally valid.",
    el: "Χρειάζονται τα στοιχεία του δοκιμαστικού περιβάλλοντος του παρόχου. Τίποτα από όσα εκδίδονται έτσι δεν έχει φορολογική ισχύ.",
  },
  live: {
    en: "Enter the credentials for the provider’s live environment. Documents issued this way are legally valid.",
    el: "Χρειάζονται τα στοιχεία του κανονικού περιβάλλοντος του παρόχου. Τα παραστατικά έχουν φορολογική ισχύ.",
  },
};

const SAFETY: Text = {
  en: "The provider checks your entries immediately. They are stored encrypted and never shown again.",
  el: "Τα στοιχεία ελέγχονται αμέσως στον πάροχο, φυλάσσονται κρυπτογραφημένα και δεν εμφανίζονται ποτέ ξανά.",
};

function introduction(link: OpenLink): Markup {
  const { merchantTaxId, mode, returnUrl, choices } = link;
  const names = joinTexts(
    choices.map(({ name }) => name),
    ", ",
  );
  const purpose = {
    en: `Once you connect, documents are issued on behalf of this business through ${names.en}.`,
    el: `Με τη σύνδεση αυτή τα παραστατικά της επιχείρησης θα εκδίδονται για λογαριασμό της μέσω: ${names.el}.`,
  };
  const host = returnUrl === null ? "" : new URL(returnUrl).host;
  const returns = { en: `Afterwards you return to ${host}.`, el: `Στο τέλος επιστρέφετε στο ${host}.` };
  return html`${merchantTaxId !== null && html`<p class="soft">${TEXTS.taxNumber} ${merchantTaxId}</p>`}
<p><strong class="mode mode-${mode}">${MODE_NAMES[mode]}</strong></p>
<p>${NOTES[mode]}</p>
${choices.length > 0 && html`<p>${purpose} ${SAFETY}</p>`}
${returnUrl !== null && html`<p>${returns}</p>`}`;
}

export function openPage(link: OpenLink, sent?: Sent): Page {
  const forms = link.choices.map((choice) =>
    formPart(choice, link.mode, sent?.provider === choice.provider ? sent : NOTHING_ENTERED),
  );
  const labels = new Map(
    link.choices.flatMap((choice) =>
      choice.form.fields.map(({ name, label }) => [fieldId(choice, name), toText(label)] as const),
    ),
  );
  const noProvider = {
    en: "No provider is available. Tell the person who sent you the link.",
    el: "Δεν υπάρχει διαθέσιμος πάροχος. Ενημερώστε όποιον σας έστειλε τον σύνδεσμο.",
  };
  const heading = { en: `Connect ${link.merchantName}`, el: `Σύνδεση: ${link.merchantName}` };
  const problem = { en: "Problem", el: "Πρόβλημα" };
  return {
    status: sent?.trouble.status ?? 200,
    title: sent === undefined ? heading : joinTexts([problem, heading], ": "),
    content: html`${sent !== undefined && troubleSummary(sent.trouble, (id) => labels.get(id)!)}
<h1>${heading}</h1>
${introduction(link)}
${forms.length > 0 ? forms : html`<p class="problem">${noProvider}</p>`}`,
    scripts: [ASSETS.formScript],
  };
}

export const EXACTLY_ONE: Text = {
  en: "Fill in exactly one of these",
  el: "Συμπληρώστε ακριβώς ένα από αυτά",
};

/** Unique on the page, where several providers may ask for a field of the same name. */
function fieldId({ provider }: Pick<LinkChoice, "provider">, name: string): string {
  return `${provider}-${name}`;
}

type FailedSubmission = Exclude<Submission, ClosedLink | { kind: "connected" }>;

const REFUSED: Text = {
  en: "The provider did not accept it. Check it again.",
  el: "Ο πάροχος δεν το δέχτηκε. Ελέγξτε το ξανά.",
};

/** Mistakes are by the id of the field. `choice` is undefined if the provider cannot be chosen. */
export function describeTrouble(submission: FailedSubmission, choice: LinkChoice | undefined): Trouble {
  switch (submission.kind) {
    case "invalid": {
      const { fields = [] } = choice?.form ?? {};
      return troubleOf(validationError(problemsOfFields(submission.problems, choice?.form)), (path) => {
        const field = fields.find(({ name }) => path === `credentials.${name}`);
        return field && fieldId(choice!, field.name);
      });
    }
    case "refused": {
      const { provider_message: words, provider_code: code } = submission.error;
      const said = [code, words].filter((part) => part !== null).join(": ");
      const why = {
        en: "The provider did not accept the credentials. Check that you copied them completely, that they belong to this business, and that they are for the right environment (test or live).",
        el: "Ο πάροχος δεν δέχτηκε τα στοιχεία. Ελέγξτε ότι αντιγράφηκαν ολόκληρα, ότι ανήκουν στην επιχείρηση και ότι είναι του σωστού περιβάλλοντος (δοκιμαστικό ή κανονικό).",
      };
      const message = { en: `The provider’s message: ${said}`, el: `Η απάντηση του παρόχου: ${said}` };
      const left = {
        en: `Attempts left: ${submission.triesLeft}.`,
        el: `Προσπάθειες που απομένουν: ${submission.triesLeft}.`,
      };
      // A provider refuses credentials as a whole, so each required one may be the wrong one.
      const required = (choice?.form.fields ?? []).filter((field) => field.required);
      return {
        status: 422,
        mistakes: new Map(required.map(({ name }) => [fieldId(choice!, name), REFUSED])),
        other: joinTexts([why, left, ...(said === "" ? [] : [message])], " "),
      };
    }
    case "unavailable":
      return {
        status: 503,
        mistakes: new Map(),
        other: {
          en: "The provider is not responding. Nothing was saved, and this did not count as an attempt. Try again in a little while, before the link expires.",
          el: "Ο πάροχος δεν απαντά. Τίποτα δεν αποθηκεύτηκε και καμία προσπάθεια δεν μετρήθηκε. Δοκιμάστε ξανά σε λίγο, όσο ισχύει ο σύνδεσμος.",
        },
      };
    case "taken":
      return {
        status: 409,
        mistakes: new Map(),
        other: {
          en: "The business is already connected to this provider. There is nothing else to do.",
          el: "Η επιχείρηση είναι ήδη συνδεδεμένη με αυτόν τον πάροχο. Δεν χρειάζεται να κάνετε τίποτα.",
        },
      };
  }
}

/** A problem of the credentials as a whole concerns the fields of which one must be given. */
export function problemsOfFields(
  problems: readonly Problem[],
  { exactlyOneOf = [] }: Pick<CredentialsForm, "exactlyOneOf"> = {},
): Problem[] {
  return problems.flatMap((problem) =>
    problem.path === "credentials"
      ? exactlyOneOf.map((name) => ({ path: `credentials.${name}`, message: EXACTLY_ONE }))
      : problem,
  );
}
