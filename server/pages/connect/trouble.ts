/** Says why a form of credentials did not connect its merchant: at the top of the page, and next to the fields concerned. */
import type { ClosedLink, Submission } from "../../../src/connect-sessions/connect-link.ts";
import type { CredentialsForm } from "../../../src/domain/credentials-form.ts";
import type { Problem } from "../../../src/foundation/errors.ts";
import type { Text } from "../../../src/foundation/text.ts";

export const EXACTLY_ONE: Text = {
  en: "Fill in exactly one of these",
  el: "Συμπληρώστε ακριβώς ένα από αυτά",
};

export interface Trouble {
  status: number;
  heading: Text;
  /** Paragraphs. */
  sentences?: readonly Text[];
  /** What is wrong with each field, by its name. */
  mistakes?: ReadonlyMap<string, Text>;
}

type FailedSubmission = Exclude<Submission, ClosedLink | { kind: "connected" }>;

/** `form` is that of the chosen provider; undefined if the provider cannot be chosen. */
export function describeTrouble(submission: FailedSubmission, form: CredentialsForm | undefined): Trouble {
  switch (submission.kind) {
    case "invalid":
      return {
        status: 400,
        heading: { en: "Check your entries", el: "Ελέγξτε τα στοιχεία" },
        mistakes: mistakesOf(submission.problems, form),
      };
    case "refused": {
      const { provider_message: words, provider_code: code } = submission.error;
      const said = [code, words].filter((part) => part !== null).join(": ");
      const message = { en: `The provider’s message: ${said}`, el: `Η απάντηση του παρόχου: ${said}` };
      return {
        status: 422,
        heading: {
          en: "The provider did not accept the credentials",
          el: "Ο πάροχος δεν δέχτηκε τα στοιχεία",
        },
        sentences: [
          ...(said === "" ? [] : [message]),
          {
            en: "Check that you copied them completely, that they belong to this business, and that they are for the right environment (test or live).",
            el: "Ελέγξτε ότι αντιγράφηκαν ολόκληρα, ότι ανήκουν στην επιχείρηση και ότι είναι του σωστού περιβάλλοντος (δοκιμαστικό ή κανονικό).",
          },
          {
            en: `Attempts left: ${submission.triesLeft}.`,
            el: `Προσπάθειες που απομένουν: ${submission.triesLeft}.`,
          },
        ],
        mistakes: refusedFields(form),
      };
    }
    case "unavailable":
      return {
        status: 503,
        heading: { en: "The provider is not responding", el: "Ο πάροχος δεν απαντά" },
        sentences: [
          {
            en: "Nothing was saved, and this did not count as an attempt. Try again in a little while, before the link expires.",
            el: "Τίποτα δεν αποθηκεύτηκε και καμία προσπάθεια δεν μετρήθηκε. Δοκιμάστε ξανά σε λίγο, όσο ισχύει ο σύνδεσμος.",
          },
        ],
      };
    case "taken":
      return {
        status: 409,
        heading: { en: "The business is already connected", el: "Η επιχείρηση είναι ήδη συνδεδεμένη" },
        sentences: [
          {
            en: "There is already an active connection to this provider. There is nothing else to do.",
            el: "Υπάρχει ήδη ενεργή σύνδεση με αυτόν τον πάροχο. Δεν χρειάζεται να κάνετε τίποτα.",
          },
        ],
      };
  }
}

/** The first problem of each field. */
function mistakesOf(problems: readonly Problem[], form: CredentialsForm | undefined): Map<string, Text> {
  const mistakes = new Map<string, Text>();
  for (const { path, message } of problemsOfFields(problems, form)) {
    const name = path.replace(/^credentials\./, "");
    if (!mistakes.has(name)) mistakes.set(name, message);
  }
  return mistakes;
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

/** A provider refuses credentials as a whole, so each required one may be the wrong one. */
function refusedFields(form: CredentialsForm | undefined): Map<string, Text> {
  const mistake = {
    en: "The provider did not accept it. Check it again.",
    el: "Ο πάροχος δεν το δέχτηκε. Ελέγξτε το ξανά.",
  };
  const required = (form?.fields ?? []).filter((field) => field.required);
  return new Map(required.map(({ name }) => [name, mistake]));
}
