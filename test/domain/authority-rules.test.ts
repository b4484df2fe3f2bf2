import { describe, expect, test } from "vitest";
import { findBrokenRules, warningOf } from "../../src/domain/authority-rules.ts";
import { classify, type Pair, sentType } from "../../src/domain/classification.ts";
import { DOCUMENT_TYPES, type DocumentType } from "../../src/domain/document-types.ts";
import {
  buildLine,
  buildParsed,
  CUSTOMERS,
  type DocumentInput,
  isRetail,
  NORTHERN_IRELAND,
} from "../helpers/documents.ts";

const EXEMPT = buildLine({ vat_category: "exempt" });

function find(
  type: DocumentType,
  overrides: Partial<DocumentInput> = {},
  given: { pairs?: Pair[]; creditedTypes?: string[] } = {},
) {
  const document = buildParsed(type, overrides);
  const { lines } = classify(document, { overrides: {}, originals: [] });
  return findBrokenRules({
    document,
    sentType: sentType(document),
    pairs: given.pairs ?? lines,
    creditedTypes: given.creditedTypes ?? [],
  });
}

const found = (...args: Parameters<typeof find>) =>
  find(...args).map(({ code, message }) => `${code} ${message.en}`);

describe("an ordinary document breaks no rule:", () => {
  const cases = DOCUMENT_TYPES.flatMap((type) =>
    (isRetail(type) ? (["greek"] as const) : (["greek", "eu", "abroad"] as const)).map(
      (market) => [type, market] as const,
    ),
  );
  test.each(cases)("%s, %s", (type, market) => {
    const customer = isRetail(type) ? {} : { customer: CUSTOMERS[market] };
    expect(found(type, { ...customer, lines: [market === "greek" ? buildLine() : EXEMPT] })).toEqual([]);
  });
});

describe("VAT abroad (docs/authority.md#line-vat)", () => {
  const TEXT = "215 customer: abroad, but lines carry VAT instead of an exemption and its cause";
  test.each<[DocumentType, keyof typeof CUSTOMERS, "standard" | "exempt", isBroken: boolean]>([
    ["1.1", "eu", "standard", true],
    ["1.1", "abroad", "standard", true],
    ["2.1", "eu", "standard", true],
    ["2.1", "abroad", "standard", true],
    ["1.1", "eu", "exempt", false],
    ["1.1", "greek", "standard", false],
    ["5.2", "eu", "standard", false],
  ])("%s, customer %s, %s", (type, market, category, isBroken) => {
    const lines = [buildLine({ vat_category: category }), EXEMPT];
    expect(found(type, { lines, customer: CUSTOMERS[market] })).toEqual(isBroken ? [TEXT] : []);
  });
});

test("Northern Ireland is rejected for goods only (docs/authority.md#counterpart-country)", () => {
  const document = { customer: NORTHERN_IRELAND, lines: [EXEMPT] };
  expect(found("1.1", document)).toEqual([expect.stringMatching(/^243 customer: .* GB/)]);
  expect(found("2.1", document)).toEqual([]);
});

test("every line without an amount is named (docs/authority.md#zero-lines)", () => {
  const lines = [
    buildLine(),
    buildLine({ unit_price: 0 }),
    buildLine({ quantity: "0.001", unit_price: 400 }),
  ];
  expect(found("11.1", { lines })).toEqual([
    "222 line 2: the net amount is 0",
    "222 line 3: the net amount is 0",
  ]);
});

describe("a pair outside the matrix (docs/authority.md#matrix-codes)", () => {
  const pair = (category: string, type: string | null): Pair => ({
    category: `category${category}`,
    type: type === null ? null : `E3_${type}`,
  });

  const GOODS_WITH = "313 line 1: category1_1 with E3_561_";

  test.each<[DocumentType, keyof typeof CUSTOMERS | "none", Pair, problem: string]>([
    ["1.1", "greek", pair("1_1", "880_001"), "307 line 1: E3_880_001 does not go with category1_1"],
    ["1.1", "greek", pair("1_10", "561_001"), "308 line 1: category1_10 is not allowed for type 1.1"],
    ["1.1", "greek", pair("1_6", "595"), "308 line 1: category1_6 is not allowed for type 1.1"],
    ["2.1", "greek", pair("1_1", "561_001"), "308 line 1: category1_1 is not allowed for type 2.1"],
    ["11.2", "none", pair("1_2", "561_003"), "308 line 1: category1_2 is not allowed for type 11.2"],
    ["1.1", "greek", pair("1_1", "561_003"), `${GOODS_WITH}003 is not allowed for type 1.1`],
    ["1.1", "eu", pair("1_1", "561_001"), `${GOODS_WITH}001 is not allowed for type 1.2`],
    ["11.1", "none", pair("1_1", "561_001"), `${GOODS_WITH}001 is not allowed for type 11.1`],
    ["1.1", "greek", pair("1_1", "598_001"), "331 line 1: no document type may have E3_598_001"],
  ])("on %s, customer %s, %j", (type, market, wrong, problem) => {
    const customer = market === "none" ? {} : { customer: CUSTOMERS[market] };
    expect(found(type, { ...customer, lines: [EXEMPT] }, { pairs: [wrong] })).toEqual([problem]);
  });

  test.each<[creditedTypes: string[], problems: string[]]>([
    [[], []],
    [["1.1"], []],
    [["2.1", "1.1"], []],
    [["2.1"], ["308 line 1: category1_1 is not allowed for a credit note about type 2.1"]],
    [["1.2", "1.2"], [`${GOODS_WITH}001 is not allowed for a credit note about type 1.2`]],
  ])("on a 5.1 follows the types of the credited documents: %j", (creditedTypes, problems) => {
    expect(found("5.1", {}, { pairs: [pair("1_1", "561_001")], creditedTypes })).toEqual(problems);
  });
});

test("a warning says who rejects the document, with the code", () => {
  const [finding] = find("11.1", { lines: [buildLine({ unit_price: 0 })] });
  expect(warningOf(finding!, "authority")).toEqual({
    en: "line 1: the net amount is 0; the authority would reject the document (222)",
    el: "γραμμή 1: η καθαρή αξία είναι 0· η ΑΑΔΕ θα απέρριπτε το παραστατικό (222)",
  });
  expect(warningOf(finding!, "strict sandbox")).toEqual({
    en: "line 1: the net amount is 0; the sandbox rejects the document, as the authority would (222)",
    el: "γραμμή 1: η καθαρή αξία είναι 0· το sandbox απορρίπτει το παραστατικό, όπως θα έκανε η ΑΑΔΕ (222)",
  });
});
