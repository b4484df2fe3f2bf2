import { renameSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { createApp } from "../../../server/app.ts";
import { openBench } from "../../helpers/appliance.ts";
import { forEachTest } from "../../helpers/set-up.ts";

let file: string;
let headers: Record<string, string>;
let app: ReturnType<typeof createApp>["app"];
const bench = forEachTest(openBench);
beforeEach(async () => {
  file = bench.appliance.config.storage.database;
  ({ app } = createApp(bench.appliance));
  headers = {
    authorization: `Bearer ${await bench.makeKey("test")}`,
    "content-type": "application/json",
    "idempotency-key": "one",
  };
});

async function create() {
  const body = JSON.stringify({ external_id: "shop", name: "Shop" });
  const response = await app.request("/api/v1/merchants", { method: "POST", headers, body });
  return { status: response.status, retry: response.headers.get("retry-after"), text: await response.text() };
}

/** Waits for the next measurement, which happens once a second. */
async function waitForLevel(level: "full" | "ample") {
  await expect.poll(() => bench.appliance.space.level()).toBe(level);
}

describe("a database file that disappears while the server runs", () => {
  test.each([
    ["moved", () => undefined],
    ["replaced", () => writeFileSync(file, "")],
  ])("because it was %s: requests are refused until it is back, and then succeed", async (_how, put) => {
    await bench.appliance.store.probe();
    renameSync(file, `${file}.aside`);
    put();
    await waitForLevel("full");
    const refused = await create();
    expect(refused).toMatchObject({ status: 503, retry: "30" });
    expect(JSON.parse(refused.text)).toMatchObject({ code: "service_unavailable", retryable: true });
    expect(refused.text).toContain("moved, deleted or replaced");
    expect(refused.text).not.toContain(file);

    const readiness = await app.request("/readyz");
    expect(readiness.status).toBe(503);
    expect(await readiness.json()).toMatchObject({ checks: { database: false, space: true } });
    expect(bench.logged.filter((line) => !line.startsWith("info"))).toEqual([
      expect.stringContaining("the database cannot be written"),
    ]);

    renameSync(`${file}.aside`, file);
    await waitForLevel("ample");
    expect(await create()).toMatchObject({ status: 201 });
    expect((await app.request("/readyz")).status).toBe(200);
  });

  test("with only its log gone: requests are refused, because the newest documents were in it", async () => {
    await bench.appliance.store.probe();
    renameSync(`${file}-wal`, `${file}.aside`);
    await waitForLevel("full");
    expect(await create()).toMatchObject({ status: 503, retry: "30" });
  });
});
