import { describe, expect, test } from "vitest";
import { createKey, listKeys, revokeKey, rollKey } from "../../src/keys/api-keys.ts";
import { openServer } from "../helpers/http.ts";
import { forEachTest } from "../helpers/set-up.ts";

const DAY_MS = 86_400_000;

const server = forEachTest(openServer);

const statusWith = async (key: string) => (await server.get("/api/v1/merchants", { key })).status;

describe("rolling a key", () => {
  test("creates a key with the same mode and name, and the old one expires after the overlap", async () => {
    const old = await createKey(server.appliance, { mode: "live", name: "web shop" });
    const key = await rollKey(server.appliance, "web shop", { overlapDays: 3 });
    expect(key).toMatchObject({ object: "api_key", mode: "live", name: "web shop", expires_at: null });
    expect(key.replaces).toMatchObject({ id: old.id, revoked_at: null });
    expect(key.secret).toMatch(/^fiscal_live_/);
    expect((await listKeys(server.appliance)).find(({ id }) => id === old.id)).toEqual(key.replaces);
    server.advance(3 * DAY_MS - 60_000);
    expect([await statusWith(old.secret), await statusWith(key.secret)]).toEqual([200, 200]);
    server.advance(120_000);
    expect([await statusWith(old.secret), await statusWith(key.secret)]).toEqual([401, 200]);
  });

  test("revokes the old key at once if the overlap is 0", async () => {
    const old = await createKey(server.appliance, { mode: "test", name: "a" });
    const key = await rollKey(server.appliance, old.id, { overlapDays: 0 });
    expect(key.replaces.revoked_at).not.toBeNull();
    expect([await statusWith(old.secret), await statusWith(key.secret)]).toEqual([401, 200]);
  });

  test("gives the new key the lifetime of the old one by default", async () => {
    const old = await createKey(server.appliance, { mode: "test", name: "a", expiresInDays: 30 });
    server.advance(29 * DAY_MS);
    const key = await rollKey(server.appliance, old.id, { overlapDays: 7 });
    expect(Date.parse(key.expires_at!) - Date.parse(key.created)).toBe(30 * DAY_MS);
    // The overlap never extends the lifetime of the old key.
    expect(key.replaces.expires_at).toBe(old.expires_at);
    const short = await rollKey(server.appliance, key.id, { overlapDays: 7, expiresInDays: 1 });
    expect(Date.parse(short.expires_at!) - Date.parse(short.created)).toBe(DAY_MS);
  });

  test("finds the unexpired key by its name", async () => {
    await createKey(server.appliance, { mode: "test", name: "a" });
    const second = await rollKey(server.appliance, "a", { overlapDays: 1 });
    await expect(rollKey(server.appliance, "a", { overlapDays: 1 })).rejects.toThrow("matches 2 keys");
    server.advance(2 * DAY_MS);
    expect((await rollKey(server.appliance, "a", { overlapDays: 1 })).replaces.id).toBe(second.id);
  });

  test("rejects revoked, expired and unknown keys", async () => {
    const revoked = await createKey(server.appliance, { mode: "test", name: "a" });
    await revokeKey(server.appliance, revoked.id);
    await expect(rollKey(server.appliance, revoked.id, { overlapDays: 1 })).rejects.toThrow(
      "already revoked",
    );
    const expired = await createKey(server.appliance, { mode: "test", name: "b", expiresInDays: 1 });
    server.advance(2 * DAY_MS);
    await expect(rollKey(server.appliance, expired.id, { overlapDays: 1 })).rejects.toThrow("has expired");
    await expect(rollKey(server.appliance, "nobody", { overlapDays: 1 })).rejects.toThrow("No usable key");
  });
});
