// docs/contract.md#provider-calls
import { describe, expect, test } from "vitest";
import { CALLS, CONNECT, type FieldRow, idForm, type Json, useServer } from "../helpers/bench.ts";
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

const ROWS: readonly FieldRow<Samples>[] = [
  ["id", "pcl_ and 22 characters", ({ issued }) => expect(issued.id).toMatch(idForm("pcl"))],
  ["object", "always provider_call", ({ issued }) => expect(issued.object).toBe("provider_call")],
  [
    "livemode",
    "true for a call made for live documents",
    ({ issued, live }) => expect([issued.livemode, live.livemode]).toEqual([false, true]),
  ],
  [
    "provider",
    "the one that was called",
    ({ issued, sandbox }) =>
      expect([issued.provider, sandbox.provider]).toEqual(["registry_direct", "sandbox"]),
  ],
  [
    "operation",
    "issue, status, verify among those of the specification",
    ({ issued, asked, verified }) =>
      expect([issued.operation, asked.operation, verified.operation]).toEqual(["issue", "status", "verify"]),
  ],
  [
    "purpose",
    "operation, or auth for the login made for it",
    ({ issued, login }) =>
      expect([issued.purpose, login.purpose, login.operation]).toEqual(["operation", "auth", "verify"]),
  ],
  [
    "outcome",
    "ok, rejected, transient or unknown, as it came out",
    ({ issued, rejected, away, lost, login }) =>
      expect([issued, rejected, away, lost, login].map(({ outcome }) => outcome)).toEqual([
        "ok",
        "rejected",
        "transient",
        "unknown",
        "ok",
      ]),
  ],
  [
    "settled_at",
    "when the verdict was recorded, null while read from the HTTP status alone, always null for auth",
    ({ issued, lost, verified, login, lookup }) => {
      for (const { settled_at: settled } of [issued, lost, verified])
        expect(settled).toMatch(/^2026-11-21T09:00:00\.\d{3}Z$/);
      expect([lookup.settled_at, lookup.outcome, lookup.purpose]).toEqual([null, "ok", "operation"]);
      expect(login.settled_at).toBeNull();
    },
  ],
  [
    "http_status",
    "null when no answer came back",
    ({ issued, away, lost, verified }) =>
      expect([issued, away, lost, verified].map((call) => call.http_status)).toEqual([200, 503, null, 200]),
  ],
  [
    "duration_ms",
    "a whole number, 0 where the clock stood still",
    ({ issued, lost }) => expect([issued.duration_ms, lost.duration_ms]).toEqual([0, 0]),
  ],
  [
    "error",
    "code, message and the provider's own, without its body; null on success",
    ({ issued, rejected, away, login }) => {
      expect([issued.error, login.error]).toEqual([null, null]);
      expect(rejected.error).toEqual({
        code: "provider_rejected",
        message: expect.any(String),
        provider_code: REFUSAL.code,
        provider_message: REFUSAL.message,
      });
      expect(away.error).toMatchObject({ code: "provider_unavailable", provider_code: null });
    },
  ],
  [
    "url",
    "origin and path only",
    ({ issued, login }) => expect([issued.url, login.url]).toEqual([`${ORIGIN}/send`, `${ORIGIN}/login`]),
  ],
  [
    "merchant",
    "for whom it was made",
    ({ issued, verified, merchant }) =>
      expect([issued.merchant, verified.merchant]).toEqual([merchant, merchant]),
  ],
  [
    "document",
    "about which it was made, null for a verification",
    ({ issued, verified, document }) =>
      expect([issued.document, verified.document]).toEqual([document, null]),
  ],
  [
    "connection",
    "over which it was made, null for the sandbox",
    ({ issued, verified, login, sandbox, connection }) =>
      expect([issued, verified, login, sandbox].map((call) => call.connection)).toEqual([
        connection,
        connection,
        connection,
        null,
      ]),
  ],
  [
    "started_at",
    "when it began",
    ({ issued }) => expect(issued.started_at).toMatch(/^2026-11-21T09:00:00\.\d{3}Z$/),
  ],
];

describe("Provider call (log item)", () => {
  test.each(ROWS)("%s: %s", (_field, _says, check) => {
    check(samples);
  });

  test("a list item has exactly these fields", () => {
    for (const call of [samples.issued, samples.login, samples.sandbox])
      expect(Object.keys(call)).toEqual(ROWS.map(([field]) => field));
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
