import { expect, test } from "vitest";
import { describeTrouble } from "../../../../server/pages/connect/form.ts";
import { checkAgainstForm, type CredentialsForm } from "../../../../src/domain/credentials-form.ts";
import { sameInBoth } from "../../../../src/foundation/text.ts";
import { BUILT_IN_PROVIDERS } from "../../../../src/providers/built-in.ts";

const FORM: CredentialsForm = {
  fields: [
    { name: "key", label: "Key", secret: true, required: true, lengthMax: 10, unpadded: true, ascii: true },
    { name: "email", label: "Email", secret: false, required: false, lengthMax: 50, format: "email" },
    { name: "user", label: "User", secret: false, required: false, lengthMax: 50 },
  ],
  exactlyOneOf: ["email", "user"],
};

/** The mistakes that the page shows next to its fields. */
function mistakesOf(entered: Record<string, string>, language: "en" | "el"): Record<string, string> {
  const checked = checkAgainstForm(FORM, entered);
  const problems = "problems" in checked ? checked.problems : [];
  const choice = { provider: "provider_b", name: sameInBoth("B"), form: FORM } as const;
  const { mistakes } = describeTrouble({ kind: "invalid", problems }, choice);
  return Object.fromEntries(
    [...mistakes].map(([id, text]) => [id.replace("provider_b-", ""), text[language]]),
  );
}

const CHOOSE = ["Fill in exactly one of these", "Συμπληρώστε ακριβώς ένα από αυτά"] as const;

test.each<[what: string, entered: Record<string, string>, fields: string[], en: string, el: string]>([
  ["an empty field", { user: "u" }, ["key"], "is required", "είναι υποχρεωτικό"],
  [
    "a value that is too long",
    { key: "12345678901", user: "u" },
    ["key"],
    "must have 1 to 10 characters",
    "πρέπει να έχει 1 έως 10 χαρακτήρες",
  ],
  [
    "white space around a value",
    { key: " k", user: "u" },
    ["key"],
    "must not begin or end with white space",
    "δεν επιτρέπεται να αρχίζει ή να τελειώνει με κενό",
  ],
  ["letters that cannot be sent", { key: "κλειδί", user: "u" }, ["key"], "ASCII", "λατινικά"],
  ["control characters", { key: "a\u0001b", user: "u" }, ["key"], "control", "ελέγχου"],
  [
    "an email address without a domain",
    { key: "k", email: "owner" },
    ["email"],
    "must be an email address",
    "πρέπει να είναι διεύθυνση email",
  ],
  ["neither of two alternatives", { key: "k" }, ["email", "user"], ...CHOOSE],
  ["both of two alternatives", { key: "k", email: "a@b.gr", user: "u" }, ["email", "user"], ...CHOOSE],
])("%s is explained in the reader's language", (_what, entered, fields, en, el) => {
  for (const [language, text] of Object.entries({ en, el })) {
    const mistakes = mistakesOf(entered, language as "en" | "el");
    expect(mistakes).toEqual(Object.fromEntries(fields.map((name) => [name, expect.stringContaining(text)])));
  }
});

test.each(
  BUILT_IN_PROVIDERS.flatMap(({ description: { provider, credentials } }) =>
    credentials === null ? [] : ([[provider, credentials]] as [string, CredentialsForm][]),
  ),
)("%s explains every credential in both languages, and how to find it in both modes", (_provider, form) => {
  for (const { label, help } of form.fields)
    for (const text of [label, help])
      expect(text).toEqual({ en: expect.any(String), el: expect.stringMatching(/./) });
  for (const mode of ["test", "live"] as const) expect(form.guides?.[mode].steps.length).toBeGreaterThan(0);
});
