// docs/contract.md#exemption-causes-that-do-not-fit, docs/authority.md#exemption-causes
import { describe, expect, test } from "vitest";
import { DOCUMENT_TYPES, type DocumentType } from "../../src/domain/canonical-document.ts";
import { classify } from "../../src/domain/classification.ts";
import { buildLine, buildParsed, CUSTOMERS, isRetail } from "../helpers/documents.ts";

const NORTHERN_IRELAND = { ...CUSTOMERS.eu, tax_id: { country: "XI", code: "123456789" } };
const MARKETS = { ...CUSTOMERS, northern: NORTHERN_IRELAND };

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
