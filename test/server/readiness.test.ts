import { describe, expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import { openBench } from "../helpers/appliance.ts";
import { forEachTest } from "../helpers/set-up.ts";

const bench = forEachTest(openBench);

async function ask({ app } = createApp(bench.appliance)) {
  const response = await app.request("/readyz");
  return { status: response.status, text: await response.text() };
}

describe("/readyz", () => {
  test("lists every check when all pass", async () => {
    const { status, text } = await ask();
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      status: "ready",
      checks: {
        database: true,
        migrated: true,
        master_key: true,
        active: true,
        space: true,
        accepting: true,
      },
      reasons: [],
    });
  });

  test("says why it is not ready and what to do, without paths or the system's messages", async () => {
    bench.appliance.store.probe = () => Promise.reject(new Error("disk I/O error at /srv/data/fiscal.db"));
    const { status, text } = await ask();
    expect(status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({
      status: "not ready",
      checks: { database: false, master_key: true },
      reasons: [
        { check: "database", message: "The database is not writable", next_step: expect.any(String) },
      ],
    });
    expect(text).not.toContain("/srv");
    expect(bench.logged.join("\n")).toContain("disk I/O error");
  });

  test("reports that the server is stopping", async () => {
    const app = createApp(bench.appliance);
    app.closeConnections();
    const { status, text } = await ask(app);
    expect(status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({ status: "stopping", reasons: [{ check: "accepting" }] });
  });
});
