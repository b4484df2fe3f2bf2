/** Validation messages that several folders use. Each follows the path of the value: `lines[0].quantity: is required`. */
import type { Text } from "./text.ts";

export const REQUIRED: Text = { en: "is required", el: "είναι υποχρεωτικό" };
export const UNKNOWN_FIELD: Text = { en: "is not a known field", el: "δεν είναι γνωστό πεδίο" };
export const WRONG_FORM: Text = { en: "has the wrong form", el: "δεν έχει τη σωστή μορφή" };
export const NOT_AN_OBJECT: Text = { en: "must be an object", el: "πρέπει να είναι αντικείμενο" };
export const NOT_A_STRING: Text = { en: "must be a string", el: "πρέπει να είναι κείμενο" };
export const NOT_A_NUMBER: Text = { en: "must be a number", el: "πρέπει να είναι αριθμός" };
export const NOT_AN_INTEGER: Text = { en: "must be an integer", el: "πρέπει να είναι ακέραιος αριθμός" };
export const NOT_A_BOOLEAN: Text = { en: "must be true or false", el: "πρέπει να είναι true ή false" };
export const NOT_AN_ARRAY: Text = { en: "must be an array", el: "πρέπει να είναι λίστα" };
export const NOT_AN_EMAIL: Text = {
  en: "must be an email address",
  el: "πρέπει να είναι διεύθυνση email",
};
export const CONTROL_CHARACTERS: Text = {
  en: "must not hold control characters",
  el: "δεν επιτρέπεται να περιέχει χαρακτήρες ελέγχου",
};
export const HIDDEN_CHARACTERS: Text = {
  en: "must not hold invisible characters that control the terminal or the direction of text",
  el: "δεν επιτρέπεται να περιέχει αόρατους χαρακτήρες που ελέγχουν το τερματικό ή τη φορά του κειμένου",
};
export const PADDED: Text = {
  en: "must not begin or end with white space",
  el: "δεν επιτρέπεται να αρχίζει ή να τελειώνει με κενό",
};
export const UNKNOWN_LIST_ID: Text = {
  en: "is not an id of this list",
  el: "δεν είναι id αυτής της λίστας",
};

export const oneOf = (options: readonly string[]): Text =>
  options.length === 1
    ? { en: `must be ${options[0]}`, el: `πρέπει να είναι ${options[0]}` }
    : {
        en: `must be one of ${options.join(", ")}`,
        el: `πρέπει να είναι ένα από τα ${options.join(", ")}`,
      };

export const atLeast = (minimum: string): Text => ({
  en: `must be at least ${minimum}`,
  el: `πρέπει να είναι τουλάχιστον ${minimum}`,
});

export const atMost = (maximum: string): Text => ({
  en: `must be at most ${maximum}`,
  el: `πρέπει να είναι το πολύ ${maximum}`,
});

export const integerFromTo = (minimum: number, maximum: number): Text => ({
  en: `must be an integer from ${minimum} to ${maximum}`,
  el: `πρέπει να είναι ακέραιος αριθμός από ${minimum} έως ${maximum}`,
});

export const minimumItems = (minimum: string): Text => ({
  en: `must have at least ${minimum} ${minimum === "1" ? "item" : "items"}`,
  el: `πρέπει να έχει τουλάχιστον ${minimum} ${minimum === "1" ? "στοιχείο" : "στοιχεία"}`,
});

export const maximumItems = (maximum: string): Text => ({
  en: `must have at most ${maximum} items`,
  el: `πρέπει να έχει το πολύ ${maximum} στοιχεία`,
});

export const maximumPairs = (maximum: number): Text => ({
  en: `must have at most ${maximum} pairs`,
  el: `πρέπει να έχει το πολύ ${maximum} ζεύγη`,
});

export const lengthFromTo = (minimum: number, maximum: number): Text =>
  minimum === 0
    ? { en: `must have at most ${maximum} characters`, el: `πρέπει να έχει το πολύ ${maximum} χαρακτήρες` }
    : {
        en: `must have ${minimum} to ${maximum} characters`,
        el: `πρέπει να έχει ${minimum} έως ${maximum} χαρακτήρες`,
      };

export const idOfThisList = (prefix: string): Text => ({
  en: `must be an id of this list (${prefix}_ and 22 letters or digits)`,
  el: `πρέπει να είναι id αυτής της λίστας (${prefix}_ και 22 λατινικά γράμματα ή ψηφία)`,
});
