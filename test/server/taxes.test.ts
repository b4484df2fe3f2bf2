/** Taxes besides VAT through the API: docs/contract.md#taxes. */
// docs/contract.md#canonical-document: taxes; notes; due_date; delivery_date
import { expect, test } from "vitest";
import { buildDocument, buildLine, TODAY } from "../helpers/documents.ts";
import { openServer, expectError } from "../helpers/http.ts";
import { forAllTests } from "../helpers/set-up.ts";

const server = forAllTests(openServer);
const strict = forAllTests(() => openServer({ env: { FISCAL_SANDBOX__STRICT: "true" } }));

const LINES = [buildLine({ quantity: "3", unit_price: 33_333 }), buildLine({ quantity: "1", unit_price: 1 })];
/** 1000.00 net, 240.00 VAT. */
const TAXES = [
  { kind: "withheld" as const, category: 3, base: 100_000, amount: 20_000 },
  { kind: "fees" as const, category: 2, amount: 1001 },
  { kind: "deductions" as const, amount: 7 },
];
const PAYABLE = 124_000 - 20_000 + 1001 - 7;

const build = (taxes: (typeof TAXES)[number][]) => buildDocument("2.1", { lines: LINES, taxes });

const contentsOf = async (id: string) => (await server.read(`/api/v1/documents/${id}/contents`)).document;

test("a preview shows what the authority receives", async () => {
  const { body } = await server.post("/api/v1/documents/preview?provider=registry_direct", build(TAXES));
  expect(body.data.totals).toEqual({ net: 100_000, vat: 24_000, gross: 124_000 });
  const [invoice] = body.data.payload.InvoicesDoc.invoice;
  expect(Object.keys(invoice)).toEqual(
    "issuer counterpart invoiceHeader paymentMethods invoiceDetails taxesTotals invoiceSummary".split(" "),
  );
  expect(invoice.taxesTotals).toEqual({
    taxes: [
      { taxType: "1", taxCategory: "3", underlyingValue: "1000.00", taxAmount: "200.00" },
      { taxType: "2", taxCategory: "2", taxAmount: "10.01" },
      { taxType: "5", taxAmount: "0.07" },
    ],
  });
  expect(invoice.invoiceSummary).toMatchObject({
    totalNetValue: "1000.00",
    totalVatAmount: "240.00",
    totalWithheldAmount: "200.00",
    totalFeesAmount: "10.01",
    totalStampDutyAmount: "0.00",
    totalOtherTaxesAmount: "0.00",
    totalDeductionsAmount: "0.07",
    totalGrossValue: "1049.94",
  });
  expect(invoice.paymentMethods.paymentMethodDetails).toEqual([{ type: "5", amount: "1049.94" }]);
});

test("the contents keep them, and credits divide them", async () => {
  const original = await server.issued({ document: build(TAXES) });
  expect(original).toMatchObject({ status: "issued", gross: 124_000 });
  expect((await contentsOf(original.id)).taxes).toEqual(TAXES);
  const credit = async (lines?: object[]) => {
    const { body } = await server.post(`/api/v1/documents/${original.id}/credit`, lines && { lines });
    await server.settle();
    return contentsOf(body.data.id);
  };
  const first = await credit([{ line: 1, quantity: "1" }]);
  expect(first.taxes).toEqual([
    { kind: "withheld", category: 3, base: 33_333, amount: 6667 },
    { kind: "fees", category: 2, amount: 334 },
    { kind: "deductions", amount: 2 },
  ]);
  const rest = await credit();
  expect(rest.taxes).toEqual([
    { kind: "withheld", category: 3, base: 66_667, amount: 13_333 },
    { kind: "fees", category: 2, amount: 667 },
    { kind: "deductions", amount: 5 },
  ]);
});

test("a credit note with more taxes than its original has left gets a warning", async () => {
  const { mark } = await server.issued({ document: build(TAXES) });
  const lines = [buildLine({ quantity: "1", unit_price: 33_333 })];
  const warningsOf = async (amount: number) => {
    const taxes = [{ kind: "withheld" as const, category: 3, amount }];
    const credit = buildDocument("5.1", { lines, taxes, original_marks: [mark] });
    return (await server.issued({ document: credit })).classification.warnings.filter((text: string) =>
      text.startsWith("taxes:"),
    );
  };
  expect(await warningsOf(15_000)).toEqual([]);
  expect(await warningsOf(5001)).toEqual([
    "taxes: Withheld tax 20%: this and earlier credit notes come to 200.01 euros, more than the 200.00 of the originals",
  ]);
});

test("a price with VAT that its line does not come to gets a warning", async () => {
  const warningsOf = async (...lines: [quantity: string, net: number, gross?: number][]) => {
    const built = lines.map(([quantity, unit_price, unit_price_gross]) =>
      buildLine({ quantity, unit_price, ...(unit_price_gross === undefined ? {} : { unit_price_gross }) }),
    );
    const { body } = await server.post("/api/v1/documents/preview", buildDocument("11.1", { lines: built }));
    return body.data.classification.warnings.filter((text: string) => text.includes("unit_price_gross"));
  };
  expect(await warningsOf(["2", 200, 250])).toEqual([
    "line 1: unit_price_gross comes to 5.00 euros for the quantity, but the line to 4.96 with VAT, which the paper shows",
  ]);
  expect(await warningsOf(["1", 202, 250], ["1", 202, 250], ["1", 100])).toEqual([]);
});

test("notes and days stay with the contents and are not sent to the authority", async () => {
  const more = { notes: "Γραμμή 1\nΓραμμή 2", due_date: "2026-12-31", delivery_date: "2026-11-01" };
  const document = { ...build(TAXES), ...more };
  const { body } = await server.post("/api/v1/documents/preview?provider=registry_direct", document);
  expect(JSON.stringify(body.data.payload)).not.toMatch(/Γραμμή|2026-12-31|2026-11-01/);
  expect(await contentsOf((await server.issued({ document })).id)).toMatchObject(more);
  const wrong = { notes: "x".repeat(1001), due_date: "31/12/2026", delivery_date: "2026-02-30" };
  const refused = await server.post("/api/v1/documents/preview", { ...document, ...wrong });
  expect(refused.body.message).toBe(
    "notes: must have 1 to 1000 characters; due_date: must be a calendar date, YYYY-MM-DD; delivery_date: must be a calendar date, YYYY-MM-DD",
  );
});

test("payments are of what is payable, in the plain sandbox with a warning otherwise", async () => {
  const paid = (amount: number) => ({ ...build(TAXES), payments: [{ method: "web_banking", amount }] });
  const warningsOf = async (amount: number) =>
    (await server.issued({ document: paid(amount) })).classification.warnings.filter((text: string) =>
      text.includes("payments"),
    );
  expect(await warningsOf(PAYABLE)).toEqual([]);
  expect(await warningsOf(124_000)).toEqual([
    `document.payments: must add up to what is payable with the taxes, ${PAYABLE}`,
  ]);
});

test("Wrapp gets one withheld tax, shared among the lines, and no others", async () => {
  const preview = (taxes: object[]) =>
    server.post("/api/v1/documents/preview?provider=provider_a", {
      ...build(taxes as typeof TAXES),
      issue_date: TODAY,
    });
  const { body } = await preview(TAXES.slice(0, 1));
  expect(body.data.payload).toMatchObject({
    total_amount: 1240,
    payable_total_amount: 1040,
    withholding_total_amount: 200,
    invoice_lines: [
      { withhold_tax_rate: 20, withhold_tax_code: "3", withholding_total: 200 },
      { withhold_tax_rate: 20, withhold_tax_code: "3", withholding_total: 0 },
    ],
  });
  expect(body.data.classification.warnings).toContainEqual(expect.stringContaining("check at Wrapp"));
  const noRate = { kind: "withheld", category: 11, amount: 5 };
  const ofPart = { kind: "withheld", category: 3, base: 50_000, amount: 10_000 };
  for (const taxes of [TAXES, TAXES.slice(1, 2), [noRate], [ofPart]]) {
    expectError(await preview(taxes), 422, "not_supported", "issue this document in its own application");
  }
});

test("a strict sandbox rejects a tax above its base, as the authority does", async () => {
  const taxes = [{ kind: "withheld" as const, category: 11, base: 5000, amount: 5001 }];
  expect(await strict.issued({ document: build(taxes as typeof TAXES) })).toMatchObject({
    status: "rejected",
    error: { provider_code: "240" },
    classification: {
      warnings: expect.arrayContaining([
        "taxes: an amount is greater than its base; the sandbox rejects the document, as the authority would (240)",
      ]),
    },
  });
});
