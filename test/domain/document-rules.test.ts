/**
 * Rules between the fields of a document (docs/contract.md#canonical-document, docs/contract.md#payments), and exemption causes that
 * do not fit it.
 */
import { describe, expect, test } from "vitest";
import {
  checkDocumentInput,
  DOCUMENT_TYPES,
  type DocumentType,
} from "../../src/domain/canonical-document.ts";
import {
  buildDocument,
  buildLine,
  buildParsed,
  changed,
  CUSTOMERS,
  type DocumentInput,
  isRetail,
  type Keys,
  type LineInput,
  MARKETS,
  TODAY,
} from "../helpers/documents.ts";
import { problemLines } from "../helpers/problems.ts";
import { classify } from "../../src/domain/classification.ts";

function complaints(input: unknown): string[] {
  const checked = checkDocumentInput(input, { today: TODAY, prefix: "document" });
  return problemLines("problems" in checked ? checked.problems : checked.objections);
}

function complaintsOf(type: DocumentType, overrides: Partial<DocumentInput>): string[] {
  return complaints(buildDocument(type, overrides));
}

const NO_AFM = "must be a Greek tax number (ΑΦΜ): 9 digits, without a country prefix";
const LOST_ZERO = "must be a Greek tax number (ΑΦΜ) of 9 digits; a leading zero may have been lost";

test.each([
  ["DE", "123456783", "country: must be GR"],
  ["EL", "123456783", "country: must be GR"],
  ["GR", "123456789", "code: has a wrong check digit"],
  ["GR", "000000000", "code: has a wrong check digit"],
  ["GR", "94012834", `code: ${LOST_ZERO}`],
  ["GR", "EL123456783", `code: ${NO_AFM}`],
  ["GR", "- .", `code: ${NO_AFM}`],
])("the supplier of %s with %j: %s", (country, code, complaint) => {
  const input = changed(buildDocument("11.1"), ["supplier", "tax_id"], { country, code });
  expect(complaints(input)).toEqual([`document.supplier.tax_id.${complaint}`]);
});

describe("the customer", () => {
  const FOREIGN_CODE = "must have 2 to 30 letters and digits, without the country prefix";
  test.each<[keys: Keys, value: unknown, complaint: string]>([
    [["tax_id", "country"], "EL", "customer.tax_id.country: must be GR for Greece"],
    [["tax_id", "country"], "XK", "customer.tax_id.country: must be an ISO 3166-1 country code"],
    [["tax_id", "country"], "UK", "customer.tax_id.country: must be an ISO 3166-1 country code"],
    [["tax_id", "code"], "1", `customer.tax_id.code: ${FOREIGN_CODE}`],
    [["tax_id", "code"], "1".repeat(31), `customer.tax_id.code: ${FOREIGN_CODE}`],
    [["tax_id", "code"], "12_34", `customer.tax_id.code: ${FOREIGN_CODE}`],
    [["tax_id", "code"], "---", `customer.tax_id.code: ${FOREIGN_CODE}`],
    [["name"], undefined, "customer.name: is required for a customer outside Greece"],
    [["address"], undefined, "customer.address: is required for a customer outside Greece"],
  ])("abroad with %j = %j", (keys, value, complaint) => {
    const input = changed(buildDocument("1.1", { customer: CUSTOMERS.eu }), ["customer", ...keys], value);
    expect(complaints(input)).toEqual([`document.${complaint}`]);
  });

  test.each([
    ["094012835", "has a wrong check digit"],
    ["94012834", LOST_ZERO],
    ["EL094012834", NO_AFM],
    ["123 456 783", "must differ from the supplier's"],
  ])("in Greece with %j", (code, complaint) => {
    const customer = { tax_id: { country: "GR", code } };
    expect(complaintsOf("2.1", { customer })).toEqual([`document.customer.tax_id.code: ${complaint}`]);
  });
});

describe("a line", () => {
  const TYPE = "income_classification.type";
  test.each<[line: Partial<LineInput>, complaint: string | undefined]>([
    [{ vat_category: "exempt", vat_exemption: 1 }, undefined],
    [{ vat_category: "exempt", vat_exemption: undefined }, "vat_exemption: is required on an exempt line"],
    [{ vat_category: "standard", vat_exemption: 1 }, "vat_exemption: is allowed on exempt lines only"],
    [{ income_classification: { category: "category1_1", type: "E3_561_001" } }, undefined],
    [{ income_classification: { category: "category1_10" } }, `${TYPE}: is required with category1_10`],
    [{ income_classification: { category: "category1_95" } }, undefined],
    [{ income_classification: { category: "category1_95", type: "E3_596" } }, undefined],
    [{ income_classification: { category: "category1_95", type: "E3_597" } }, undefined],
    [
      { income_classification: { category: "category1_95", type: "E3_561_001" } },
      `${TYPE}: must be absent, E3_596 or E3_597 with category1_95`,
    ],
  ])("with %j", (line, complaint) => {
    const lines = [buildLine(), buildLine(line)];
    expect(complaintsOf("1.1", { lines })).toEqual(
      complaint === undefined ? [] : [`document.lines[1].${complaint}`],
    );
  });
});

test("the totals beyond a document's limits are rejected, even if they add up", () => {
  const beyond = buildLine({ quantity: "10000.001", unit_price: 100_000_000_000, vat_category: "exempt" });
  const totals = { net: 0, vat: 0, gross: 0 };
  expect(complaintsOf("11.1", { lines: [beyond], totals })).toEqual([
    "document.lines[0]: its net amount must be at most 1000000000000000 cents",
    "document.totals.net: the lines add up to more than a document may hold",
    "document.totals.gross: must be 1000000100000000, which is what the lines add up to",
  ]);
  const most = buildLine({ quantity: "10000", unit_price: 100_000_000_000 });
  expect(complaintsOf("11.1", { lines: [most, most], totals })).toEqual([
    "document.totals.net: the lines add up to more than a document may hold",
    "document.totals.vat: must be 480000000000000, which is what the lines add up to",
    "document.totals.gross: the lines add up to more than a document may hold",
  ]);
});

describe("a document with a field of the wrong type", () => {
  const RULE_BREAKING = {
    type: "1.1",
    issue_date: "2026-12-24",
    supplier: { tax_id: { country: "GR", code: "123456789" } },
    customer: { tax_id: { country: "GR", code: "094012835" } },
    original_marks: ["1"],
    lines: [{ ...buildLine(), vat_exemption: 7 }],
    totals: { net: 1, vat: 2, gross: 3 },
  } as const;
  const BROKEN_RULES = complaintsOf("1.1", RULE_BREAKING as unknown as Partial<DocumentInput>);

  test("is also checked for check digits, dates and totals", () => {
    expect(BROKEN_RULES).toHaveLength(8);
    const input = changed(buildDocument("1.1", RULE_BREAKING as never), ["currency"], 978);
    expect(complaints(input)).toEqual(["document.currency: must be EUR", ...BROKEN_RULES]);
  });

  test.each<{ keys: Keys; value: unknown; hides: string[] }>([
    { keys: ["extra"], value: 1, hides: [] },
    { keys: ["lines", 0, "description"], value: 5, hides: [] },
    { keys: ["supplier", "name"], value: 5, hides: [] },
    { keys: ["customer", "tax_id", "extra"], value: "", hides: [] },
    { keys: ["issue_date"], value: 20261224, hides: ["issue_date"] },
    { keys: ["supplier"], value: "123456789", hides: ["supplier"] },
    { keys: ["customer", "tax_id", "code"], value: 94012835, hides: ["customer"] },
    { keys: ["type"], value: 1.1, hides: ["original_marks"] },
    { keys: ["totals", "vat"], value: "2", hides: ["totals.vat"] },
    { keys: ["totals"], value: undefined, hides: ["totals"] },
    { keys: ["lines", 0, "quantity"], value: 1, hides: ["totals"] },
    { keys: ["lines", 0, "vat_category"], value: "24", hides: ["totals", "lines"] },
    { keys: ["lines", 0], value: null, hides: ["totals", "lines"] },
    { keys: ["lines"], value: {}, hides: ["totals", "lines"] },
  ])("$value at $keys hides only the rules that need it", ({ keys, value, hides }) => {
    const rest = BROKEN_RULES.filter((rule) => !hides.some((path) => rule.startsWith(`document.${path}`)));
    const found = complaints(changed(buildDocument("1.1", RULE_BREAKING as never), keys, value));
    expect(found.filter((rule) => rest.includes(rule))).toEqual(rest);
    // The others are about the field itself, or what is missing in it.
    const own = found.filter((rule) => !rest.includes(rule));
    expect(own.length).toBeGreaterThan(0);
    expect(own.every((rule) => rule.startsWith(`document.${String(keys[0])}`))).toBe(true);
  });
});

// docs/contract.md#exemption-causes-that-do-not-fit, docs/authority.md#exemption-causes

/** Where the text of the warning says that the cause belongs; undefined without a warning. */
function warningOf(
  cause: number,
  type: DocumentType,
  market: keyof typeof MARKETS = "greek",
  category?: "category1_1" | "category1_3" | "category1_4",
): string | undefined {
  const line = buildLine({
    vat_category: "exempt",
    vat_exemption: cause,
    ...(category === undefined ? {} : { income_classification: { category, type: "E3_561_007" } }),
  });
  const document = buildParsed(type, {
    lines: [line],
    ...(isRetail(type) ? {} : { customer: MARKETS[market] }),
  });
  const found = classify(document, { overrides: {}, originals: [] }).warnings.filter(({ en }) =>
    en.startsWith(`line 1: exemption cause ${cause} `),
  );
  expect(found.length).toBeLessThanOrEqual(1);
  for (const { el } of found) expect(el).toContain(`γραμμή 1: η αιτία εξαίρεσης ${cause} αφορά`);
  return /is for (.*), but/.exec(found[0]?.en ?? "")?.[1];
}

describe("an exemption cause that does not fit", () => {
  test.each<[number, DocumentType, keyof typeof MARKETS, string | undefined]>([
    [14, "1.1", "greek", "supplies within the EU"],
    [14, "1.1", "abroad", "supplies within the EU"],
    [14, "1.1", "eu", undefined],
    [14, "1.1", "northern", undefined],
    [14, "5.1", "eu", undefined],
    [14, "5.2", "greek", "supplies within the EU"],
    [14, "11.1", "greek", "supplies within the EU"],
    [8, "1.1", "eu", "exports"],
    [8, "1.1", "greek", "exports"],
    [8, "1.1", "abroad", undefined],
    [8, "2.1", "eu", "exports"],
    [8, "2.1", "greek", undefined],
    [8, "2.1", "northern", undefined],
    [8, "5.2", "greek", undefined],
    [8, "5.2", "eu", "exports"],
    [8, "11.1", "greek", undefined],
    [28, "1.1", "eu", "exports"],
    [28, "1.1", "greek", undefined],
    [28, "11.1", "greek", undefined],
    [16, "1.1", "eu", "reverse charge within Greece"],
    [16, "2.1", "abroad", "reverse charge within Greece"],
    [16, "1.1", "greek", undefined],
  ])("cause %i on a %s, customer %s: %s", (cause, type, market, says) => {
    expect(warningOf(cause, type, market)).toBe(says);
  });

  test.each([3, 14, 28])("cause %i for goods on services", (cause) => {
    expect(warningOf(cause, "2.1", "eu")).toBe("goods");
    expect(warningOf(cause, "11.2")).toBe("goods");
  });

  test("a cause for services on lines classified as goods", () => {
    expect(warningOf(4, "1.1", "eu")).toBe("services");
    expect(warningOf(4, "11.1")).toBe("services");
    expect(warningOf(4, "5.2", "abroad", "category1_4")).toBe("services");
    expect(warningOf(4, "2.1", "eu")).toBeUndefined();
    // An invoice of goods may have lines of services.
    expect(warningOf(4, "1.1", "eu", "category1_3")).toBeUndefined();
  });

  test.each([1, 2, 7, 15, 24, 27])("cause %i fits everywhere", (cause) => {
    for (const type of DOCUMENT_TYPES)
      for (const market of ["greek", "eu", "abroad"] as const)
        expect(warningOf(cause, type, market)).toBeUndefined();
  });
});
