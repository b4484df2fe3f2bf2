/** Counters that all servers of a database share (docs/contract.md#rate-limits-of-several-machines). */
import { createHash, randomBytes } from "node:crypto";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { UnavailableDatabaseError } from "../../storage/database/errors.ts";
import type { SharedCounters } from "../../storage/database/store.ts";
import { askForPostgres, makePostgresDatabase, openPostgresIn } from "../helpers/engines.ts";
import { makeFolder } from "../helpers/folder.ts";
import { runSql, withClient } from "../helpers/postgres.ts";
import { startProxy } from "../helpers/postgres-proxy.ts";

const hasPostgres = (await askForPostgres()) !== undefined;

describe.skipIf(!hasPostgres)("the counters of a database in PostgreSQL", () => {
  const masterKey = randomBytes(32);
  let url: string;
  beforeAll(async () => void (url = (await makePostgresDatabase())!));

  async function open(through = url): Promise<SharedCounters> {
    const store = await openPostgresIn(makeFolder(), { url: through, masterKey });
    onTestFinished(store.close);
    return store.counters!;
  }
  const sql = (text: string) => runSql(url, text);
  const listWaiting = () =>
    sql("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");
  const usedBy = async (counting: readonly Promise<{ used: number }>[]) =>
    (await Promise.all(counting)).map(({ used }) => used);

  test("give each request of several servers a number of its own", async () => {
    const servers = await Promise.all([open(), open(), open()]);
    const counting = Array.from({ length: 90 }, (_, index) =>
      servers[index % servers.length]!.count(index % 2 === 0 ? "even" : "odd", 60),
    );
    const used = await usedBy(counting);
    for (const parity of [0, 1]) {
      const own = used.filter((_, index) => index % 2 === parity).toSorted((a, b) => a - b);
      expect(own).toEqual(Array.from({ length: 45 }, (_, index) => index + 1));
    }
  });

  test("go on when a request waited for another one, whose window began after it", async () => {
    const server = await open();
    await server.count("waiting", 60);
    await withClient(url, async (other) => {
      await other.query("begin; update shared_counters set used = used + 1");
      const counted = server.count("waiting", 60);
      await expect.poll(listWaiting).toHaveLength(1);
      await other.query("update shared_counters set ends_at = clock_timestamp() + interval '60 s'; commit");
      expect(await counted).toMatchObject({ used: 3 });
    });
  });

  test("number the requests of one server in their order", async () => {
    const server = await open();
    const counting = Array.from({ length: 5 }, () => server.count("ordered", 60));
    expect(await usedBy(counting)).toEqual([1, 2, 3, 4, 5]);
  });

  test("begin again when the window is over, or when it would end later than a new one", async () => {
    const server = await open();
    expect(await server.count("window", 1000)).toEqual({ used: 1, resetSeconds: 1000 });
    await sql("update shared_counters set ends_at = ends_at - interval '700 s'");
    const second = await server.count("window", 1000);
    expect(second.used).toBe(2);
    expect(second.resetSeconds).toBeLessThanOrEqual(300);
    await sql("update shared_counters set ends_at = statement_timestamp() - interval '1 ms'");
    expect(await server.count("window", 1000)).toEqual({ used: 1, resetSeconds: 1000 });
    expect(await server.count("window", 5)).toEqual({ used: 1, resetSeconds: 5 });
  });

  test("do not show what was counted, not even without the key, and forget it after its window", async () => {
    await (await open()).count("pages 203.0.113.7", 60);
    const stored = JSON.stringify(await sql("select encode(digest, 'hex') as digest from shared_counters"));
    expect(stored).not.toContain(Buffer.from("203.0.113.7").toString("hex"));
    // There are so few addresses that a digest without a key would show them.
    expect(stored).not.toContain(createHash("sha256").update("pages 203.0.113.7").digest("hex"));
    await sql("update shared_counters set ends_at = statement_timestamp() - interval '1 s'");
    await (await open()).count("another", 60);
    expect(await sql("select 1 from shared_counters")).toHaveLength(1);
  });

  test("survive lost connections, and reject requests while there is no server", async () => {
    const proxy = await startProxy(url, { reaches: false });
    const server = await open(proxy.url);
    await server.count("cut", 60);
    proxy.cutAll();
    expect(await server.count("cut", 60)).toMatchObject({ used: 2 });
    await proxy.close();
    await expect(server.count("cut", 60)).rejects.toThrow(UnavailableDatabaseError);
  });
});
