/** Every released schema can be migrated to this version, and then reads as it was written. */
import { readdir, readFile, symlink } from "node:fs/promises";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeEach, describe, expect, test } from "vitest";
import { backUpBeforeMigration } from "../../src/upkeep/backup/make-backup.ts";
import { verifyBackup } from "../../src/upkeep/backup/backup-places.ts";
import { listConnections } from "../../src/connections/connections.ts";
import { audit } from "../../src/upkeep/audit/audit-journal.ts";
import { createClock } from "../../src/foundation/clock.ts";
import { type Config, loadConfig } from "../../src/config/config.ts";
import { findHoles } from "../../src/numbering/audit-numbers.ts";
import { listDocuments } from "../../src/documents/list-documents.ts";
import { listEvents } from "../../src/journal/event-object.ts";
import { listKeys } from "../../src/keys/api-keys.ts";
import { listCustomers } from "../../src/merchants/customers.ts";
import { listMerchants } from "../../src/merchants/merchants.ts";
import { SCHEMA_VERSION } from "../../storage/database/schema.ts";
import { type Bench, openBench } from "../helpers/appliance.ts";
import { makeFolder } from "../helpers/folder.ts";
import { dumpSchema, FIXTURE_KEY, FIXTURES } from "../helpers/schema-fixtures.ts";
import { closing } from "../helpers/set-up.ts";

const RELEASED = readdirSync(FIXTURES)
  .filter((name) => name.endsWith(".sql"))
  .sort();

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});

const ENV = { FISCAL_MASTER_KEY: FIXTURE_KEY };
const database = () => join(folder, "data", "fiscal.db");
const kept = () => readdir(join(folder, "data", "backups"));

const configuration = () =>
  loadConfig({ env: { ...ENV, FISCAL_DATA_DIR: join(folder, "data") }, cwd: folder, flags: {} });

function keep(config: Config, nowMs: number): Promise<void> {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  return backUpBeforeMigration({ config, clock: createClock(() => nowMs), log }, () => [
    Buffer.from(FIXTURE_KEY, "hex"),
  ]);
}

interface Written {
  documents: { id: string; status: string; mark: string | null; number: number | null }[];
  events: string[];
  merchants: string[];
  connections: string[];
  keys: string[];
}

/** Creates the database of `sql`, and returns what is in it, newest first. */
function load(sql: string): Written {
  mkdirSync(join(folder, "data"), { recursive: true });
  const old = new Database(database());
  try {
    // The dump lists tables in order of creation, not of their references.
    old.pragma("foreign_keys = OFF");
    old.exec(sql);
    const ids = (table: string) =>
      (old.prepare(`select id from ${table} order by id desc`).all() as { id: string }[]).map(({ id }) => id);
    return {
      documents: old
        .prepare("select id, status, mark, number from documents order by id desc")
        .all() as Written["documents"],
      events: ids("events"),
      merchants: ids("merchants"),
      connections: ids("connections"),
      keys: ids("api_keys"),
    };
  } finally {
    old.close();
  }
}

const all = { limit: 100 };

async function readAll({ appliance }: Bench): Promise<Written> {
  const ids = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);
  const documents = await listDocuments(appliance, "test", all);
  return {
    documents: documents.data.map(({ id, status, mark, number }) => ({ id, status, mark, number })),
    events: ids(await listEvents(appliance, "test", all)),
    merchants: ids(await listMerchants(appliance, all)),
    connections: ids(await listConnections(appliance, "test", undefined, all)),
    keys: (await listKeys(appliance)).map(({ id }) => id).reverse(),
  };
}

async function bringUp(sql: string): Promise<{ written: Written; bench: Bench }> {
  const written = load(sql);
  return { written, bench: await openBench({ folder, env: ENV }) };
}

describe.each(RELEASED)("a database of the released schema %s", (name) => {
  const text = () => readFile(join(FIXTURES, name), "utf8");

  test("has the same data after migration, and continues its work", async () => {
    const { written, bench } = await bringUp(await text());
    try {
      expect(written.documents.map(({ status }) => status)).toEqual([
        "pending",
        "failed",
        "rejected",
        "issued",
      ]);
      expect(await readAll(bench)).toEqual(written);
      await bench.settle();
      expect((await readAll(bench)).documents[0]).toMatchObject({ status: "issued" });
      const { store } = bench.appliance;
      const ofCustomer = await listDocuments(bench.appliance, "test", {
        ...all,
        customer_tax_id: "094012834",
      });
      expect(ofCustomer.data.map(({ id }) => id)).toEqual(written.documents.map(({ id }) => id));
      const [merchantId = ""] = written.merchants;
      expect(await listCustomers(bench.appliance, { merchantId, mode: "test", limit: 10 })).toMatchObject([
        { country: "GR", code: "094012834" },
      ]);
      expect(await Array.fromAsync(findHoles(store.read))).toEqual([]);
      expect(await store.snapshot((session) => audit(session, store.cipher))).toMatchObject({ problems: [] });
    } finally {
      await bench.close();
    }
  });

  test("is backed up before a migration, in a file that can be verified", async () => {
    const written = load(await text());
    const config = configuration();
    await keep(config, Date.parse("2026-11-21T09:00:00.000Z"));
    const [backup, ...others] = await kept();
    expect(others).toEqual([]);
    expect(backup).toMatch(new RegExp(`^before-schema-${SCHEMA_VERSION}-\\d{8}T\\d{6}Z\\.db$`));
    const file = join(folder, "data", "backups", backup!);
    const verified = await verifyBackup(config, {
      file,
      passphrase: null,
      withoutChecksum: false,
    });
    expect(verified.content.schema).toBe(Number(name.slice(0, 4)));
    expect(verified.content.counts).toMatchObject({ documents: 4, events: written.events.length });
  });
});

test("repeated starts keep one backup of the same database", async () => {
  load(await readFile(join(FIXTURES, "0001.sql"), "utf8"));
  const config = configuration();
  const firstMs = Date.parse("2026-11-21T09:00:00.000Z");
  await keep(config, firstMs);
  await keep(config, firstMs + 60_000);
  const second = `before-schema-${SCHEMA_VERSION}-20261121T090100Z.db`;
  expect(await kept()).toEqual([second]);
  // An older one was moved to a disk that is not there now, and only its link is left.
  const moved = `before-schema-${SCHEMA_VERSION}-20261120T090000Z.db`;
  await symlink(join(folder, "missing.db"), join(folder, "data", "backups", moved));
  await keep(config, firstMs + 90_000);
  expect(await kept()).toEqual([moved, `before-schema-${SCHEMA_VERSION}-20261121T090130Z.db`]);
  const old = new Database(database());
  old.exec("update merchants set name = 'another'");
  old.close();
  await keep(config, firstMs + 120_000);
  expect(await kept()).toHaveLength(3);
});

test("a running program writes nothing once a newer one has migrated the schema, and says that a repetition may succeed", async () => {
  await using bench = await closing(openBench({ folder, env: ENV }));
  const newer = new Database(database());
  newer.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
  newer.close();
  await expect(bench.makeMerchant()).rejects.toMatchObject({
    code: "service_unavailable",
    message: expect.stringContaining("A newer version has migrated the database"),
  });
  expect(await bench.appliance.ready()).toMatchObject({
    ready: false,
    checks: { database: true, migrated: false, master_key: true },
  });
});

test("a dump of this version's schema loads like a released one, without a backup", async () => {
  const { written, bench } = await bringUp(await dumpSchema());
  try {
    expect(await readAll(bench)).toEqual(written);
    await expect(kept()).rejects.toMatchObject({ code: "ENOENT" });
  } finally {
    await bench.close();
  }
});
