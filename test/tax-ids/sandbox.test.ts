import fc from "fast-check";
import { expect, test } from "vitest";
import { type TaxQuestion } from "../../src/tax-ids/question.ts";
import { LOOKUP_COUNTRIES } from "../../src/domain/tax-number.ts";
import { answerFromSandbox } from "../../src/tax-ids/eu-registry.ts";

test.each<[TaxQuestion["country"], string, object]>([
  ["GR", "099999999", { kind: "found", finding: { valid: false, name: null, address: null } }],
  ["DE", "200", { kind: "found", finding: { valid: false, name: null, address: null } }],
  ["XI", "200", { kind: "found", finding: { valid: false, name: null, address: null } }],
  ["GR", "123456789", { kind: "found", finding: { valid: false } }],
  ["GR", "12", { kind: "found", finding: { valid: false } }],
  ["GR", "300", { kind: "no_answer", reason: "unavailable" }],
  ["GR", "876543210", { kind: "no_answer", reason: "unavailable" }],
  ["DE", "300", { kind: "no_answer", reason: "unavailable" }],
  ["FR", "301", { kind: "no_answer", reason: "unavailable" }],
  ["GR", "123456783", { kind: "found", finding: { valid: true } }],
  ["DE", "129273398", { kind: "found", finding: { valid: true } }],
  ["DE", "099999999", { kind: "found", finding: { valid: true } }],
  ["DE", "876543210", { kind: "found", finding: { valid: true } }],
])("answers %s %s with its scene", (country, code, answer) => {
  expect(answerFromSandbox({ country, code })).toMatchObject(answer);
});

test("answers all other numbers outside Greece as valid, with an invented name and address on one line each", () => {
  const code = fc.stringMatching(/^[0-9A-Z+*]{2,12}$/);
  fc.assert(
    fc.property(
      fc.constantFrom(...LOOKUP_COUNTRIES.filter((country) => country !== "GR")),
      code,
      (country, number) => {
        fc.pre(!["200", "300", "301"].includes(number));
        const answer = answerFromSandbox({ country, code: number });
        expect(answer).toEqual({
          kind: "found",
          finding: {
            valid: true,
            name: expect.stringMatching(/^\S.*\S$/),
            address: expect.stringMatching(/^\S.*\S$/),
          },
        });
      },
    ),
  );
});
