// docs/contract.md#numbers-of-eu-customers
import { expect, test } from "vitest";
import { warnAboutEuNumber } from "../../src/documents/assess.ts";
import { buildLine, buildParsed, CUSTOMERS } from "../helpers/documents.ts";

const exempt = (cause: number) => [buildLine({ vat_category: "exempt", vat_exemption: cause })];

function warns(country: string, code: string, cause = 14): boolean {
  const customer = { ...CUSTOMERS.eu, tax_id: { country, code } };
  const warnings = warnAboutEuNumber(buildParsed("1.1", { lines: exempt(cause), customer }));
  for (const { en, el } of warnings) expect(`${en} ${el}`).not.toContain(code);
  return warnings.length > 0;
}

test.each([
  ["DE", "129273398", false],
  ["DE", "DE129273398", false],
  ["DE", "12927339", true],
  ["FR", "40303265045", false],
  ["FR", "12", true],
  ["IE", "6388047V", false],
  ["NL", "004495445B01", false],
  ["BG", "123", true],
  ["BE", "0428759497", false],
  ["BE", "1000000029", false],
  ["BE", "2000000029", true],
  ["IE", "1X23456T", false],
  ["FR", "FR123456789", false],
  ["XI", "110305878", false],
  ["XI", "11030587", true],
])("a number of %s, %s, without VAT: a warning is %s", (country, code, expected) => {
  expect(warns(country, code)).toBe(expected);
});

test("a number that no exemption depends on has any form", () => {
  expect(warns("DE", "12", 16)).toBe(false);
  const sale = buildParsed("1.1", { customer: { ...CUSTOMERS.eu, tax_id: { country: "DE", code: "12" } } });
  expect(warnAboutEuNumber(sale)).toEqual([]);
  expect(warns("US", "12")).toBe(false);
});
