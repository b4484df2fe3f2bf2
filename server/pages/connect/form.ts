/**
 * The page of an open link: which business is connected to what, and for each provider that can be chosen where to find its credentials,
 * and a field for each. A form that did not connect the merchant says why, at the top of the page and next to the fields concerned.
 */
import type { LinkChoice, OpenLink } from "../../../src/connect-sessions/connect-link.ts";
import type { CredentialField, CredentialsGuide } from "../../../src/domain/credentials-form.ts";
import { type Text, toText } from "../../../src/foundation/text.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import type { Language } from "../language.ts";
import { html, type Markup } from "../markup.ts";
import { ASSETS } from "../assets.ts";
import { htmlPage, type Page } from "../page.ts";
import { EXACTLY_ONE, type Trouble } from "./trouble.ts";

/** The values entered by field name, and what is wrong with them. */
interface Entry {
  values: ReadonlyMap<string, string>;
  mistakes: ReadonlyMap<string, Text>;
}

export const WHERE_TO_FIND: Text = { en: "Where to find them", el: "Πού θα βρείτε τα στοιχεία" };

/** One provider's form on the page. */
interface FormPlace {
  choice: LinkChoice;
  mode: Mode;
  language: Language;
}

function labelOf({ language }: FormPlace, { label }: CredentialField): string {
  return toText(label)[language];
}

/** Unique on the page, where several providers may ask for a field of the same name. */
function fieldId({ choice }: FormPlace, name: string): string {
  return `${choice.provider}-${name}`;
}

function fieldPart(place: FormPlace, field: CredentialField, entry: Entry): Markup {
  const id = fieldId(place, field.name);
  const help = field.help === undefined ? undefined : toText(field.help)[place.language];
  const mistake = entry.mistakes.get(field.name)?.[place.language];
  const descriptions = [
    ...(mistake === undefined ? [] : [`${id}-mistake`]),
    ...(help === undefined ? [] : [`${id}-help`]),
  ];
  const type = field.secret ? "password" : field.format === "email" ? "email" : "text";
  // A secret is never written back into a page.
  const value = field.secret ? undefined : entry.values.get(field.name);
  return html`<div class="field">
<label for="${id}">${labelOf(place, field)}</label>
${help !== undefined && html`<p class="hint" id="${id}-help">${help}</p>`}
${mistake !== undefined && html`<p class="mistake" id="${id}-mistake">${capitalise(mistake)}</p>`}
<input id="${id}" name="${field.name}" type="${type}" autocomplete="off" autocapitalize="none" spellcheck="false"${descriptions.length > 0 && html` aria-describedby="${descriptions.join(" ")}"`}${mistake !== undefined && html` aria-invalid="true"`}${field.required && html` required`}${value !== undefined && html` value="${value}"`}>
</div>`;
}

function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function fieldsPart(place: FormPlace, entry: Entry): Markup {
  const { fields, exactlyOneOf: alternatives = [] } = place.choice.form;
  const part = (field: CredentialField) => fieldPart(place, field, entry);
  const common = fields.filter(({ name }) => !alternatives.includes(name));
  const either = fields.filter(({ name }) => alternatives.includes(name));
  return html`${common.map(part)}
${either.length > 0 && html`<fieldset><legend>${EXACTLY_ONE[place.language]}</legend>${either.map(part)}</fieldset>`}`;
}

function guidePart({ choice, mode, language }: FormPlace): Markup | undefined {
  const guide = choice.form.guides?.[mode];
  return guide && html`<h3>${WHERE_TO_FIND[language]}</h3>${guideSteps(guide, language)}`;
}

/** How a merchant obtains its credentials. */
export function guideSteps({ steps, url }: CredentialsGuide, language: Language): Markup {
  return html`<ol class="steps">${steps.map((step) => html`<li>${toText(step)[language]}</li>`)}</ol>
${url !== undefined && html`<p><a href="${url}" rel="noreferrer noopener" target="_blank">${new URL(url).host}</a></p>`}`;
}

/** The form has `novalidate` because browsers report empty fields in their own language; the server does it in the page's. */
function formPart(place: FormPlace, entry: Entry): Markup {
  const { choice, language } = place;
  const { provider, name } = choice;
  const busy = {
    en: "The provider is checking your entries. This may take up to half a minute; do not close the page.",
    el: "Ο πάροχος ελέγχει τα στοιχεία. Μπορεί να χρειαστεί έως μισό λεπτό· μην κλείσετε τη σελίδα.",
  };
  const busyButton = { en: "Checking…", el: "Γίνεται έλεγχος…" };
  const submit = { en: "Check and connect", el: "Έλεγχος και σύνδεση" };
  const patience = {
    en: "The check may take up to half a minute. Press the button only once.",
    el: "Ο έλεγχος μπορεί να χρειαστεί έως μισό λεπτό. Πατήστε μία φορά.",
  };
  return html`<section aria-labelledby="${provider}-name">
<h2 id="${provider}-name">${name[language]}</h2>
${guidePart(place)}
<form method="post" autocomplete="off" novalidate data-busy="${busy[language]}" data-busy-button="${busyButton[language]}">
<input type="hidden" name="provider" value="${provider}">
${fieldsPart(place, entry)}
<p><button class="primary">${submit[language]}</button></p>
<p class="soft busy" role="status">${patience[language]}</p>
</form>
</section>`;
}

/** The root of the site, relative to `/connect/{token}`. */
export const ROOT = "../";

/** A submitted form that did not connect the merchant. */
export interface Sent {
  provider: string;
  values: ReadonlyMap<string, string>;
  trouble: Trouble;
}

const NOTHING_ENTERED: Entry = { values: new Map(), mistakes: new Map() };

const MODES: Readonly<Record<Mode, { name: Text; note: Text }>> = {
  test: {
    name: { en: "TEST MODE", el: "ΔΟΚΙΜΑΣΤΙΚΗ ΛΕΙΤΟΥΡΓΙΑ" },
    note: {
      en: "Enter the credentials for the provider’s test environment. Nothing issued this way is legally valid.",
      el: "Χρειάζονται τα στοιχεία του δοκιμαστικού περιβάλλοντος του παρόχου. Τίποτα από όσα εκδίδονται έτσι δεν έχει φορολογική ισχύ.",
    },
  },
  live: {
    name: { en: "LIVE MODE", el: "ΚΑΝΟΝΙΚΗ ΛΕΙΤΟΥΡΓΙΑ" },
    note: {
      en: "Enter the credentials for the provider’s live environment. Documents issued this way are legally valid.",
      el: "Χρειάζονται τα στοιχεία του κανονικού περιβάλλοντος του παρόχου. Τα παραστατικά έχουν φορολογική ισχύ.",
    },
  },
};

const SAFETY: Text = {
  en: "The provider checks your entries immediately. They are stored encrypted and never shown again.",
  el: "Τα στοιχεία ελέγχονται αμέσως στον πάροχο, φυλάσσονται κρυπτογραφημένα και δεν εμφανίζονται ποτέ ξανά.",
};

function introduction(link: OpenLink, language: Language): Markup {
  const { merchantName, merchantTaxId, mode, returnUrl, choices } = link;
  const names = choices.map(({ name }) => name[language]).join(", ");
  const heading = { en: `Connect ${merchantName}`, el: `Σύνδεση: ${merchantName}` };
  const taxNumber = { en: "Greek tax number", el: "ΑΦΜ" };
  const purpose = {
    en: `Once you connect, documents are issued on behalf of this business through ${names}.`,
    el: `Με τη σύνδεση αυτή τα παραστατικά της επιχείρησης θα εκδίδονται για λογαριασμό της μέσω: ${names}.`,
  };
  const host = returnUrl === null ? "" : new URL(returnUrl).host;
  const returns = { en: `Afterwards you return to ${host}.`, el: `Στο τέλος επιστρέφετε στο ${host}.` };
  return html`<h1>${heading[language]}</h1>
${merchantTaxId !== null && html`<p class="soft">${taxNumber[language]} ${merchantTaxId}</p>`}
<p><strong class="mode mode-${mode}">${MODES[mode].name[language]}</strong></p>
<p>${MODES[mode].note[language]}</p>
${choices.length > 0 && html`<p>${purpose[language]} ${SAFETY[language]}</p>`}
${returnUrl !== null && html`<p>${returns[language]}</p>`}`;
}

/** Focused first: by `autofocus` without a script, and by the script in browsers that ignore it here. */
function troublePart(link: OpenLink, { provider, trouble }: Sent, language: Language): Markup {
  const choice = link.choices.find((candidate) => candidate.provider === provider);
  const place: FormPlace | undefined = choice && { choice, mode: link.mode, language };
  const items = [...(trouble.mistakes ?? [])].map(([name, mistake]) => {
    const text = mistake[language];
    const field = choice?.form.fields.find((candidate) => candidate.name === name);
    if (place === undefined || field === undefined) return html`<li>${text}</li>`;
    return html`<li><a href="#${fieldId(place, name)}">${labelOf(place, field)}</a>: ${text}</li>`;
  });
  return html`<div class="problem" id="problem" role="alert" tabindex="-1" autofocus>
<h2>${trouble.heading[language]}</h2>
${items.length > 0 && html`<ul>${items}</ul>`}
${(trouble.sentences ?? []).map((sentence) => html`<p>${sentence[language]}</p>`)}
</div>`;
}

export function openPage(link: OpenLink, language: Language, sent?: Sent): Page {
  const { mode, choices, merchantName } = link;
  const forms = choices.map((choice) => {
    const entry =
      sent?.provider === choice.provider
        ? { mistakes: new Map(), ...sent, ...sent.trouble }
        : NOTHING_ENTERED;
    return formPart({ choice, mode, language }, entry);
  });
  const noProvider = {
    en: "No provider is available. Tell the person who sent you the link.",
    el: "Δεν υπάρχει διαθέσιμος πάροχος. Ενημερώστε όποιον σας έστειλε τον σύνδεσμο.",
  };
  const content = html`${sent !== undefined && troublePart(link, sent, language)}
${introduction(link, language)}
${forms.length > 0 ? forms : html`<p class="problem">${noProvider[language]}</p>`}`;
  const title = { en: `Connect ${merchantName}`, el: `Σύνδεση της επιχείρησης ${merchantName}` }[language];
  const problem = { en: "Problem", el: "Πρόβλημα" }[language];
  const scripts = [ASSETS.formScript];
  return {
    status: sent?.trouble.status ?? 200,
    html: htmlPage({
      title: sent === undefined ? title : `${problem}: ${title}`,
      language,
      root: ROOT,
      content,
      scripts,
    }),
  };
}
