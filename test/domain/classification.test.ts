import { describe, expect, test } from "vitest";
import { findPairMisfit } from "../../src/domain/classification-matrix.ts";
import {
  type ClassificationOptions,
  type ClassifiedDocument,
  classify,
  describeReason,
  type OriginalDocument,
  type Pair,
  sentType,
} from "../../src/domain/classification.ts";
import { INCOME_CATEGORY_WORDS, INCOME_TYPE_WORDS } from "../../src/domain/document-codes.ts";
import { type DocumentType } from "../../src/domain/document-types.ts";
import { wireWarnings } from "../../src/foundation/stored-texts.ts";
import { english } from "../helpers/problems.ts";
import { buildLine, buildParsed, type DocumentInput, MARKETS } from "../helpers/documents.ts";

function pair(category: string, type: string | null): Pair {
  return { category: `category${category}`, type: type === null ? null : `E3_${type}` };
}

test.each(["en", "el"] as const)(
  "no two categories or types of income have the same name: %s",
  (language) => {
    for (const words of [INCOME_CATEGORY_WORDS, INCOME_TYPE_WORDS]) {
      const names = Object.values(words).map((text) => text[language]);
      expect(new Set(names).size).toBe(names.length);
    }
  },
);

function classified(
  type: DocumentType,
  overrides: Partial<DocumentInput> = {},
  options: Partial<ClassificationOptions> = {},
): Omit<ClassifiedDocument, "warnings"> & { warnings: string[] } {
  const found = classify(buildParsed(type, overrides), { overrides: {}, originals: [], ...options });
  return { ...found, warnings: wireWarnings(found.warnings) };
}

/** One line without VAT, as the authority expects abroad, and a payment, so that there are no other warnings. */
function quiet(lines = [buildLine({ vat_category: "exempt" })]): Partial<DocumentInput> {
  const gross = 833 * lines.length;
  return { lines, payments: [{ method: "cash", amount: gross }] };
}

test.each<[DocumentType, keyof typeof MARKETS | "none", sent: string, category: string, type: string]>([
  ["1.1", "greek", "1.1", "1_1", "561_001"],
  ["1.1", "eu", "1.2", "1_1", "561_005"],
  ["1.1", "northern", "1.2", "1_1", "561_005"],
  ["1.1", "abroad", "1.3", "1_1", "561_006"],
  ["2.1", "greek", "2.1", "1_3", "561_001"],
  ["2.1", "eu", "2.2", "1_3", "561_005"],
  ["2.1", "northern", "2.3", "1_3", "561_006"],
  ["2.1", "abroad", "2.3", "1_3", "561_006"],
  ["5.1", "greek", "5.1", "1_1", "561_001"],
  ["5.1", "eu", "5.1", "1_1", "561_005"],
  ["5.1", "abroad", "5.1", "1_1", "561_006"],
  ["5.2", "greek", "5.2", "1_1", "561_001"],
  ["5.2", "eu", "5.2", "1_1", "561_005"],
  ["5.2", "abroad", "5.2", "1_1", "561_006"],
  ["11.1", "none", "11.1", "1_1", "561_003"],
  ["11.2", "none", "11.2", "1_3", "561_003"],
])(
  "the sent type and the default pair of %s, customer %s: %s",
  (type, market, sent, category, defaultType) => {
    const overrides = market === "none" ? quiet() : { ...quiet(), customer: MARKETS[market] };
    expect(sentType(buildParsed(type, overrides))).toBe(sent);
    const expected = pair(category, defaultType);
    expect(classified(type, overrides)).toMatchObject({
      source: "default",
      lines: [expected],
      // The authority's own matrix allows every default, so there are no other warnings.
      warnings: [`line 1: took the default classification ${expected.category} with ${expected.type}`],
    });
  },
);

test("a category that needs no type has none", () => {
  const bare = buildLine({ income_classification: { category: "category1_95" } });
  const lines = [bare, buildLine()];
  const overrides = { "1.1": { category: "category1_95" } };
  const found = classified("1.1", { lines }, { overrides });
  expect(found.lines).toEqual([pair("1_95", null), pair("1_95", null)]);
});

describe("the reason of each line", () => {
  const own = { category: "category1_2", type: "E3_561_007" } as const;
  const given = buildLine({ vat_category: "exempt", income_classification: own });
  const bare = buildLine({ vat_category: "exempt" });
  const reasonsOf = (type: DocumentType, overrides: Partial<DocumentInput>, options = {}) =>
    classified(type, overrides, options).reasons.map((reason) => english(describeReason(reason, type)));

  test.each<[keyof typeof MARKETS, string]>([
    ["greek", "default for 1.1 to a customer in Greece"],
    ["eu", "default for 1.1 to another EU country"],
    ["northern", "default for 1.1 to another EU country"],
    ["abroad", "default for 1.1 outside the EU"],
  ])("of a default, customer %s: %s", (market, reason) => {
    const document = { ...quiet([given, bare]), customer: MARKETS[market] };
    expect(reasonsOf("1.1", document)).toEqual(["given", reason]);
  });

  test("for retail has no market", () => {
    expect(reasonsOf("11.1", quiet())).toEqual(["default for 11.1"]);
  });

  test("names the settings and the original", () => {
    const overrides = { "5.1": own };
    expect(reasonsOf("5.1", quiet(), { overrides })).toEqual(["merchant's settings"]);
    const originals = [{ mark: "400001234567890", pairs: [pair("1_3", "561_001")] }];
    expect(reasonsOf("5.1", quiet(), { originals })).toEqual(["from the original"]);
  });
});

describe("a 5.1 takes the pairs of the document that it credits", () => {
  const [goods, services, assets] = [pair("1_1", "561_001"), pair("1_3", "561_001"), pair("1_4", "880_001")];
  const mark = "400001234567890";
  const original = (...pairs: Pair[]): OriginalDocument => ({ mark, pairs });
  const lines = [buildLine({ vat_category: "exempt" }), buildLine({ vat_category: "exempt" })];

  test.each<[name: string, originals: OriginalDocument[], lines: Pair[]]>([
    ["the one of all its lines", [original(services)], [services, services]],
    ["line by line where they differ", [original(services, assets)], [services, assets]],
    ["the one that several share", [original(services), original(services, services)], [services, services]],
    ["the default where several differ", [original(services), original(goods)], [goods, goods]],
    ["the default where none is known", [], [goods, goods]],
  ])("%s", (_name, originals, pairs) => {
    const found = classified("5.1", quiet(lines), { originals });
    expect(found).toMatchObject({ source: "default", lines: pairs });
    const from =
      originals.length === 0 || pairs[0] === goods ? "default classification" : "original's classification";
    expect(found.warnings[0]).toContain(`line 1: took the ${from}`);
  });

  test("unless the merchant or the line sets another", () => {
    const own = buildLine({
      vat_category: "exempt",
      income_classification: { category: "category1_2", type: "E3_561_002" },
    });
    const options = { originals: [original(services)], overrides: { "5.1": assets } };
    const found = classified("5.1", quiet([own, lines[0]!]), options);
    expect(found).toMatchObject({
      source: "override",
      lines: [pair("1_2", "561_002"), assets],
      warnings: [],
    });
  });
});

describe("the authority's matrix", () => {
  const isAllowed = (sent: string, category: string, type: string | null) =>
    findPairMisfit([sent], category, type) === undefined;

  /** docs/authority.md#classification-matrix, one row each, with the cells of categories 1_1 to 1_7 and 1_95. */
  test.each<[sent: string, category: string, allowed: string, refused: string]>([
    ["1.1", "1_3", "561_001 561_002 561_007 563", "561_003 561_005 562"],
    ["1.1", "1_5", "561_002 561_007 562 563 564 565 566 567 568 570", "561_001 595"],
    ["1.1", "1_6", "", "595"],
    ["1.1", "1_8", "561_001 880_001 881_004 570", "561_003 596"],
    ["1.1", "1_95", "- 596 597", "561_001"],
    ["1.2", "1_1", "561_005 561_007", "561_001 561_006"],
    ["1.2", "1_4", "880_003", "880_001 880_004"],
    ["1.3", "1_7", "881_004", "881_001"],
    ["2.1", "1_3", "561_001 561_002 561_007 563", "561_003"],
    ["2.1", "1_7", "", "881_001"],
    ["2.2", "1_5", "561_005 561_007 562 570", "563"],
    ["2.3", "1_3", "561_006 561_007 563", "561_005"],
    ["2.3", "1_95", "-", "596"],
    ["5.1", "1_1", "561_001 561_005 561_006", "561_003"],
    ["5.2", "1_4", "880_001 880_003 880_004", "880_002"],
    ["5.2", "1_5", "561_002 561_005 561_006 562 570", "561_001"],
    ["11.1", "1_1", "561_003 561_004 561_007", "561_001 561_002"],
    ["11.1", "1_4", "880_002 561_007", "880_001"],
    ["11.1", "1_6", "595", "596"],
    ["11.2", "1_3", "561_003 561_005 563", "561_001 561_004"],
    ["11.2", "1_95", "-", "596"],
  ])("the row of %s under %s", (sent, category, allowed, refused) => {
    const verdicts = (types: string) =>
      types
        .split(" ")
        .filter(Boolean)
        .map((type) => isAllowed(sent, `category${category}`, type === "-" ? null : `E3_${type}`));
    expect(verdicts(allowed)).not.toContain(false);
    expect(verdicts(refused)).not.toContain(true);
  });

  test("E3_561_001 is never for retail and E3_561_003 never for invoices", () => {
    const categories = Array.from({ length: 10 }, (_, index) => `category1_${index + 1}`);
    for (const category of categories) {
      for (const type of ["11.1", "11.2"]) expect(isAllowed(type, category, "E3_561_001")).toBe(false);
      for (const type of ["1.1", "1.2", "1.3", "2.1", "2.2", "2.3", "5.1", "5.2"])
        expect(isAllowed(type, category, "E3_561_003")).toBe(false);
    }
  });
});
