// docs/contract.md#provider-calls
import { describe, expect, test } from "vitest";
import { CALLS, CONNECT, idForm, type Json, useServer } from "../helpers/bench.ts";
import { ORIGIN, REFUSAL } from "../helpers/played-provider.ts";

interface Samples {
  merchant: string;
  connection: string;
  document: string;
  issued: Json;
  rejected: Json;
  away: Json;
  lost: Json;
  asked: Json;
  lookup: Json;
  login: Json;
  verified: Json;
  sandbox: Json;
  live: Json;
}
let samples: Samples;

const AT = /^2026-11-21T09:00:00\.\d{3}Z$/;

const REFUSED = { ...CONNECT, credentials: { user_id: "refused-user", subscription_key: "secret-key" } };
const server = useServer({ env: { FISCAL_ISSUING__DELAYS_SECONDS: "[0]" } }, async (opened) => {
  const { finished, read, merchant } = opened;
  const { id: connection } = await opened.connect();
  const verifications = await read(CALLS);
  const callsOf = async (metadata: Record<string, string>, extra = {}, sent = {}) => {
    const { id } = await finished(metadata, extra);
    return [id, (await read(`${CALLS}?document=${id}`, sent)).toReversed()] as const;
  };
  const [document, [issued]] = await callsOf({});
  const [, [rejected]] = await callsOf({ play: "rejected" });
  const [, [away]] = await callsOf({ play: "away" });
  const [, [lost]] = await callsOf({ play: "lost", later: "away" });
  const [, [, asked]] = await callsOf({ play: "accepted" });
  const further = await callsOf({ asks: "first" });
  const lookup = further[1].find(({ operation }: Json) => operation === "lookup");
  const [, [sandbox]] = await callsOf({}, { provider: "sandbox" });
  await opened.connect(merchant, { key: opened.liveKey });
  const [live] = await read(CALLS, { key: opened.liveKey });
  const byPurpose = (purpose: string) => verifications.find((call: Json) => call.purpose === purpose);
  const [login, verified] = [byPurpose("auth"), byPurpose("operation")];
  await opened.connect(await opened.addMerchant(), {}, REFUSED);
  const calls = { lookup, issued, rejected, away, lost, asked, login, verified, sandbox, live };
  samples = { merchant, connection, document, ...calls };
});

describe("Provider call (log item)", () => {
  // Each has exactly these fields.
  test("every field of a call that issued a document", () => {
    const { issued, merchant, document, connection } = samples;
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
      document,
      connection,
      started_at: expect.stringMatching(AT),
    });
  });

  test("the fields of the others", () => {
    const { issued, rejected, away, lost, asked, lookup, login, verified, sandbox, live, merchant } = samples;
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
    const verification = { operation: "verify", merchant, document: null, connection, http_status: 200 };
    expect(verified).toMatchObject({ ...verification, settled_at: expect.stringMatching(AT) });
    expect(sandbox).toMatchObject({ provider: "sandbox", connection: null });
    expect(live.livemode).toBe(true);
  });

  test("operation, purpose and outcome have the contract's values, and a cancellation is cancel", async () => {
    const { properties } = (await server().get("/api/v1/openapi.json")).body.components.schemas.ProviderCall;
    const words = [properties.operation, properties.purpose, properties.outcome].map((field) => field.enum);
    expect(words).toEqual([
      ["issue", "status", "fetchPdf", "lookup", "verify", "cancel", "onboard"],
      ["operation", "auth"],
      ["ok", "rejected", "transient", "unknown", "not_supported"],
    ]);
    const { id } = await server().finished({});
    await server().post(`/api/v1/documents/${id}/cancel`, undefined);
    expect((await server().read(`${CALLS}?document=${id}`))[0].operation).toBe("cancel");
  });
});
