import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createAnswerCache } from "../../src/tax-ids/lookup.ts";
import { parseKey } from "../../src/keys/key-files.ts";
import { audit } from "../../src/upkeep/audit/audit-journal.ts";
import { rotateMasterKey } from "../../src/keys/rotation.ts";
import { keyNameOf, nameKey, placeOf } from "../../storage/encryption/cipher.ts";
import { insertMail } from "../../src/issuing/customer-mail.ts";
import { SEALED_COLUMNS } from "../../storage/encryption/sealed.ts";
import { storeFiling, storePdf } from "../../src/journal/substance.ts";
import { type Bench, buildIssueBody, openBench } from "../helpers/appliance.ts";
import { openConnectingServer, type ConnectingServer } from "../helpers/connecting.ts";
import { makeFolder } from "../helpers/folder.ts";

let folder: string;
let server: ConnectingServer;
let keyFile: string;
beforeEach(async () => {
  folder = makeFolder();
  server = await openConnectingServer({ folder });
  keyFile = join(folder, "data", "master.key");
});
afterEach(() => server.close());

/** Stores something in every encrypted column. */
async function fillEverySealedColumn(): Promise<void> {
  await server.connect();
  await server.post("/api/v1/webhook_endpoints", { url: "http://127.0.0.1:9/", enabled_events: ["*"] });
  await server.post("/api/v1/merchants", { external_id: "another", name: "x" });
  const body = buildIssueBody(server.merchant, { provider: "sandbox" });
  const issued = await server.post("/api/v1/documents", body);
  const { store, clock, log } = server.appliance;
  const question = { country: "DE", code: "129273398" } as const;
  await createAnswerCache({ store, clock, log, cacheHours: 24 }).store(question, {
    valid: true,
    name: "x",
    address: null,
    checkedAt: "2026-11-21T09:00:00.000Z",
  });
  const { createWebhookQueue } = await import("../../src/webhooks/webhook-queue.ts");
  const queue = createWebhookQueue(server.appliance);
  await queue.settleAll();
  await queue.stop();
  await store.write(async (trx) => {
    await insertMail(
      trx,
      { documentId: issued.body.data.id, to: "customer@example.com", formKey: null },
      "due",
    );
    await storeFiling(trx, server.appliance, issued.body.data.id, "<InvoicesDoc/>");
    await storePdf(trx, server.appliance, issued.body.data.id, Buffer.from("%PDF-1.7"));
  });
}

/** The names of the keys in use by column, read from the database file. */
function keyNames(): Map<string, Set<string>> {
  const database = new Database(join(folder, "data", "fiscal.db"), { readonly: true });
  try {
    return new Map(
      sealedColumns(database).map(({ table, column }) => {
        const rows = database
          .prepare<[], { value: Uint8Array }>(
            `select ${column} as value from ${table} where ${column} is not null`,
          )
          .all();
        return [`${table}.${column}`, new Set(rows.map(({ value }) => keyNameOf(value) ?? ""))];
      }),
    );
  } finally {
    database.close();
  }
}

/** Columns of bytes that are not encrypted. */
const UNSEALED: ReadonlySet<string> = new Set([
  "letterheads.digest",
  "events.chain",
  "events.document_digest",
  "appliance.chain",
  "appliance.chain_seal",
  "event_notes.chain",
  "event_notes.digest",
  "event_notes.digest_after",
]);

function sealedColumns(database: Database.Database): { table: string; column: string }[] {
  const tables = database
    .prepare<[], { name: string }>("select name from sqlite_master where type = 'table'")
    .all();
  return tables.flatMap(({ name: table }) =>
    (database.pragma(`table_info(${table})`) as { name: string; type: string }[])
      .filter(({ name, type }) => type.toLowerCase() === "blob" && !UNSEALED.has(`${table}.${name}`))
      .map(({ name: column }) => ({ table, column })),
  );
}

test("a rotation covers every encrypted column", () => {
  const known = [
    ...SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`),
    "appliance.key_check",
    "appliance.audit_key",
  ];
  expect([...keyNames().keys()].sort()).toEqual(known.sort());
});

test("a sealed value opens in its own place and in no other", async () => {
  await fillEverySealedColumn();
  const database = new Database(join(folder, "data", "fiscal.db"), { readonly: true });
  const values = SEALED_COLUMNS.map(({ table, column, key }) => {
    const [row] = database
      .prepare(`select ${column}, ${key.join(", ")} from ${table} where ${column} is not null`)
      .raw()
      .all() as [Uint8Array, ...string[]][];
    const [value, ...keyValues] = row!;
    return { table, column, value, key: keyValues };
  });
  database.close();
  const { cipher } = server.appliance.store;
  const keys = [...values.map(({ key }) => key), ["1"]];
  const columns = [...SEALED_COLUMNS, { table: "appliance", column: "audit_key" }];
  for (const { table, column, key, value } of values) {
    expect(cipher.open(placeOf(table, column, key), value)).toBeDefined();
    const places = columns.flatMap((other) => keys.map((each) => placeOf(other.table, other.column, each)));
    const opening = [...new Set(places)].filter((place) => cipher.open(place, value) !== undefined);
    expect(opening).toEqual([placeOf(table, column, key)]);
  }
});

describe("a rotation", () => {
  test("leaves nothing encrypted with the old key, and stores that key in a dated file", async () => {
    await fillEverySealedColumn();
    const old = readFileSync(keyFile, "utf8").trim();
    const before = keyNames();
    expect([...before.values()].every((names) => names.size === 1)).toBe(true);
    const newKey = randomBytes(32);

    const rotation = await rotateMasterKey(server.appliance, { newKey });

    expect(rotation).toMatchObject({ object: "master_key_rotation", resumed: false });
    expect(rotation.unreadable).toEqual({});
    expect(Object.keys(rotation.resealed).sort()).toEqual(SEALED_COLUMNS.map(({ table }) => table).sort());
    for (const names of keyNames().values()) expect([...names]).toEqual([nameKey(newKey)]);
    expect(readFileSync(keyFile, "utf8").trim()).toBe(newKey.toString("hex"));
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    expect(existsSync(`${keyFile}.new`)).toBe(false);
    const retired = rotation.retired_key_file!;
    expect(retired).toContain("master.key.retired-2026-11-21-");
    expect(statSync(retired).mode & 0o777).toBe(0o600);
    expect(readFileSync(retired, "utf8")).toContain("Backups made before need this key");
    expect(parseKey(readFileSync(retired, "utf8"), retired).toString("hex")).toBe(old);
  });

  test("is noticed by running processes, which read on and use the new key from their next write", async () => {
    await fillEverySealedColumn();
    const id = (await server.get("/api/v1/requests?limit=100")).body.data.at(-1).id;
    const other = await openBench({ folder });
    const newKey = randomBytes(32);
    await rotateMasterKey(other.appliance, { newKey });
    await other.close();

    // This process reads before it writes: the value names a key that it has not seen.
    expect((await server.get(`/api/v1/requests/${id}`)).body.data.bodies_unreadable).not.toBe(true);
    await server.post("/api/v1/merchants", { external_id: "later", name: "x" });
    await server.appliance.store.write(async () => {});
    for (const names of keyNames().values()) expect([...names]).toEqual([nameKey(newKey)]);
  });

  test("skips and reports values that no key decrypts", async () => {
    const id = await server.connect();
    const database = new Database(join(folder, "data", "fiscal.db"));
    database
      .prepare(
        "update connections set credentials = cast(substr(credentials, 1, 20) || zeroblob(40) as blob) where id = ?",
      )
      .run(id);
    database.close();
    expect((await rotateMasterKey(server.appliance)).unreadable).toEqual({ connections: 1 });
  });

  test("ends with one key if two run at the same time", async () => {
    await fillEverySealedColumn();
    const other = await openBench({ folder });
    const done = await Promise.all([rotateMasterKey(server.appliance), rotateMasterKey(other.appliance)]);
    await other.close();
    expect(done[0].to).toBe(done[1].to);
    expect(nameKey(parseKey(readFileSync(keyFile, "utf8"), keyFile))).toBe(done[0].to);
    for (const names of keyNames().values()) expect([...names]).toEqual([done[0].to]);
    expect(readdirSync(join(folder, "data")).filter((name) => name.includes("retired"))).toHaveLength(1);
  });

  test("rejects the key that is already in use", async () => {
    const newKey = Buffer.from(readFileSync(keyFile, "utf8").trim(), "hex");
    await expect(rotateMasterKey(server.appliance, { newKey })).rejects.toThrow(
      "already the master key in use",
    );
  });
});

describe("a key file that cannot be replaced", () => {
  /** Makes the key file a mount of its own, as `docker run -v key:/data/master.key` does. Returns false if that is not allowed. */
  function mountKey(): boolean {
    return spawnSync("mount", ["--bind", keyFile, keyFile]).status === 0;
  }

  test("is refused before anything is encrypted again", async (context) => {
    await server.connect();
    context.skip(!mountKey(), "only root may mount");
    try {
      const before = [keyNames(), readFileSync(keyFile, "utf8"), readdirSync(join(folder, "data"))];
      await expect(rotateMasterKey(server.appliance)).rejects.toThrow(
        "cannot be replaced: it is mounted as a single file. Nothing was changed",
      );
      expect([keyNames(), readFileSync(keyFile, "utf8"), readdirSync(join(folder, "data"))]).toEqual(before);
    } finally {
      spawnSync("umount", [keyFile]);
    }
    await rotateMasterKey(server.appliance);
  });
});

test("the audit still holds after a rotation, but not with the audit key that was sealed before", async () => {
  const { store, config } = server.appliance;
  const read = new Database(config.storage.database);
  const sealed = read.prepare("select audit_key from appliance").pluck().get();
  await rotateMasterKey(server.appliance);
  await server.post("/api/v1/merchants", { external_id: "later", name: "x" });
  const verify = () => store.snapshot((session) => audit(session, store.cipher));
  expect(await verify()).toMatchObject({ intact: true });
  read.prepare("update appliance set audit_key = ?").run(sealed);
  read.close();
  const { problems } = await verify();
  expect(problems[0]?.message.en).toContain("encrypted with an earlier master key");
});

describe("a rotation that was stopped", () => {
  class Stopped extends Error {}

  /** Throws once `values` are done. Committed portions stay, as after a kill. */
  async function stopAfter(values: number, newKey = randomBytes(32)): Promise<Buffer> {
    const onProgress = (done: number) => {
      if (done >= values) throw new Stopped();
    };
    await expect(rotateMasterKey(server.appliance, { newKey, onProgress })).rejects.toThrow(Stopped);
    return newKey;
  }

  test.each([0, 1, 3])("after %i values is finished by the next run", async (values) => {
    await fillEverySealedColumn();
    const newKey = await stopAfter(values);
    expect([...(keyNames().get("appliance.key_check") ?? [])]).toEqual([nameKey(newKey)]);

    // A process that starts now reads both keys and works.
    const next = await openBench({ folder });
    await next.makeMerchant("meanwhile");
    const rotation = await rotateMasterKey(next.appliance);
    await next.close();

    expect(rotation).toMatchObject({ resumed: true, to: nameKey(newKey) });
    for (const names of keyNames().values()) expect([...names]).toEqual([nameKey(newKey)]);
  });

  test("rejects another new key", async () => {
    await stopAfter(0);
    await expect(rotateMasterKey(server.appliance, { newKey: randomBytes(32) })).rejects.toThrow(
      "finish it first",
    );
  });

  test("needs the old key until it ends, and counts nothing as unreadable without it", async () => {
    await fillEverySealedColumn();
    const newKey = await stopAfter(1);
    const next = await openBench({ folder, env: { FISCAL_MASTER_KEY: newKey.toString("hex") } });
    await expect(rotateMasterKey(next.appliance)).rejects.toThrow("FISCAL_MASTER_KEY_PREVIOUS");
    await next.close();
    const { resumed, unreadable } = await rotateMasterKey(server.appliance);
    expect([resumed, unreadable]).toEqual([true, {}]);
  });
});

describe("with keys in the environment", () => {
  const [OLD, NEW] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
  const opened: Bench[] = [];
  afterEach(async () => {
    for (const bench of opened.splice(0)) await bench.close();
  });
  async function open(env: Record<string, string>): Promise<Bench> {
    const bench = await openBench({
      folder: join(folder, "environment"),
      env: { FISCAL_DATA_DIR: join(folder, "environment"), ...env },
    });
    opened.push(bench);
    return bench;
  }

  test("servers that have both keys use the old one until the rotation", async () => {
    await (await open({ FISCAL_MASTER_KEY: OLD })).makeMerchant();
    const both = await open({ FISCAL_MASTER_KEY: NEW, FISCAL_MASTER_KEY_PREVIOUS: OLD });
    await both.makeMerchant("second");
    const rotation = await rotateMasterKey(both.appliance);
    expect(rotation).toMatchObject({ to: nameKey(Buffer.from(NEW, "hex")), retired_key_file: null });
    await (await open({ FISCAL_MASTER_KEY: NEW })).makeMerchant("third");
    await expect(open({ FISCAL_MASTER_KEY: OLD })).rejects.toThrow("master key is not the one");
  });

  test("a server that has only the old key refuses to write, and is not ready", async () => {
    const old = await open({ FISCAL_MASTER_KEY: OLD });
    const both = await open({ FISCAL_MASTER_KEY: NEW, FISCAL_MASTER_KEY_PREVIOUS: OLD });
    await rotateMasterKey(both.appliance);
    await expect(old.makeMerchant()).rejects.toThrow("restart the process with the new one");
    expect(await old.appliance.ready()).toMatchObject({ ready: false, checks: { master_key: false } });
  });
});
