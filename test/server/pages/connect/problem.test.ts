import { describe, expect, test } from "vitest";
import { describeTrouble } from "../../../../server/pages/connect/form.ts";
import { checkAgainstForm, type CredentialsForm } from "../../../../src/domain/credentials-form.ts";
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
  const { mistakes = [] } = describeTrouble({ kind: "invalid", problems }, FORM);
  return Object.fromEntries([...mistakes].map(([name, text]) => [name, text[language]]));
}

describe("explains a mistake in the reader's language", () => {
  const choose = { en: "Fill in exactly one of these", el: "Συμπληρώστε ακριβώς ένα από αυτά" };

  test.each([
    ["an empty field", { user: "u" }, { key: { en: "is required", el: "είναι υποχρεωτικό" } }],
    [
      "a value that is too long",
      { key: "12345678901", user: "u" },
      { key: { en: "must have 1 to 10 characters", el: "πρέπει να έχει 1 έως 10 χαρακτήρες" } },
    ],
    [
      "white space around a value",
      { key: " k", user: "u" },
      {
        key: {
          en: "must not begin or end with white space",
          el: "δεν επιτρέπεται να αρχίζει ή να τελειώνει με κενό",
        },
      },
    ],
    [
      "letters that cannot be sent",
      { key: "κλειδί", user: "u" },
      { key: { en: expect.stringContaining("ASCII"), el: expect.stringContaining("λατινικά") } },
    ],
    [
      "control characters",
      { key: "a\u0001b", user: "u" },
      {
        key: { en: expect.stringContaining("control"), el: expect.stringContaining("ελέγχου") },
      },
    ],
    [
      "an email address without a domain",
      { key: "k", email: "owner" },
      { email: { en: "must be an email address", el: "πρέπει να είναι διεύθυνση email" } },
    ],
    ["neither of two alternatives", { key: "k" }, { email: choose, user: choose }],
    ["both of two alternatives", { key: "k", email: "a@b.gr", user: "u" }, { email: choose, user: choose }],
  ])("%s", (_name, entered, mistakes) => {
    for (const language of ["en", "el"] as const) {
      const expected = Object.entries(mistakes).map(([name, text]) => [name, text[language]]);
      expect(mistakesOf(entered, language)).toEqual(Object.fromEntries(expected));
    }
  });
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
