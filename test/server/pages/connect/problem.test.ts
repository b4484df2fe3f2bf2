import { describe, expect, test } from "vitest";
import { FIELD_WORDS, OTHER_MISTAKE, WAYS } from "../../../../server/pages/connect/field-words.ts";
import { describeTrouble } from "../../../../server/pages/connect/problem.ts";
import { LANGUAGES } from "../../../../server/pages/language.ts";
import { type CredentialsForm, credentialsSchema } from "../../../../src/domain/credentials-form.ts";
import { CREDENTIALS_FORM as PROVIDER_A_FORM } from "../../../../src/providers/provider-a/form.ts";
import { CREDENTIALS_FORM as REGISTRY_FORM } from "../../../../src/providers/registry-direct/form.ts";
import { checkWith } from "../../../../src/foundation/validation.ts";

const FORM: CredentialsForm = {
  fields: [
    { name: "key", label: "Key", secret: true, required: true, lengthMax: 10, unpadded: true, ascii: true },
    { name: "email", label: "Email", secret: false, required: false, lengthMax: 50, format: "email" },
    { name: "user", label: "User", secret: false, required: false, lengthMax: 50 },
  ],
  exactlyOneOf: ["email", "user"],
};

/** What the page says beside each field of what was entered, in English. */
function mistakesOf(entered: Record<string, string>): Record<string, string> {
  const checked = checkWith(credentialsSchema(FORM), entered, "credentials");
  const problems = "problems" in checked ? checked.problems : [];
  return Object.fromEntries(describeTrouble({ kind: "invalid", problems }, FORM, "en").mistakes);
}

describe("a mistake is told in the reader's words", () => {
  test.each([
    ["a field left empty", { user: "u" }, { key: "Fill this in." }],
    ["one too long", { key: "12345678901", user: "u" }, { key: "At most 10 characters." }],
    ["space around it", { key: " k", user: "u" }, { key: "Take away the spaces before and after it." }],
    ["letters that cannot be sent", { key: "κλειδί", user: "u" }, { key: expect.stringContaining("Latin") }],
    [
      "what cannot be seen",
      { key: "a\u0001b", user: "u" },
      { key: expect.stringContaining("cannot be seen") },
    ],
    ["no address", { key: "k", email: "owner" }, { email: "Enter an email address." }],
    [
      "none of two",
      { key: "k" },
      { email: "Fill in exactly one of these.", user: "Fill in exactly one of these." },
    ],
    [
      "both of two",
      { key: "k", email: "a@b.gr", user: "u" },
      { email: "Fill in exactly one of these.", user: "Fill in exactly one of these." },
    ],
  ])("%s", (_what, entered, mistakes) => {
    expect(mistakesOf(entered)).toEqual(mistakes);
  });

  test("what an adapter alone knows is told without its words", () => {
    const problems = [{ path: "credentials.key", message: "must be blue" }];
    for (const language of LANGUAGES)
      expect(describeTrouble({ kind: "invalid", problems }, FORM, language).mistakes.get("key")).toBe(
        OTHER_MISTAKE[language],
      );
  });
});

test.each([
  ["registry_direct", REGISTRY_FORM],
  ["provider_a", PROVIDER_A_FORM],
] as const)(
  "every credential of %s has words in both languages, and a way to it in both modes",
  (provider, form) => {
    const words = FIELD_WORDS[provider] ?? {};
    expect(Object.keys(words).toSorted()).toEqual(form.fields.map(({ name }) => name).toSorted());
    for (const mode of ["test", "live"] as const)
      expect(WAYS[provider]?.[mode].steps.length).toBeGreaterThan(0);
  },
);
