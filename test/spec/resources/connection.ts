// docs/contract.md#connections
import { describe, expect, test } from "vitest";
import { CONNECT, type FieldRow, idForm, type Json, useServer } from "../helpers/bench.ts";

interface Samples {
  merchant: string;
  active: Json;
  live: Json;
  refused: Json;
  disconnected: Json;
}
let samples: Samples;

const account = (userId: string) => ({
  ...CONNECT,
  credentials: { user_id: userId, subscription_key: "secret-key" },
});
const server = useServer({}, async (opened) => {
  const { merchant } = opened;
  const active = await opened.connect();
  const live = await opened.connect(merchant, { key: opened.liveKey });
  const refused = await opened.connect(await opened.addMerchant(), {}, account("refused-user"));
  const { id } = await opened.connect(await opened.addMerchant());
  const { body } = await opened.post(`/api/v1/connections/${id}/disconnect`, undefined);
  samples = { merchant, active, live, refused, disconnected: body.data };
});

const ROWS: readonly FieldRow<Samples>[] = [
  [
    "id",
    "con_ and 22 characters",
    ({ active, live }) => {
      for (const { id } of [active, live]) expect(id).toMatch(idForm("con"));
      expect(active.id).not.toBe(live.id);
    },
  ],
  ["object", "always connection", ({ active }) => expect(active.object).toBe("connection")],
  [
    "merchant",
    "the merchant that is connected",
    ({ active, merchant }) => expect(active.merchant).toBe(merchant),
  ],
  ["provider", "as sent", ({ active }) => expect(active.provider).toBe("registry_direct")],
  [
    "mode",
    "that of the key",
    ({ active, live }) => expect([active.mode, live.mode]).toEqual(["test", "live"]),
  ],
  [
    "status",
    "active, invalid or disconnected",
    ({ active, refused, disconnected }) => {
      const statuses = [active, refused, disconnected].map(({ status }) => status);
      expect(statuses).toEqual(["active", "invalid", "disconnected"]);
    },
  ],
  [
    "verified_at",
    "when the provider last accepted the credentials, null until then",
    ({ active, refused, disconnected }) => {
      expect(active.verified_at).toBe(active.created);
      expect(refused.verified_at).toBeNull();
      expect(disconnected.verified_at).not.toBeNull();
    },
  ],
  [
    "last_error",
    "why the provider last refused it, null where it did not",
    ({ active, refused }) => {
      expect(active.last_error).toBeNull();
      expect(refused.last_error).toMatchObject({
        code: "provider_credentials_invalid",
        provider_code: "401",
        provider_message: "Access denied",
        retryable: false,
      });
    },
  ],
  [
    "created",
    "when it was made",
    ({ active }) => expect(active.created).toMatch(/^2026-11-21T09:00:00\.\d{3}Z$/),
  ],
];

describe("Connection", () => {
  test.each(ROWS)("%s: %s", (_field, _says, check) => {
    check(samples);
  });

  test("it has exactly these fields, never its credentials", () => {
    for (const connection of Object.values(samples).filter((sample) => typeof sample === "object")) {
      expect(Object.keys(connection)).toEqual(ROWS.map(([field]) => field));
      expect(JSON.stringify(connection)).not.toMatch(/secret-key|key-of-the-shop|user-of-the-shop/);
    }
  });

  test("verified_at and last_error follow each verification", async () => {
    const { id } = samples.refused;
    server().advance(1000);
    const { body } = await server().post(`/api/v1/connections/${id}/verify`, undefined);
    expect(body.data).toMatchObject({ status: "invalid", verified_at: null });
    const before = await server().read(`/api/v1/connections/${samples.active.id}`);
    server().advance(1000);
    const verified = (await server().post(`/api/v1/connections/${samples.active.id}/verify`, undefined)).body;
    expect(verified.data).toMatchObject({ status: "active", last_error: null });
    expect(Date.parse(verified.data.verified_at) - Date.parse(before.verified_at)).toBeGreaterThanOrEqual(
      2000,
    );
  });
});
