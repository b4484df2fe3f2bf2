/** Issues through the tax authority's own channel, from the API to the ledger. */
import { XMLParser } from "fast-xml-parser";
import { beforeEach, describe, expect, test } from "vitest";
import { buildDocument, buildLine, CUSTOMERS, type DocumentInput } from "../helpers/documents.ts";
import { startFakeRegistry } from "../helpers/fake-registry/server.ts";
import { openServer } from "../helpers/http.ts";
import { forEachTest } from "../helpers/set-up.ts";

/** With characters that URLs, JSON and XML escape differently. */
const ACCOUNT = {
  userId: "user&of/the+shop=4711",
  key: "key\"of'the shop%20a/b",
  vat: "123456783",
};
const CREDENTIALS = { user_id: ACCOUNT.userId, subscription_key: ACCOUNT.key };

let connection: string;

const registry = forEachTest(() => startFakeRegistry({ accounts: [{ ...ACCOUNT }] }));
const server = forEachTest(() =>
  openServer({ env: { FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: registry.url } }),
);
beforeEach(async () => {
  const path = `/api/v1/merchants/${server.merchant}/connections`;
  const made = await server.post(path, { provider: "registry_direct", credentials: CREDENTIALS });
  expect(made.body.data).toMatchObject({ status: "active" });
  connection = made.body.data.id;
});

async function accept(document: unknown = buildDocument("1.1"), extra = {}): Promise<string> {
  const { status, body } = await server.post("/api/v1/documents", {
    merchant: server.merchant,
    document,
    ...extra,
  });
  expect([status, body.message]).toEqual([201, undefined]);
  return body.data.id;
}

const see = async (id: string) => (await server.get(`/api/v1/documents/${id}`)).body.data;
const sends = () => registry.seen.filter(({ method }) => method === "SendInvoices");

/** Every item of a list, newest first. */
async function all(path: string) {
  const { body } = await server.get(`${path}${path.includes("?") ? "&" : "?"}limit=100`);
  expect(body.has_more).toBe(false);
  return body.data;
}

/** Two of a kind, whose sum the authority checks. */
const EVERY_TAX: NonNullable<DocumentInput["taxes"]> = [
  { kind: "withheld", category: 3, base: 100, amount: 20 },
  { kind: "withheld", category: 4, base: 100, amount: 3 },
  { kind: "fees", category: 1, amount: 5 },
  { kind: "other", category: 2, amount: 7 },
  { kind: "stamp", category: 1, amount: 11 },
  { kind: "deductions", amount: 13 },
];

describe("the payload of an issued document", () => {
  const parser = new XMLParser({
    ignoreAttributes: false,
    ignoreDeclaration: true,
    parseTagValue: false,
    isArray: (name) => REPEATED.has(name),
  });
  const REPEATED = new Set([
    "invoice",
    "invoiceDetails",
    "paymentMethodDetails",
    "incomeClassification",
    "correlatedInvoices",
    "taxes",
  ]);
  const exempt = buildLine({ vat_category: "exempt", vat_exemption: 8 });
  const several = [
    buildLine({ unit_price: 1 }),
    buildLine({ vat_category: "reduced", quantity: "0.333" }),
    exempt,
    buildLine({ income_classification: { category: "category1_95" } }),
  ];

  const documents: [string, DocumentInput][] = [
    ["a sale", buildDocument("1.1")],
    ["a service with taxes of every kind", buildDocument("2.1", { taxes: EVERY_TAX })],
    ["a sale of several lines, VAT rates and classifications", buildDocument("1.1", { lines: several })],
    [
      "a sale within the EU",
      buildDocument("1.1", { customer: CUSTOMERS.eu, lines: [buildLine({ vat_category: "exempt" })] }),
    ],
    ["a service abroad", buildDocument("2.1", { customer: CUSTOMERS.abroad, lines: [exempt] })],
    ["a credit note", buildDocument("5.1", { original_marks: ["400001234567890", "400001234567891"] })],
    ["a credit note without original", buildDocument("5.2")],
    [
      "a receipt that was paid in two ways",
      buildDocument("11.1", {
        payments: [
          { method: "cash", amount: 33 },
          { method: "pos", amount: 1000 },
        ],
      }),
    ],
  ];

  test.each(documents)("equals its preview except for the number: %s", async (_name, document) => {
    const waiting = await accept(document, { series: "OTHER" });
    const preview = await server.post("/api/v1/documents/preview?provider=registry_direct", document);
    expect(preview.body.data).toMatchObject({ provider: "registry_direct" });
    const { payload } = preview.body.data;
    const id = await accept(document);
    await server.settle();
    for (const one of [waiting, id]) expect((await see(one)).error).toBeNull();
    const bodies = sends().map(({ body }) => parser.parse(body) as { InvoicesDoc: { invoice: unknown[] } });
    const sent = bodies.flatMap(({ InvoicesDoc }) => InvoicesDoc.invoice);
    expect(sent).toHaveLength(2);
    const [shown] = payload.InvoicesDoc.invoice;
    const series = shown.invoiceHeader.series;
    const others = { series: "OTHER", aa: "1" };
    expect(sent.map((invoice) => JSON.stringify(invoice))).toContain(JSON.stringify(shown));
    const otherHeader = { ...shown.invoiceHeader, ...others };
    expect(sent).toContainEqual({ ...shown, invoiceHeader: otherHeader });
    const { invoice: _sent, ...namespaces } = bodies[0]!.InvoicesDoc;
    expect(payload.InvoicesDoc).toMatchObject(namespaces);
    expect(await see(id)).toMatchObject({ status: "issued", series, number: 1 });
    // The authority computes the uid independently, from the payload.
    const { uid, mark, qr_url: qrUrl } = await see(id);
    const filing = registry.ledger.find((filed) => filed.mark === mark);
    expect(filing).toMatchObject({ uid, series });
    expect(qrUrl).toContain(uid.slice(0, 12));
  });
});

test("the log has a call for each document of a batch, each with the shared message", async () => {
  const ids = [await accept(), await accept(), await accept()];
  registry.refuse("OTHER", "102", "Ο ΑΦΜ δεν είναι ενεργός");
  ids.push(await accept(buildDocument("1.1"), { series: "OTHER" }));
  await server.settle();
  expect(sends()).toHaveLength(1);
  const calls = await Promise.all(
    ids.map(async (id) => {
      const [call, ...more] = await all(`/api/v1/provider_calls?document=${id}`);
      expect(more).toEqual([]);
      return (await server.get(`/api/v1/provider_calls/${call.id}`)).body.data;
    }),
  );
  expect(calls.map(({ outcome }) => outcome)).toEqual(["ok", "ok", "ok", "rejected"]);
  expect(calls[3].error).toMatchObject({
    code: "provider_rejected",
    provider_code: "102",
    provider_message: "Ο ΑΦΜ δεν είναι ενεργός",
  });
  for (const call of calls) {
    expect(call).toMatchObject({
      operation: "issue",
      http_status: 200,
      connection,
      provider: "registry_direct",
    });
    expect(call.request).toMatchObject({ method: "POST", body: sends()[0]!.body });
    expect(call.response.status).toBe(200);
  }
});

/** The authority's own body, without which a 403 says nothing about the account. */
const DENIED = '{ "statusCode": 403, "message": "Access denied." }';

describe("an account that is refused", () => {
  const REFUSALS: [string, () => void][] = [
    ["with 401", () => registry.next("SendInvoices", { kind: "status", status: 401 })],
    ["with 403", () => registry.next("SendInvoices", { kind: "status", status: 403, body: DENIED })],
    ["for its tax number (105)", () => void (registry.accounts[0]!.vat = "094012834")],
  ];

  test.each(REFUSALS)("%s keeps its documents waiting until it is verified", async (_name, refuse) => {
    refuse();
    const ids = [await accept(), await accept()];
    await server.settle();
    server.advance(6 * 3_600_000);
    await server.settle();
    expect(sends()).toHaveLength(1);
    for (const id of ids)
      expect(await see(id)).toMatchObject({ status: "pending", stage: "queued", error: null });
    const before = (await server.get(`/api/v1/connections/${connection}`)).body.data;
    expect(before).toMatchObject({ status: "invalid", last_error: { code: "provider_credentials_invalid" } });
    registry.accounts[0]!.vat = ACCOUNT.vat;
    const verified = await server.post(`/api/v1/connections/${connection}/verify`, {});
    expect(verified.body.data).toMatchObject({ status: "active", last_error: null });
    await server.settle();
    const documents = await Promise.all(ids.map(see));
    expect(documents.map(({ status, number }) => `${status} ${number}`)).toEqual(["issued 1", "issued 2"]);
    expect(registry.ledger).toHaveLength(2);
    const types = (await all("/api/v1/events?type=connection.invalid&type=connection.verified")).map(
      ({ type }: { type: string }) => type,
    );
    expect(types).toEqual(["connection.verified", "connection.invalid", "connection.verified"]);
  });

  const supplier = { tax_id: { country: "GR", code: "094012834" }, branch: 0 };

  /** A merchant without a tax number of its own, which issues for `ACCOUNT.vat` with this account, and its connection. */
  async function openAgency() {
    const open = await server.post("/api/v1/merchants", { external_id: "agency", name: "Γραφείο" });
    const merchant = open.body.data.id;
    registry.accounts.push({ userId: "agency", key: "agency-key", vat: ACCOUNT.vat });
    const made = await server.post(`/api/v1/merchants/${merchant}/connections`, {
      provider: "registry_direct",
      credentials: { user_id: "agency", subscription_key: "agency-key" },
    });
    return { merchant, about: `/api/v1/connections/${made.body.data.id}` };
  }

  test("for the tax number of a merchant without its own keeps the document waiting while it issues for no other", async () => {
    const { merchant, about } = await openAgency();
    const id = await accept(buildDocument("11.1", { supplier }), { merchant });
    await server.settle();
    expect((await server.get(about)).body.data).toMatchObject({
      status: "invalid",
      last_error: { code: "provider_credentials_invalid", provider_code: "105" },
    });
    expect(await see(id)).toMatchObject({ status: "pending", stage: "queued", error: null });
    registry.accounts.at(-1)!.vat = supplier.tax_id.code;
    await server.post(`${about}/verify`, {});
    await server.settle();
    expect(await see(id)).toMatchObject({ status: "issued", number: 1 });
  });

  test.each(["first", "last"])(
    "for one of several tax numbers rejects only that document, sent %s",
    async (place) => {
      const { merchant, about } = await openAgency();
      const documents = [buildDocument("11.1", { supplier }), buildDocument("11.1")];
      const ids: string[] = [];
      for (const document of place === "first" ? documents : documents.toReversed())
        ids.push(await accept(document, { merchant }));
      const [beside, right] = place === "first" ? ids : ids.toReversed();
      await server.settle();
      expect(sends()).toHaveLength(1);
      const later = await accept(buildDocument("11.1", { supplier }), { merchant });
      await server.settle();
      expect((await server.get(about)).body.data).toMatchObject({ status: "active", last_error: null });
      expect(await see(right!)).toMatchObject({ status: "issued" });
      for (const wrong of [beside!, later]) {
        const error = { code: "provider_rejected", provider_code: "105", retryable: false };
        expect(await see(wrong)).toMatchObject({ status: "rejected", number: null, error });
      }
    },
  );
});

test.each<[string, { status: number; after: () => string; body?: string }]>([
  ["429, in seconds", { status: 429, after: () => "90" }],
  [
    "429, as a date",
    { status: 429, after: () => new Date(server.appliance.clock.nowMs() + 90_000).toUTCString() },
  ],
  ["403 for a used-up quota", { status: 403, after: () => "90", body: DENIED }],
  ["503", { status: 503, after: () => "90" }],
])("a pause that the authority requests is observed: %s", async (_name, { status, after, body = "" }) => {
  const headers = { "retry-after": after() };
  registry.next("SendInvoices", { kind: "status", status, headers, body });
  const id = await accept();
  await server.settle();
  for (let passed = 0; passed < 85; passed += 5) {
    server.advance(5_000);
    await server.settle();
  }
  expect(sends()).toHaveLength(1);
  expect(await see(id)).toMatchObject({ status: "pending", error: null });
  for (let passed = 0; passed < 400; passed += 5) {
    server.advance(5_000);
    await server.settle();
  }
  expect(await see(id)).toMatchObject({ status: "issued", number: 1 });
  expect(registry.ledger).toHaveLength(1);
});
