/** Documents sent through provider_a, from acceptance to MARK or rejection, against its fake. */
import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { cancelDocument } from "../../../src/documents/cancel.ts";
import { DOCUMENT_TYPES } from "../../../src/domain/canonical-document.ts";
import { listEvents } from "../../../src/journal/event-object.ts";
import { CAUSE } from "../../helpers/appliance.ts";
import { buildLine } from "../../helpers/documents.ts";
import { startFakeProviderA } from "../../helpers/fake-provider-a.ts";
import { openProviderABench, TODAY } from "../../helpers/provider-a-bench.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const bench = forEachTest(openProviderABench);
beforeEach(() => bench.connect());

test.each(DOCUMENT_TYPES)(
  "a document of type %s is issued with the provider's series and number",
  async (type) => {
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
  },
);

test("a withheld tax and notes reach the provider, and the fake finds no fault in them", async () => {
  const lines = [
    buildLine({ quantity: "3", unit_price: 33_333 }),
    buildLine({ quantity: "1", unit_price: 10_001 }),
  ];
  const taxes = [{ kind: "withheld" as const, category: 3, base: 110_000, amount: 22_000 }];
  const id = await bench.issue("2.1", { lines, taxes, notes: "Σύμβαση 12" });
  expect(await bench.get(id)).toMatchObject({ status: "issued" });
  expect(bench.fake.ledger[0]!.body).toMatchObject({
    notes: "Σύμβαση 12",
    withholding_total_amount: 220,
    invoice_lines: [200, 20].map((withholding_total) => ({
      withholding_total,
      withhold_tax_code: "3",
      withhold_tax_rate: 20,
    })),
  });
});

describe("a document that the provider cannot express", () => {
  test("is not_supported, and nothing is stored", async () => {
    const payments = [
      { method: "cash" as const, amount: 33 },
      { method: "pos" as const, amount: 1000 },
    ];
    await expect(bench.accept("11.1", { issue_date: "2026-11-20", payments })).rejects.toMatchObject({
      code: "not_supported",
      message: expect.stringMatching(/issue_date: .*payments: /),
    });
    const { data: events } = await listEvents(bench.appliance, "test", {
      limit: 10,
      type: ["document.created"],
    });
    expect(events).toEqual([]);
  });

  test("because its tax is withheld from nothing is not_supported: no line has a part of it", async () => {
    const lines = [buildLine({ unit_price: 0 })];
    const taxes = [{ kind: "withheld" as const, category: 3, amount: 0 }];
    await expect(bench.accept("2.1", { lines, taxes })).rejects.toMatchObject({
      code: "not_supported",
      message: expect.stringMatching(/taxes: must be one tax withheld/),
    });
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

test("a document registered without a MARK is polled by the provider's id until it has a MARK", async () => {
  const { fake, get, advance, settle } = bench;
  fake.next({ kind: "pending", shape: "short", askings: 1 });
  const id = await bench.issue("11.1");
  expect(await get(id)).toMatchObject({ stage: "awaiting_mark", mark: null, uid: null, qr_url: null });
  advance(4500);
  await settle();
  const { mark, uid, id: ref } = fake.ledger[0]!;
  expect(await get(id)).toMatchObject({ status: "issued", mark, uid, number: 1, series: "ALP" });
  const askings = fake.requests.filter(({ route }) => route === "GET /invoices/{ref}");
  expect(askings.map(({ path }) => path)).toEqual([`/invoices/${ref}`, `/invoices/${ref}`]);
  expect(fake.count("POST /invoices")).toBe(1);
});

test("a document listed only after its second send is found by the refusal of that send", async () => {
  const { fake } = bench;
  // Looked up after 2, 6, 14, 30, 62 and 122 s or later: the sixth absence counts.
  fake.next({ kind: "hidden", askings: 6 });
  const id = await bench.accept("11.1");
  for (const stepMs of [0, 2300, 4500, 9000, 18_000, 36_000, 70_000]) {
    bench.advance(stepMs);
    await bench.settle();
  }
  await bench.processAll([id]);
  expect(fake.ledger.map(({ externalId }) => externalId)).toEqual([id]);
  expect(await bench.get(id)).toMatchObject({ status: "issued", mark: fake.ledger[0]!.mark, error: null });
  expect(fake.count("POST /invoices")).toBe(2);
  fake.forgive(/was sent again after it had been filed/);
});

test("an issued document cannot be cancelled, and no request is sent", async () => {
  const id = await bench.issue("11.1");
  const start = bench.fake.requests.length;
  await expect(cancelDocument(bench.appliance, id, CAUSE)).rejects.toMatchObject({
    code: "not_supported",
    message: expect.stringMatching(/credit note/),
  });
  expect(bench.asked(start)).toEqual([]);
  expect(await bench.get(id)).toMatchObject({ status: "issued", cancellation_mark: null });
});

test("the fake reports invalid requests and unused faults when it is closed", async () => {
  const fake = await startFakeProviderA({ tenants: [] });
  await fetch(`${fake.url}/invoice`);
  fake.next({ kind: "empty", done: false });
  await expect(fake.close()).rejects.toThrow(/no such address here\nnothing met the fault/);
});
