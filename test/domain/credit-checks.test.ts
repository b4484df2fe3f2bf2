// docs/contract.md#credit-checks
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkCredit,
  type Credit,
  type CreditedDocument,
  type OtherCredit,
} from "../../src/domain/credit-checks.ts";
import { buildParsed, CUSTOMERS, SUPPLIER } from "../helpers/documents.ts";

const [A, B, C] = ["400000000000001", "400000000000002", "400000000000003"] as const;

function original(changes: Partial<CreditedDocument> = {}): CreditedDocument {
  const contents = buildParsed("1.1");
  const content = { supplier: SUPPLIER, contents, sentType: "1.1", net: 833, isCancelled: false };
  return { mark: A, ...content, ...changes };
}

const soldTo = (tax_id: { country: string; code: string }) => ({ customer: { tax_id, branch: 0 } });

/** A 5.1 of 8.33 about one original of 8.33. */
function credit(changes: Partial<Credit> = {}): Credit {
  return {
    document: buildParsed("5.1"),
    originals: [original()],
    unknownMarks: [],
    knowsEveryMark: false,
    otherCredits: [],
    netOf: () => undefined,
    ...changes,
  };
}

const other = (net: number, ...originalMarks: string[]): OtherCredit => ({ id: "other", net, originalMarks });
const found = (given: Credit) => checkCredit(given).map(({ code, message }) => `${code} ${message.en}`);

test("an 11.4 credits receipts and no invoices", () => {
  const document = buildParsed("11.4");
  const problemsWith = (sentType: string) =>
    found(credit({ document, originals: [original({ sentType, contents: buildParsed("11.1") })] }));
  expect(problemsWith("11.1")).toEqual([]);
  expect(problemsWith("11.2")).toEqual([]);
  expect(problemsWith("1.1")).toEqual([`322 original ${A}: is of type 1.1, which no 11.4 can credit`]);
  expect(problemsWith("11.4")).toEqual([`320 original ${A}: is itself a credit note`]);
});

test.each<[name: string, changes: Partial<CreditedDocument>, problems: string[]]>([
  ["that is credited in full", {}, []],
  ["that is cancelled", { isCancelled: true }, [`104 original ${A}: is cancelled`]],
  [
    "of another tax number",
    { supplier: "094012834" },
    [`301 original ${A}: was issued by another tax number`],
  ],
  [
    "of another customer",
    { contents: soldTo({ country: "GR", code: "099877660" }) },
    [`318 original ${A}: has another customer`],
  ],
  [
    "of a customer with the same code in another country",
    { contents: soldTo({ country: "CY", code: CUSTOMERS.greek.tax_id.code }) },
    [`318 original ${A}: has another customer`],
  ],
  ["sent as 1.2", { sentType: "1.2" }, []],
  ["sent as 2.3", { sentType: "2.3" }, []],
  ["that is a 5.1", { sentType: "5.1" }, [`320 original ${A}: is itself a credit note`]],
  ["that is a 5.2", { sentType: "5.2" }, [`320 original ${A}: is itself a credit note`]],
  [
    "that is a receipt",
    { sentType: "11.1", contents: buildParsed("11.1") },
    [`322 original ${A}: is of type 11.1, which no 5.1 can credit`],
  ],
  [
    "that is worth less",
    { net: 832 },
    ["319 totals: this and earlier credit notes come to 8.33 euros net, more than the 8.32 of the originals"],
  ],
  ["that is cancelled and worth less", { isCancelled: true, net: 1 }, [`104 original ${A}: is cancelled`]],
])("one original %s", (_name, changes, problems) => {
  expect(found(credit({ originals: [original(changes)] }))).toEqual(problems);
});

describe("unknown originals", () => {
  test("are not checked, and neither is the sum", () => {
    expect(found(credit({ originals: [original({ net: 1 })], unknownMarks: [B] }))).toEqual([]);
  });

  test("are rejected where every MARK is known", () => {
    expect(found(credit({ originals: [], unknownMarks: [A, B], knowsEveryMark: true }))).toEqual([
      `104 original ${A}: no document has this MARK`,
      `104 original ${B}: no document has this MARK`,
    ]);
  });
});

describe("the sum of all credits", () => {
  const nets = new Map<string, number>([[C, 500]]);
  test.each<[name: string, originals: CreditedDocument[], otherCredits: OtherCredit[], excess: boolean]>([
    ["of one original", [original({ net: 1000 })], [other(167, A)], false],
    ["of one original, a cent too much", [original({ net: 1000 })], [other(168, A)], true],
    ["of two originals", [original({ net: 400 }), original({ mark: B, net: 433 })], [], false],
    [
      "of two originals, a cent too much",
      [original({ net: 400 }), original({ mark: B, net: 433 })],
      [other(1, B)],
      true,
    ],
    [
      "leaves out what another credit note may have credited elsewhere",
      [original({ net: 1000 })],
      [other(667, A, C)],
      false,
    ],
    ["counts what it cannot have", [original({ net: 1000 })], [other(668, A, C)], true],
    [
      "leaves out credit notes about an unknown document",
      [original({ net: 1000 })],
      [other(5000, A, "400000000000009")],
      false,
    ],
  ])("%s", (_name, originals, otherCredits, excess) => {
    const codes = checkCredit(credit({ originals, otherCredits, netOf: (mark) => nets.get(mark) })).map(
      ({ code }) => code,
    );
    expect(codes).toEqual(excess ? ["319"] : []);
  });

  test("of one original exceeds its net exactly when the amounts do", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000)), fc.nat(10_000), (amounts, net) => {
        const otherCredits = amounts.map((amount, index) => ({ ...other(amount, A), id: String(index) }));
        const sum = amounts.reduce((total, amount) => total + amount, 833);
        const findings = checkCredit(credit({ originals: [original({ net })], otherCredits }));
        expect(findings.length > 0).toBe(sum > net);
      }),
    );
  });
});
