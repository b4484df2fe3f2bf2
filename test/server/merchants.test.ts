// docs/contract.md#event-types: merchant.updated
/** Merchants and their settings, of which each mode has its own: docs/contract.md#settings-per-mode. */
import { describe, expect, test } from "vitest";
import { buildIssueBody } from "../helpers/appliance.ts";
import { CONNECT, openConnectingServer } from "../helpers/connecting.ts";
import { forEachTest } from "../helpers/set-up.ts";

const server = forEachTest(openConnectingServer);

const MERCHANTS = "/api/v1/merchants";
const create = (body: unknown, sent = {}) => server.post(MERCHANTS, body, sent);
const one = () => `${MERCHANTS}/${server.merchant}`;
const patch = (body: unknown, sent = {}) => server.request("PATCH", one(), { body, ...sent });
const put = (body: unknown, sent = {}) => server.request("PUT", `${one()}/settings`, { body, ...sent });
const get = async (sent = {}) => await server.read(`${one()}/settings`, sent);

test("PATCH changes the given fields, merges metadata, and emits what changed", async () => {
  await patch({ metadata: { a: "1", b: "2" } });
  const { body } = await patch({ name: "Νέο όνομα", tax_id: null, metadata: { a: null, c: "3" } });
  expect(body.data).toMatchObject({ name: "Νέο όνομα", tax_id: null, metadata: { b: "2", c: "3" } });
  const [event] = await server.read("/api/v1/events?type=merchant.updated");
  expect(event.data.previous_attributes).toEqual({
    name: "Παράδειγμα Α.Ε.",
    tax_id: "123456783",
    metadata: { a: "1", b: "2" },
  });
  await patch({ name: "Νέο όνομα" });
  expect(await server.read("/api/v1/events?type=merchant.updated")).toHaveLength(2);
  await create({ external_id: "second", name: "x" });
  expect((await patch({ external_id: "Second" })).body.code).toBe("already_exists");
  expect((await server.request("PATCH", `${MERCHANTS}/mer_x`, { body: {} })).status).toBe(404);
});

test("settings are replaced as a whole", async () => {
  const none = { classification: {}, numbering: {}, paper: {}, vat_payment_suspension: false };
  const defaults = { ...none, on_issue: "nothing", closed_until: null };
  expect(await get()).toEqual(defaults);
  const branches = { "3": { address: "Τσιμισκή 3, Θεσσαλονίκη", phone: "2310 123456" } };
  const office = { gemi: "000237901000", tax_office: "ΚΕΦΟΔΕ Αττικής", activity: "Καφεκοπτείο" };
  const settings = {
    classification: { "1.1": { category: "category1_2", type: "E3_561_001" } },
    numbering: { "1.1": { series: "Β", next_number: 40 } },
    paper: { color: "#aabbcc", language: "el", ...office, branches },
    vat_payment_suspension: true,
    on_issue: "nothing",
    closed_until: "2026-09-30",
  };
  for (const data of [(await put(settings)).body.data, await get()]) expect(data).toEqual(settings);
  expect((await put({ paper: {} })).body.data).toEqual(defaults);
  expect((await put({ colour: 1 })).body.message).toBe("colour: is not a known field");
});

test("metadata keeps every key, even those special to JavaScript", async () => {
  const raw =
    '{"external_id":"odd","name":"x","metadata":{"__proto__":"1","constructor":"2","prototype":"3"}}';
  const { status, text, body } = await server.post(MERCHANTS, undefined, { raw });
  expect(status).toBe(201);
  expect(text).toContain('"metadata":{"__proto__":"1","constructor":"2","prototype":"3"}');
  expect((await server.get(`${MERCHANTS}/${body.data.id}`)).text).toContain('"__proto__":"1"');
});

const ACCOUNT = { bank: "Τράπεζα", iban: "GR1601101250000000012300695" };
const BY_NUMBER = "branches: must be by branch number, 1 to 9999";
const BRANCHES = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [index + 1, {}]));

const PAPER: [wrong: object, message: string][] = [
  [{ gemi: "12 34" }, "gemi: must be a ΓΕΜΗ number: up to 12 digits"],
  [{ gemi: "1234567890123" }, "gemi: must be a ΓΕΜΗ number: up to 12 digits"],
  [{ tax_office: "ΔΟΥ\u202e" }, "tax_office: must not hold invisible"],
  [{ activity: "x".repeat(201) }, "activity: must have 1 to 200 characters"],
  [
    { bank_accounts: [{ ...ACCOUNT, iban: ACCOUNT.iban.replace(/5$/, "6") }] },
    "bank_accounts[0].iban: must be an IBAN",
  ],
  [{ bank_accounts: [{ ...ACCOUNT, iban: "GR00" }] }, "bank_accounts[0].iban: must be an IBAN"],
  [{ bank_accounts: [{ iban: ACCOUNT.iban }] }, "bank_accounts[0].bank: is required"],
  [{ branches: [] }, "branches: must be an object"],
  [{ branches: { "0": {} } }, BY_NUMBER],
  [{ branches: { constructor: {} } }, BY_NUMBER],
  [{ branches: { "03": {} } }, BY_NUMBER],
  [{ branches: { "3": { logo: "x" } } }, "branches.3.logo: is not a known field"],
  [{ branches: { "3": { phone: "" } } }, "branches.3.phone: must have 1 to 50 characters"],
  [{ branches: BRANCHES }, "branches: must be at most 200"],
  [{ logo: "/etc/passwd" }, "logo: must be"],
  [{ logo: "A".repeat(200_000) }, "logo: must be"],
  [{ color: "red" }, "color: must be"],
  [{ language: "de" }, "language: must be"],
];

test.each<[body: object, message: string]>([
  ...PAPER.map(([paper, message]): [object, string] => [{ paper }, `paper.${message}`]),
  [{ vat_payment_suspension: "yes" }, "vat_payment_suspension: must be true or false"],
  [{ closed_until: "2026-02-31" }, "closed_until: must be a calendar date, YYYY-MM-DD"],
])("settings reject %j", async (body, message) => {
  const reply = await put(body);
  expect(reply.status).toBe(400);
  expect(reply.body.message).toContain(message);
  expect(reply.body.message).not.toMatch(/passwd|AAAA|: red$/);
});

test("vat_payment_suspension is sent as it was when the document was accepted", async () => {
  const { document } = buildIssueBody(server.merchant);
  const header = async () =>
    (await server.post("/api/v1/documents/preview", document)).body.data.payload.InvoicesDoc.invoice[0]
      .invoiceHeader;
  await put({ vat_payment_suspension: true });
  expect(await header()).toMatchObject({ vatPaymentSuspension: "true" });
  await server.issue();
  await put({});
  expect(await header()).not.toHaveProperty("vatPaymentSuspension");
  await server.issued();
  const calls = await server.read("/api/v1/provider_calls");
  const { id } = calls.find((call: { operation: string }) => call.operation === "issue");
  const { request } = await server.read(`/api/v1/provider_calls/${id}`);
  const sent = request.body.InvoicesDoc.invoice.map(
    (invoice: { invoiceHeader: object }) => invoice.invoiceHeader,
  );
  expect(sent).toMatchObject([{ aa: "1", vatPaymentSuspension: "true" }, { aa: "2" }]);
  expect(sent[1]).not.toHaveProperty("vatPaymentSuspension");
});

// docs/contract.md#test-keys-and-live-merchants
const live = () => ({ key: server.liveKey });

async function connectLive(): Promise<string> {
  const { status, body } = await server.post(`${one()}/connections`, CONNECT, live());
  expect(status).toBe(201);
  return body.data.id;
}

async function issue(sent: { key?: string } = {}): Promise<{ id: string; letterhead: number }> {
  const { status, body } = await server.issue({}, sent);
  expect(status).toBe(201);
  const { id } = body.data;
  const [input] = await server.appliance.store.read.query((db) =>
    db.selectFrom("document_inputs").select("letterhead_id").where("document_id", "=", id),
  );
  return { id, letterhead: input!.letterhead_id! };
}

describe("settings by mode", () => {
  test("are read and replaced for the key's mode only", async () => {
    await put({ paper: { phone: "1" } });
    await put({ paper: { phone: "2" } }, live());
    expect(await get()).toMatchObject({ paper: { phone: "1" } });
    expect(await get(live())).toMatchObject({ paper: { phone: "2" } });
  });

  test("of the document's mode decide its classification, series, number and letterhead", async () => {
    await connectLive();
    await put({
      classification: { "1.1": { category: "category1_2", type: "E3_561_001" } },
      numbering: { "1.1": { series: "TEST", next_number: 40 } },
      paper: { phone: "1" },
    });
    await put({ numbering: { "1.1": { series: "LIVE", next_number: 7 } } }, live());
    const ids = [await issue(), await issue(live())] as const;
    expect(ids[0].letterhead).not.toBe(ids[1].letterhead);
    expect((await issue()).letterhead).toBe(ids[0].letterhead);
    await server.settle();
    const documents = [
      await server.read(`/api/v1/documents/${ids[0].id}`),
      await server.read(`/api/v1/documents/${ids[1].id}`, live()),
    ];
    expect(documents).toMatchObject([
      { series: "TEST", number: 40, classification: { source: "override" } },
      { series: "LIVE", number: 7, classification: { source: "default" } },
    ]);
  });

  test("of one mode leave the letterhead of the other as it is; a new name gives both a new one", async () => {
    await connectLive();
    const before = [await issue(), await issue(live())] as const;
    await put({ paper: { phone: "2" } }, live());
    const after = [await issue(), await issue(live())] as const;
    expect(after[0].letterhead).toBe(before[0].letterhead);
    expect(after[1].letterhead).not.toBe(before[1].letterhead);
    await server.request("PATCH", one(), { body: { name: "Νέα Α.Ε." }, ...live() });
    expect((await issue()).letterhead).not.toBe(after[0].letterhead);
    expect((await issue(live())).letterhead).not.toBe(after[1].letterhead);
  });
});

describe("once a merchant is live", () => {
  const post = (verb: string, sent = {}) => server.request("POST", `${one()}/${verb}`, sent);

  test.each([{ name: "Νέα Α.Ε." }, { tax_id: "094012834" }, { tax_id: null }, { branch: 2 }])(
    "a test key cannot change it to %o, and a live key can",
    async (body) => {
      await connectLive();
      const before = await server.read(one());
      const refused = await patch({ ...body, metadata: { a: "1" } });
      expect([refused.status, refused.body.code, refused.body.retryable]).toEqual([
        409,
        "invalid_state",
        false,
      ]);
      expect(await server.read(one())).toEqual(before);
      expect((await patch(body, live())).body.data).toMatchObject(body);
    },
  );

  test("a test key can neither archive nor unarchive it", async () => {
    await connectLive();
    expect(await post("archive")).toMatchObject({ status: 409, body: { code: "invalid_state" } });
    expect(await post("unarchive")).toMatchObject({ status: 200 });
    expect((await post("archive", live())).body.data.archived).toBe(true);
    expect((await post("unarchive")).status).toBe(409);
  });

  test("a test key still changes external_id and metadata, and may repeat the present values", async () => {
    await connectLive();
    const { name } = await server.read(one());
    const body = { external_id: "renamed", metadata: { a: "1" }, name };
    expect(await patch(body)).toMatchObject({ status: 200, body: { data: body } });
  });

  test("it remains so after its connection is disconnected", async () => {
    await server.request("POST", `/api/v1/connections/${await connectLive()}/disconnect`, live());
    expect((await patch({ name: "x" })).status).toBe(409);
  });

  test("a connection of the test mode protects nothing", async () => {
    await server.connect();
    await issue();
    expect((await patch({ name: "x" })).status).toBe(200);
  });
});
