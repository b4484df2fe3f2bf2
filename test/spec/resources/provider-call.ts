// docs/contract.md#provider-calls
import { describe, expect, test } from "vitest";
import { forAllTests } from "../../helpers/set-up.ts";
import { CALLS, idForm, type Json, REFUSED, useServer } from "../helpers/bench.ts";
import { ORIGIN, REFUSAL } from "../helpers/played-provider.ts";

const AT = /^2026-11-21T09:00:00\.\d{3}Z$/;
const server = useServer();

/** The calls about a new document, oldest first. */
async function callsOf(metadata: Record<string, string>, extra = {}): Promise<Json[]> {
  const { id } = await server.finished(metadata, extra);
  return (await server.read(`${CALLS}?document=${id}`)).toReversed();
}

const samples = forAllTests(async () => {
  const { id: connection } = await server.connect();
  const verifications: Json[] = await server.read(CALLS);
  const [issued] = await callsOf({});
  const [rejected] = await callsOf({ play: "rejected" });
  const [away] = await callsOf({ play: "away" });
  const [lost] = await callsOf({ play: "lost", later: "away" });
  const [, asked] = await callsOf({ play: "accepted" });
  const lookup = (await callsOf({ asks: "first" })).find(({ operation }) => operation === "lookup");
  const [sandbox] = await callsOf({}, { provider: "sandbox" });
  await server.connect(server.merchant, { key: server.liveKey });
  const [live] = await server.read(CALLS, { key: server.liveKey });
  const byPurpose = (purpose: string) => verifications.find((call) => call.purpose === purpose);
  const [login, verified] = [byPurpose("auth"), byPurpose("operation")];
  await server.connect(await server.addMerchant(), {}, REFUSED);
  return { connection, lookup, issued, rejected, away, lost, asked, login, verified, sandbox, live };
});

describe("Provider call (log item)", () => {
  // Each has exactly these fields.
  test("every field of a call that issued a document", () => {
    const { issued, connection } = samples;
    const { merchant } = server;
    expect(issued).toEqual({
      id: expect.stringMatching(idForm("pcl")),
      object: "provider_call",
      livemode: false,
      provider: "registry_direct",
      operation: "issue",
      purpose: "operation",
      outcome: "ok",
      settled_at: expect.stringMatching(AT),
      http_status: 200,
      duration_ms: 0,
      error: null,
      url: `${ORIGIN}/send`,
      merchant,
      document: expect.stringMatching(idForm("doc")),
      connection,
      started_at: expect.stringMatching(AT),
    });
  });

  test("the fields of the others", () => {
    const { issued, rejected, away, lost, asked, lookup, login, verified, sandbox, live } = samples;
    for (const call of [login, sandbox]) expect(Object.keys(call)).toEqual(Object.keys(issued));
    const { code: provider_code, message: provider_message } = REFUSAL;
    const error = { code: "provider_rejected", message: expect.any(String), provider_code, provider_message };
    expect(rejected).toMatchObject({ outcome: "rejected", error });
    expect(rejected.error).toEqual(error);
    const unavailable = { code: "provider_unavailable", provider_code: null };
    expect(away).toMatchObject({ outcome: "transient", http_status: 503, error: unavailable });
    expect(lost).toMatchObject({
      outcome: "unknown",
      http_status: null,
      settled_at: expect.stringMatching(AT),
    });
    expect(asked.operation).toBe("status");
    expect(lookup).toMatchObject({ settled_at: null, outcome: "ok", purpose: "operation" });
    const auth = { operation: "verify", purpose: "auth", outcome: "ok", settled_at: null, error: null };
    expect(login).toMatchObject({ ...auth, url: `${ORIGIN}/login`, connection: samples.connection });
    const { connection } = samples;
    const verification = {
      operation: "verify",
      merchant: server.merchant,
      document: null,
      connection,
      http_status: 200,
    };
    expect(verified).toMatchObject({ ...verification, settled_at: expect.stringMatching(AT) });
    expect(sandbox).toMatchObject({ provider: "sandbox", connection: null });
    expect(live.livemode).toBe(true);
  });

  test("operation, purpose and outcome have the contract's values, and a cancellation is cancel", async () => {
    const { properties } = (await server.get("/api/v1/openapi.json")).body.components.schemas.ProviderCall;
    const words = [properties.operation, properties.purpose, properties.outcome].map((field) => field.enum);
    expect(words).toEqual([
      ["issue", "status", "fetchPdf", "lookup", "verify", "cancel", "onboard"],
      ["operation", "auth"],
      ["ok", "rejected", "transient", "unknown", "not_supported"],
    ]);
    const { id } = await server.finished({});
    await server.post(`/api/v1/documents/${id}/cancel`, undefined);
    expect((await server.read(`${CALLS}?document=${id}`))[0].operation).toBe("cancel");
  });
});

test("the filter created is by when the call started, however long it took", async () => {
  const merchant = await server.addMerchant();
  await server.connect(merchant);
  const { reached, release } = server.block();
  const { id } = (await server.issue({ merchant })).body.data;
  const sent = server.settle();
  await reached;
  server.advance(30_000);
  release();
  await sent;
  const [call] = await server.read(`${CALLS}?document=${id}`);
  const found = await server.read(`${CALLS}?created[gte]=${call.started_at}&created[lte]=${call.started_at}`);
  expect(found).toContainEqual(call);
});

const detail = (call: Json) => server.read(`${CALLS}/${call.id}`);

describe("Single retrieval", () => {
  test("adds request and response, without credentials, with headers and the full URL", async () => {
    const call = await detail(samples.issued);
    expect(Object.keys(call).slice(Object.keys(samples.issued).length)).toEqual([
      "request",
      "response",
      "bodies_purged_at",
      "bodies_unreadable",
      "bodies_withheld",
    ]);
    expect(call.request).toMatchObject({
      method: "POST",
      url: expect.stringMatching(`^${ORIGIN}/send\\?key=`),
      headers: { "content-type": "application/json", authorization: "[redacted]", "user-agent": "nnnn" },
      body: { number: expect.any(Number), keys: ["[redacted]", "[redacted]"] },
    });
    expect(Object.keys(call.request)).toEqual(["method", "url", "headers", "body"]);
    expect(call.response).toEqual({
      status: 200,
      headers: { "content-type": "application/json", etag: "1" },
      body: { text: "t".repeat(9) },
    });
    expect(JSON.stringify(call)).not.toMatch(/user-of-the-shop|key-of-the-shop/);
    expect([call.bodies_purged_at, call.bodies_unreadable, call.bodies_withheld]).toEqual([
      null,
      false,
      false,
    ]);
  });

  test("a request without a response has its error, and no response", async () => {
    const { request, response } = await detail(samples.lost);
    expect([request.error, response]).toEqual(["the provider did not answer in time", null]);
  });

  test("a login has no bodies: they are withheld", async () => {
    const call = await detail(samples.login);
    expect([call.request, call.response, call.bodies_withheld]).toEqual([null, null, true]);
  });

  test("a body is parsed JSON up to 64 KB; a longer one is text that ends in a note with its size", async () => {
    const bodyOf = async (bytes: number) => {
      const [call] = await callsOf({ body_bytes: String(bytes) });
      return (await detail(call)).response.body;
    };
    expect((await bodyOf(65_536)).text).toHaveLength(65_525);
    const cut = await bodyOf(65_537);
    expect([cut.slice(0, 10), cut.slice(-27)]).toEqual(['{"text":"t', '"… [truncated, 65537 bytes]']);
    expect(cut).toHaveLength(65_536 + 26);
  });

  test("a side whose headers are too large is an object with only the key omitted", async () => {
    const [call] = await callsOf({ header_bytes: "70000" });
    const { request, response } = await detail(call);
    expect(Object.keys(request)).toEqual(["omitted"]);
    expect(response.status).toBe(200);
  });

  test("unreadable bodies are null, and reported as unreadable", async () => {
    const [call] = await callsOf({});
    await server.appliance.store.write((trx) =>
      trx.query((db) =>
        db
          .updateTable("bodies")
          .set({ sealed: Buffer.alloc(64) })
          .where("id", "=", call.id),
      ),
    );
    const spoilt = await detail(call);
    expect([spoilt.request, spoilt.response, spoilt.bodies_unreadable]).toEqual([null, null, true]);
    expect(spoilt).toMatchObject(call);
  });
});
