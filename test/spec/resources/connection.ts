// docs/contract.md#connections
import { describe, expect, test } from "vitest";
import { CONNECT, idForm, type Json, useServer } from "../helpers/bench.ts";

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
useServer({}, async (opened) => {
  const { merchant } = opened;
  const active = await opened.connect();
  const live = await opened.connect(merchant, { key: opened.liveKey });
  const refused = await opened.connect(await opened.addMerchant(), {}, account("refused-user"));
  const { id } = await opened.connect(await opened.addMerchant());
  const { body } = await opened.post(`/api/v1/connections/${id}/disconnect`, undefined);
  samples = { merchant, active, live, refused, disconnected: body.data };
});

describe("Connection", () => {
  // Each has exactly these fields.
  test("every field of an active one", () => {
    const { active, merchant } = samples;
    expect(active).toEqual({
      id: expect.stringMatching(idForm("con")),
      object: "connection",
      merchant,
      provider: "registry_direct",
      mode: "test",
      status: "active",
      verified_at: active.created,
      last_error: null,
      created: expect.stringMatching(/^2026-11-21T09:00:00\.\d{3}Z$/),
    });
  });

  test("the fields of the others, never their credentials", () => {
    const { active, live, refused, disconnected } = samples;
    expect(live).toMatchObject({ mode: "live" });
    expect(live.id).not.toBe(active.id);
    const provider = { provider_code: "401", provider_message: "Access denied" };
    const last_error = { code: "provider_credentials_invalid", ...provider, retryable: false };
    expect(refused).toMatchObject({ status: "invalid", verified_at: null, last_error });
    expect(disconnected).toMatchObject({ status: "disconnected", verified_at: expect.any(String) });
    for (const connection of [active, live, refused, disconnected]) {
      expect(Object.keys(connection)).toEqual(Object.keys(active));
      expect(JSON.stringify(connection)).not.toMatch(/secret-key|key-of-the-shop|user-of-the-shop/);
    }
  });
});
