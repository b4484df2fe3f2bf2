/** A database that another program replicates continuously, and a held standby made from the replica (docs/replication.md). */
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { auditNumbering } from "../../src/numbering/audit-numbers.ts";
import { runRetentionDaily } from "../../src/upkeep/retention/retention.ts";
import { isHeld } from "../../src/journal/held.ts";
import { type LogReplicator, startLogReplicator } from "../helpers/log-replicator.ts";
import { openSites } from "../helpers/restoring.ts";
import { forEachTest } from "../helpers/set-up.ts";

const DAY_MS = 86_400_000;

let replicator: LogReplicator;
const sites = forEachTest(openSites);
beforeEach(async () => {
  replicator = startLogReplicator(
    sites.first.appliance.config.storage.database,
    join(sites.folder, "base.db"),
  );
});
afterEach(async () => {
  replicator.stop();
});

async function issue(count: number, name: string): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1)
    ids.push(await sites.first.accept(`${name}-${index}`, 1000 + index));
  await sites.first.processAll(...ids);
  return ids;
}

function documentsIn(file: string): unknown[] {
  const database = new Database(file);
  try {
    return database.prepare("select id from documents order by id").pluck().all();
  } finally {
    database.close();
  }
}

test("the nightly clean-up leaves the log to a replicator that is reading it", async () => {
  await issue(3, "before");
  replicator.replicate();
  sites.first.advance(401 * DAY_MS);
  await runRetentionDaily(sites.first.appliance);
  expect(sites.first.logged.join()).toContain("past its retention period");
  await issue(1, "after");
  expect(() => replicator.replicate()).not.toThrow();
});

test("a standby restored from the replica is held, and files nothing twice after it is resumed", async () => {
  const [issued] = await issue(1, "issued");
  const waiting = await sites.first.accept("waiting", 5000);
  replicator.replicate();
  // These never reach the replica.
  await sites.first.processAll(waiting, await sites.first.accept("lost", 6000));
  const replica = join(sites.folder, "replica.db");
  replicator.restore(replica);
  const standby = await sites.restore(replica);
  expect(await isHeld(standby.appliance.store.read)).toBe(true);
  const asked = sites.registry.requests.length;
  await standby.processAll(waiting);
  expect(sites.registry.requests.length).toBe(asked);
  await sites.resume(standby);
  // Its caller got no answer it could keep, and asks again.
  const repeated = await standby.accept("lost", 6000);
  const documents = await standby.processAll(issued!, waiting, repeated);
  expect(documents.map(({ status, number }) => [status, number])).toEqual([
    ["issued", 1],
    ["issued", 2],
    ["issued", 3],
  ]);
  expect(sites.registry.ledger.map(({ aa }) => Number(aa))).toEqual([1, 2, 3]);
  expect((await auditNumbering(standby.appliance, {})).holes).toEqual([]);
});

test("a standby has every document whose commit was copied, wherever the copy ends", async () => {
  const ends: number[] = [];
  const ids: string[] = [];
  for (let index = 0; index < 8; index += 1) {
    ids.push(await sites.first.accept(`document-${index}`));
    replicator.replicate();
    ends.push(replicator.copied());
  }
  const replica = join(sites.folder, "replica.db");
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: ends[0]!, max: ends.at(-1)! }), async (bytes) => {
      replicator.restore(replica, bytes);
      const complete = ends.filter((end) => end <= bytes).length;
      expect(documentsIn(replica)).toEqual(ids.slice(0, complete));
    }),
    { numRuns: 40 },
  );
});
