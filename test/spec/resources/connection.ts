// docs/contract.md#connections
import { expect, test } from "vitest";
import { forAllTests } from "../../helpers/set-up.ts";
import { idForm, REFUSED, useServer } from "../helpers/bench.ts";

const server = useServer();
const samples = forAllTests(async () => {
  const { id } = await server.connect(await server.addMerchant());
  return {
    active: await server.connect(),
    live: await server.connect(server.merchant, { key: server.liveKey }),
    refused: await server.connect(await server.addMerchant(), {}, REFUSED),
    disconnected: (await server.post(`/api/v1/connections/${id}/disconnect`, undefined)).body.data,
  };
});

// Each has exactly these fields.
test("every field of an active one", () => {
  const { active } = samples;
  expect(active).toEqual({
    id: expect.stringMatching(idForm("con")),
    object: "connection",
    merchant: server.merchant,
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
  for (const connection of Object.values(samples)) {
    expect(Object.keys(connection)).toEqual(Object.keys(active));
    expect(JSON.stringify(connection)).not.toMatch(/secret-key|key-of-the-shop|user-of-the-shop/);
  }
});
