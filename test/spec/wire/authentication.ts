// docs/contract.md#authentication
import { describe, expect, test } from "vitest";
import { CALLS, DOCUMENTS, EVENTS, type Json, MERCHANTS, useServer } from "../helpers/bench.ts";

const server = useServer({ env: { FISCAL_RATE_LIMIT__FAILED_AUTH: "0" } });

describe("Authentication", () => {
  test("1. the scheme is case-insensitive, the key is not", async () => {
    const key = server.testKey;
    const statusOf = async (authorization: string) =>
      (await server.get(MERCHANTS, { key: null, headers: { authorization } })).status;
    expect([await statusOf(`bearer ${key}`), await statusOf(`BEARER ${key}`)]).toEqual([200, 200]);
    const swapped = key.at(-1) === "0" ? "1" : "0";
    for (const wrong of [key.toUpperCase(), `${key}0`, key.slice(0, -1), `${key.slice(0, -1)}${swapped}`])
      expect(await statusOf(`Bearer ${wrong}`)).toBe(401);
  });

  test("2. the key determines the mode of what is created and shown", async () => {
    const sent = { key: server.liveKey };
    await server.connect(server.merchant, sent);
    const inTest = (await server.issue()).body.data;
    const live = (await server.issue({}, sent)).body.data;
    expect([inTest.mode, live.mode]).toEqual(["test", "live"]);
    await server.settle();
    await server.flush();
    for (const path of [DOCUMENTS, EVENTS, CALLS, "/api/v1/requests"]) {
      const shown = await Promise.all([server.read(path), server.read(path, sent)]);
      const modes = shown.map((items) => [
        ...new Set(items.map((item: Json) => item.mode ?? (item.livemode ? "live" : "test"))),
      ]);
      expect(modes, path).toEqual([["test"], ["live"]]);
    }
  });

  test("3. 401 has www-authenticate with the realm of the service", async () => {
    for (const key of [null, "nonsense", `fiscal_test_${"0".repeat(36)}`]) {
      const { status, headers } = await server.get(EVENTS, { key });
      expect([status, headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="service"']);
    }
    expect((await server.get(EVENTS)).headers.get("www-authenticate")).toBeNull();
  });
});
