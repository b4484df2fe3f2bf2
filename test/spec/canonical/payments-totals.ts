// docs/contract.md#payments
// docs/contract.md#totals
// docs/contract.md#limits: Payments per document; Payment amount; Totals net, vat; Total gross
import { describe, expect, test } from "vitest";
import { buildDocument, buildLine, changed, sales, useCanonical } from "../helpers/canonical.ts";
import type { Json } from "../helpers/bench.ts";

const { server, preview, expectTaken, expectIssued, expectRefused } = useCanonical();
const GROSS = 1033;
const GROSS_MAX = 1_250_000_000_000_000;
const NET_MAX = 1_000_000_000_000_000;

const paid = (...payments: unknown[]) => changed(sales(), ["payments"], payments);
const cash = (amount: unknown) => ({ method: "cash", amount });

async function sentPayments(document: unknown): Promise<Json[]> {
  const { payload } = await expectTaken(document);
  return payload.InvoicesDoc.invoice[0].paymentMethods.paymentMethodDetails;
}

describe("Canonical document: Payment", () => {
  test.each([
    ["domestic_account", "1"],
    ["foreign_account", "2"],
    ["cash", "3"],
    ["cheque", "4"],
    ["on_credit", "5"],
    ["web_banking", "6"],
    ["pos", "7"],
    ["iris", "8"],
  ])("method: %s is the authority's %s", async (method, code) => {
    expect(await sentPayments(paid({ method, amount: GROSS }))).toMatchObject([
      { type: code, amount: "10.33" },
    ]);
  });

  test.each([
    ["method: required, and no other value is accepted", ["card", "Cash", "", 3, undefined]],
    ["amount: 0 to 1250000000000000 cents, required", [-1, GROSS_MAX + 1, 10.5, "1033", undefined]],
  ])("%s", async (rule, refused) => {
    await expectTaken(paid(cash(0), cash(GROSS)));
    const [name = ""] = rule.split(":");
    for (const value of refused)
      await expectRefused(paid({ ...cash(GROSS), [name]: value }), ["payments", 0, name]);
  });

  test("1 to 10 of them", async () => {
    const parts = (count: number) => [
      ...Array.from({ length: count - 1 }, () => cash(1)),
      cash(GROSS - count + 1),
    ];
    expect(await sentPayments(paid(...parts(10)))).toHaveLength(10);
    for (const payments of [parts(11), []]) await expectRefused(paid(...payments), ["payments"]);
  });

  test("they must add up to gross, of which the plain sandbox only warns", async () => {
    await expectTaken(paid(cash(1000), { method: "pos", amount: 33 }));
    for (const amount of [0, GROSS - 1, GROSS + 1, GROSS_MAX]) {
      const { classification } = await expectIssued(paid(cash(amount)));
      expect(classification.warnings).toContain(
        `document.payments: must add up to the gross total, ${GROSS}`,
      );
      await expectRefused(paid(cash(amount)), ["payments"], server.liveKey);
    }
  });

  test.each([
    ["1.1", "5"],
    ["11.1", "3"],
  ] as const)("if left out of a %s, one of the whole gross is assumed, silently", async (type, code) => {
    const document = buildDocument(type);
    expect(await sentPayments(document)).toMatchObject([{ type: code, amount: "10.33" }]);
    expect((await expectTaken(document)).classification.warnings.join()).not.toContain("payments");
  });
});

describe("Canonical document: Totals", () => {
  test.each([
    ["net", NET_MAX],
    ["vat", NET_MAX],
    ["gross", GROSS_MAX],
  ] as const)("%s: required, an integer that is not negative, at most %i", async (name, maximum) => {
    const total = (value: unknown) => changed(sales(), ["totals", name], value);
    for (const value of [undefined, null, -1, 8.5, "833"])
      await expectRefused(total(value), ["totals", name]);
    // At the limit the number itself is valid, only the sum is wrong.
    expect((await preview(total(maximum))).body.message).toMatch(
      new RegExp(`totals\\.${name}: must be \\d+, which`),
    );
    expect((await preview(total(maximum + 1))).body.message).toContain(
      `totals.${name}: must be at most ${maximum}`,
    );
  });

  test("the largest document is accepted: net and gross at their limits, to the cent", async () => {
    const lines = [buildLine({ quantity: "10000", unit_price: 100_000_000_000 })];
    const totals = { net: NET_MAX, vat: 240_000_000_000_000, gross: 1_240_000_000_000_000 };
    expect(await expectIssued(buildDocument("1.1", { lines, totals }))).toMatchObject(totals);
    const more = [...lines, buildLine({ quantity: "1", unit_price: 1 })];
    await expectRefused(buildDocument("1.1", { lines: more, totals }), ["totals", "net"]);
  });
});
