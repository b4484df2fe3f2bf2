/** Documents through the licensed provider, from acceptance to MARK or refusal, against the fake of it. */
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cancelDocument } from "../../src/documents/cancel.ts";
import { DOCUMENT_TYPES } from "../../src/domain/canonical-document.ts";
import { listEvents } from "../../src/journal/list-events.ts";
import { CUSTOMERS, type DocumentInput } from "../helpers/documents.ts";
import {
  CAUSE,
  CUSTOMER_CODE,
  openProviderABench,
  type ProviderABench,
  TODAY,
  WHOLE_CUSTOMER,
} from "../helpers/provider-a-bench.ts";

let bench: ProviderABench;
beforeEach(async () => {
  bench = await openProviderABench();
});
afterEach(() => bench.close());

describe("a document", () => {
  beforeEach(() => bench.connect());

  test.each(DOCUMENT_TYPES)("of type %s is issued under the provider's series and number", async (type) => {
    const { fake, get, appliance } = bench;
    fake.tenant().books.push({ id: "b", name: "WEB", series: "WEB", invoice_type_code: type, number: 41 });
    const id = await bench.accept(type);
    expect(await get(id)).toMatchObject({ status: "pending", stage: "queued", series: null, number: null });
    await bench.settle();
    const [filing] = fake.ledger;
    const identity = `123456783-${TODAY}-0-${type}-WEB-41`;
    expect(await get(id)).toMatchObject({
      status: "issued",
      series: "WEB",
      number: 41,
      mark: filing!.mark,
      uid: createHash("sha1").update(identity).digest("hex").toUpperCase(),
      qr_url: `https://mydataapidev.aade.gr/TimologioQR/QRInfo?q=${filing!.id}`,
      error: null,
    });
    expect(fake.ledger).toMatchObject([{ externalId: id, type, day: appliance.clock.today() }]);
  });

  test("says what was accepted: lines, totals, payment, customer, original", async () => {
    const lines = [
      { description: "Καφές", quantity: "2.5", unit: "kg", unit_price: 333, vat_category: "standard" },
      { description: "Νερό", quantity: "3", unit_price: 15, vat_category: "reduced" },
      {
        description: "Βιβλίο",
        quantity: "0.125",
        unit_price: 1000,
        vat_category: "exempt",
        vat_exemption: 14,
      },
    ] as const;
    const gross = 833 + 200 + 45 + 6 + 125;
    await bench.issue("5.1", {
      customer: WHOLE_CUSTOMER,
      lines: [...lines],
      payments: [{ method: "iris", amount: gross }],
    });
    expect(bench.fake.ledger[0]!.body).toMatchObject({
      payment_method_type: 7,
      net_total_amount: 10.03,
      vat_total_amount: 2.06,
      total_amount: 12.09,
      payable_total_amount: 12.09,
      correlated_invoices: ["400001234567890"],
      counterpart: {
        name: "Παράδειγμα ΑΕ",
        country_code: "GR",
        vat: CUSTOMER_CODE,
        city: "Αθήνα",
        street: "Σταδίου",
        number: "5α",
        postal_code: "10562",
      },
      invoice_lines: [
        { name: "Καφές", quantity: 2.5, quantity_type: 2, unit_price: 3.33, vat_rate: 24, vat_total: 2 },
        { name: "Νερό", quantity: 3, quantity_type: 1, unit_price: 0.15, vat_rate: 13, vat_total: 0.06 },
        { name: "Βιβλίο", quantity: 0.125, vat_rate: 0, vat_total: 0, vat_exemption_code: 14 },
      ],
    });
    expect(bench.asked()).not.toContain("GET /vat_search");
  });

  test.each([
    ["cash", 0],
    ["on_credit", 1],
    ["domestic_account", 2],
    ["pos", 3],
    ["cheque", 4],
    ["foreign_account", 5],
    ["web_banking", 6],
    ["iris", 7],
  ] as const)("paid by %s carries the provider's own code", async (method, code) => {
    await bench.issue("11.1", { payments: [{ method, amount: 1033 }] });
    expect(bench.fake.ledger[0]!.body.payment_method_type).toBe(code);
  });

  test.each([
    ["in another EU country", CUSTOMERS.eu, "1.2"],
    ["outside the EU", { ...CUSTOMERS.abroad, address: { ...CUSTOMERS.eu.address, city: "Zürich" } }, "1.3"],
  ])("to a customer %s goes out as the authority's type for it", async (_name, customer, sentType) => {
    const id = await bench.issue("1.1", { customer });
    expect(await bench.get(id)).toMatchObject({ status: "issued", type: "1.1" });
    expect(bench.fake.ledger[0]!.type).toBe(sentType);
  });
});

describe("what the provider cannot say is refused at once", () => {
  beforeEach(() => bench.connect());

  test.each<[string, Partial<DocumentInput>, string]>([
    ["an issue date before today", { issue_date: "2026-11-20" }, "issue_date"],
    [
      "several methods of payment",
      {
        payments: [
          { method: "cash", amount: 33 },
          { method: "pos", amount: 1000 },
        ],
      },
      "payments",
    ],
  ])("%s: not_supported, and nothing is stored", async (_name, overrides, path) => {
    await expect(bench.accept("11.1", overrides)).rejects.toMatchObject({
      code: "not_supported",
      message: expect.stringContaining(path),
    });
    const { data: events } = await listEvents(bench.appliance, "test", {
      limit: 10,
      type: ["document.created"],
    });
    expect(events).toEqual([]);
  });

  test("one method in two payments is one method", async () => {
    const payments = [
      { method: "pos" as const, amount: 33 },
      { method: "pos" as const, amount: 1000 },
    ];
    expect(await bench.get(await bench.issue("11.1", { payments }))).toMatchObject({ status: "issued" });
  });

  test("a document that waited past midnight in Athens is rejected, never issued under another day", async () => {
    const { fake, accept, advance, settle, get } = bench;
    await fake.goDown();
    const id = await accept("11.1");
    await settle();
    advance(15 * 3_600_000);
    await fake.comeBack();
    await settle();
    expect(await get(id)).toMatchObject({ status: "rejected", error: { code: "not_supported" } });
    expect(fake.ledger).toEqual([]);
  });
});

describe("a refusal within HTTP 200", () => {
  beforeEach(() => bench.connect());

  test("of the provider rejects the document with its words", async () => {
    bench.fake.next({ kind: "provider_refuses", titles: ["Notes are too long", "Name can't be blank"] });
    const id = await bench.issue("11.1");
    expect(await bench.get(id)).toMatchObject({
      status: "rejected",
      stage: null,
      mark: null,
      number: null,
      error: {
        code: "provider_rejected",
        provider_code: null,
        provider_message: "Notes are too long; Name can't be blank",
        provider_raw: { status: "Invoice Errors" },
        retryable: false,
      },
    });
    expect(bench.fake.ledger).toEqual([]);
    expect(bench.fake.count("POST /invoices")).toBe(1);
  });

  test("of the authority rejects it with the first code and every message", async () => {
    const errors = [
      { code: "204", message: "Classification is forbidden" },
      { code: "217", message: "VAT is wrong" },
    ];
    bench.fake.next({ kind: "authority_refuses", errors });
    const id = await bench.issue("11.1");
    expect(await bench.get(id)).toMatchObject({
      status: "rejected",
      error: {
        code: "provider_rejected",
        provider_code: "204",
        provider_message: "Classification is forbidden; VAT is wrong",
        retryable: false,
      },
    });
    const events = await listEvents(bench.appliance, "test", { limit: 10, type: ["document.rejected"] });
    expect(events.data).toHaveLength(1);
  });

  test("because the plan is used up says so", async () => {
    const { fake, get } = bench;
    fake.tenant().quota = 1;
    expect(await get(await bench.issue("11.1"))).toMatchObject({ status: "issued" });
    expect(await get(await bench.issue("11.1"))).toMatchObject({
      status: "rejected",
      error: { code: "balance_exceeded", provider_message: fake.habits.quotaTitle, retryable: false },
    });
    fake.tenant().quota = 5;
    expect(await get(await bench.issue("11.1"))).toMatchObject({ status: "issued", number: 2 });
  });
});

describe("a document that the provider takes without a MARK", () => {
  beforeEach(() => bench.connect());

  test.each(["short", "full"] as const)(
    "(%s) is awaited by the provider's id until the MARK comes",
    async (shape) => {
      const { fake, get, advance, settle } = bench;
      fake.next({ kind: "pending", shape, askings: 1 });
      const id = await bench.issue("11.1");
      expect(await get(id)).toMatchObject({
        status: "pending",
        stage: "awaiting_mark",
        mark: null,
        uid: null,
        qr_url: null,
      });
      advance(4500);
      await settle();
      const [filing] = fake.ledger;
      expect(await get(id)).toMatchObject({
        status: "issued",
        mark: filing!.mark,
        uid: filing!.uid,
        number: 1,
        series: "ALP",
      });
      const askings = fake.requests.filter(({ route }) => route === "GET /invoices/{ref}");
      expect(askings.map(({ path }) => path)).toEqual([`/invoices/${filing!.id}`, `/invoices/${filing!.id}`]);
      expect(fake.count("POST /invoices")).toBe(1);
    },
  );

  test("is rejected where the authority refuses it in the end", async () => {
    const refusal = [{ code: "221", message: "Correlated MARK is unknown" }];
    bench.fake.next({ kind: "pending", shape: "short", askings: 2, refusal });
    const id = await bench.issue("5.1");
    const [document] = await bench.workOff([id]);
    expect(document).toMatchObject({
      status: "rejected",
      mark: null,
      error: { code: "provider_rejected", provider_code: "221" },
    });
  });
});

test("an issued document cannot be cancelled, only credited; the provider is not asked", async () => {
  await bench.connect();
  const id = await bench.issue("11.1");
  const start = bench.fake.requests.length;
  await expect(cancelDocument(bench.appliance, id, CAUSE)).rejects.toMatchObject({
    code: "not_supported",
    message: expect.stringMatching(/credit note/),
  });
  expect(bench.asked(start)).toEqual([]);
  expect(await bench.get(id)).toMatchObject({ status: "issued", cancellation_mark: null });
});
