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

const OTHER_CUSTOMER = soldTo({ country: "GR", code: "099877660" });
const SAME_CODE = soldTo({ country: "CY", code: CUSTOMERS.greek.tax_id.code });
const TOO_MUCH =
  "totals: this and earlier credit notes come to 8.33 euros net, more than the 8.32 of the originals";

test.each<[name: string, changes: Partial<CreditedDocument>, problem?: string]>([
  ["that is credited in full", {}],
  ["that is cancelled", { isCancelled: true }, "104 : is cancelled"],
  ["of another tax number", { supplier: "094012834" }, "301 : was issued by another tax number"],
  ["of another customer", { contents: OTHER_CUSTOMER }, "318 : has another customer"],
  ["of a customer with the code in another country", { contents: SAME_CODE }, "318 : has another customer"],
  ["sent as 1.2", { sentType: "1.2" }],
  ["sent as 2.3", { sentType: "2.3" }],
  ["that is a 5.1", { sentType: "5.1" }, "320 : is itself a credit note"],
  ["that is a 5.2", { sentType: "5.2" }, "320 : is itself a credit note"],
  ["that is a receipt", { sentType: "11.1" }, "322 : is of type 11.1, which no 5.1 can credit"],
  ["that is worth less", { net: 832 }, `319 ${TOO_MUCH}`],
  ["that is cancelled and worth less", { isCancelled: true, net: 1 }, "104 : is cancelled"],
])("one original %s", (_name, changes, problem) => {
  const expected = problem === undefined ? [] : [problem.replace(" :", ` original ${A}:`)];
  expect(found(credit({ originals: [original(changes)] }))).toEqual(expected);
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
  const one = [original({ net: 1000 })];
  const two = [original({ net: 400 }), original({ mark: B, net: 433 })];
  test.each<[name: string, originals: CreditedDocument[], otherCredits: OtherCredit[], excess: boolean]>([
    ["of one original", one, [other(167, A)], false],
    ["of one original, a cent too much", one, [other(168, A)], true],
    ["of two originals", two, [], false],
    ["of two originals, a cent too much", two, [other(1, B)], true],
    ["leaves out what another note may have credited elsewhere", one, [other(667, A, C)], false],
    ["counts what it cannot have", one, [other(668, A, C)], true],
    ["leaves out notes about an unknown document", one, [other(5000, A, "400000000000009")], false],
  ])("%s", (_name, originals, otherCredits, excess) => {
    const findings = checkCredit(credit({ originals, otherCredits, netOf: (mark) => nets.get(mark) }));
    expect(findings.map(({ code }) => code)).toEqual(excess ? ["319"] : []);
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
