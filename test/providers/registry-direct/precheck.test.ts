/** Finds what does not fit the authority's schema. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  type CanonicalDocument,
  DOCUMENT_TYPES,
  type DocumentType,
} from "../../../src/domain/canonical-document.ts";
import { isCountryCode } from "../../../src/domain/tax-number.ts";
import { checkForRegistry } from "../../../src/providers/registry-direct/precheck.ts";
import { authorityFile } from "../../helpers/authority-files.ts";
import { buildParsed, CUSTOMERS, type DocumentInput, isRetail } from "../../helpers/documents.ts";

function check(type: DocumentType, overrides: Partial<DocumentInput> = {}) {
  return checkForRegistry(buildParsed(type, overrides));
}

/** As parsed, with amounts that no test has the lines for. */
function withAmounts(gross: number, payments?: number[]): CanonicalDocument {
  const document = buildParsed("11.1");
  return {
    ...document,
    totals: { ...document.totals, gross },
    ...(payments === undefined ? {} : { payments: payments.map((amount) => ({ method: "cash", amount })) }),
  };
}

describe("finds nothing in an ordinary document:", () => {
  const cases = DOCUMENT_TYPES.flatMap((type) =>
    (isRetail(type) ? (["greek"] as const) : (["greek", "eu", "abroad"] as const)).map(
      (market) => [type, market] as const,
    ),
  );
  test.each(cases)("%s, %s", (type, market) => {
    const overrides = isRetail(type) ? {} : { customer: CUSTOMERS[market] };
    expect(check(type, overrides)).toMatchObject({ problems: [], warnings: [] });
  });
});

describe("countries", () => {
  const customer = (country: string) => ({ ...CUSTOMERS.abroad, tax_id: { country, code: "123456789" } });

  test("that the schema lacks are refused", () => {
    for (const country of ["BQ", "CW", "SS", "SX"]) {
      const { problems } = check("5.2", { customer: customer(country) });
      const message = { en: expect.stringContaining("(101)"), el: expect.stringContaining("(101)") };
      expect(problems).toEqual([{ path: "customer.tax_id.country", message }]);
    }
  });

  const { path: schema, missing } = authorityFile("mydata/xsd/v2.0.2/SimpleTypes-v2.0.2.xsd");
  test("exactly those missing from the schema are rejected", ({ skip }) => {
    skip(missing !== false, String(missing));
    const text = readFileSync(schema, "utf8");
    const [, list = ""] = /name="CountryType">([\s\S]*?)<\/xs:simpleType>/.exec(text) ?? [];
    const known = new Set(Array.from(list.matchAll(/value="([A-Z]{2})"/g), ([, country]) => country!));
    const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    const accepted = letters
      .flatMap((one) => letters.map((other) => one + other))
      .filter((country) => isCountryCode(country) && country !== "GR");
    const refused = accepted.filter(
      (country) => check("5.2", { customer: customer(country) }).problems.length > 0,
    );
    expect(refused).toEqual(accepted.filter((country) => country !== "XI" && !known.has(country)));
  });
});

test.each([
  ["9223372036854775807", []],
  ["9223372036854775808", ["original_marks[1]"]],
  ["9999999999999999999", ["original_marks[1]"]],
])("the MARK %s", (mark, paths) => {
  const { problems } = check("5.1", { original_marks: ["400001234567890", mark] });
  expect(problems.map(({ path }) => path)).toEqual(paths);
  expect(JSON.stringify(problems)).not.toContain(mark);
});

describe("amounts have 15 digits", () => {
  test.each([
    [999_999_999_999_999, true],
    [1_000_000_000_000_000, true],
    [1_000_000_000_000_010, true],
    [1_000_000_000_000_001, false],
    [1_249_999_999_999_999, false],
    [1_250_000_000_000_000, true],
  ])("%i cents: %s", (cents, fits) => {
    const paths = checkForRegistry(withAmounts(cents, [10, cents])).problems.map(({ path }) => path);
    expect(paths).toEqual(fits ? [] : ["payments[1].amount", "totals.gross"]);
  });

  test("an assumed payment is not reported twice", () => {
    expect(checkForRegistry(withAmounts(1_000_000_000_000_001)).problems).toHaveLength(1);
  });
});
