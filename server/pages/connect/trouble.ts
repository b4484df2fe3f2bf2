/** Says why a form of credentials did not connect its merchant: at the top of the page, and next to the fields concerned. */
import type { ClosedLink, LinkChoice, Submission } from "../../../src/connect-sessions/connect-link.ts";
import type { CredentialsForm } from "../../../src/domain/credentials-form.ts";
import { type Problem, validationError } from "../../../src/foundation/errors.ts";
import { joinTexts, type Text } from "../../../src/foundation/text.ts";
import { type Trouble, troubleOf } from "../console/forms.ts";

export const EXACTLY_ONE: Text = {
  en: "Fill in exactly one of these",
  el: "Συμπληρώστε ακριβώς ένα από αυτά",
};

/** Unique on the page, where several providers may ask for a field of the same name. */
export function fieldId({ provider }: Pick<LinkChoice, "provider">, name: string): string {
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
