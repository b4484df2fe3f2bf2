/** Documents sent through provider_a, from acceptance to MARK or rejection, against its fake. */
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cancelDocument } from "../../../src/documents/cancel.ts";
import { DOCUMENT_TYPES } from "../../../src/domain/canonical-document.ts";
import { listEvents } from "../../../src/journal/list-events.ts";
import type { DocumentInput } from "../../helpers/documents.ts";
import {
  CAUSE,
  CUSTOMER_CODE,
  openProviderABench,
  type ProviderABench,
  TODAY,
  WHOLE_CUSTOMER,
} from "../../helpers/provider-a-bench.ts";

let bench: ProviderABench;
beforeEach(async () => {
  bench = await openProviderABench();
});
afterEach(() => bench.close());

describe("a document", () => {
  beforeEach(() => bench.connect());

  test.each(DOCUMENT_TYPES)("of type %s is issued with the provider's series and number", async (type) => {
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

  test("is sent with its lines, totals, payment, customer and original", async () => {
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
});

describe("a document that the provider cannot express", () => {
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
  ])("with %s is not_supported, and nothing is stored", async (_name, overrides, path) => {
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

  test("that waited past midnight in Athens is rejected, never issued with another date", async () => {
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

describe("a rejection within HTTP 200", () => {
  beforeEach(() => bench.connect());

  test("rejects the document with the provider's message", async () => {
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
    const events = await listEvents(bench.appliance, "test", { limit: 10, type: ["document.rejected"] });
    expect(events.data).toHaveLength(1);
  });
});

describe("a document registered without a MARK", () => {
  beforeEach(() => bench.connect());

  test.each(["short", "full"] as const)(
    "(%s) is polled by the provider's id until it has a MARK",
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

  test("is rejected if the authority refuses it later", async () => {
    const refusal = [{ code: "221", message: "Correlated MARK is unknown" }];
    bench.fake.next({ kind: "pending", shape: "short", askings: 2, refusal });
    const id = await bench.issue("5.1");
    const [document] = await bench.processAll([id]);
    expect(document).toMatchObject({
      status: "rejected",
      mark: null,
      error: { code: "provider_rejected", provider_code: "221" },
    });
  });
});

test("an issued document cannot be cancelled, and no request is sent", async () => {
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
