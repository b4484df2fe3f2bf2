import { createCipheriv, createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeEach, describe, expect, test } from "vitest";
import { keyNameOf, nameKey, type Place } from "../../storage/encryption/cipher.ts";
import { MasterKeyError } from "../../storage/database/errors.ts";
import { placeIn } from "../../storage/encryption/sealed.ts";
import { createAuditKey } from "../../storage/encryption/key-ring.ts";
import { CHAIN_START, authenticateEnd } from "../../storage/journal/event-chain.ts";
import { SCHEMA_VERSION } from "../../storage/database/schema.ts";
import { up as schema } from "../../storage/migrations/0001-schema.ts";
import { migrate } from "../../storage/sqlite/migrate.ts";
import { openStore } from "../../storage/sqlite/open-sqlite.ts";
import { makeFolder } from "../helpers/folder.ts";

const KEY = randomBytes(32);
const PREVIOUS = randomBytes(32);
const AUDIT_KEY = randomBytes(32);
const NOW = "2026-11-21T09:00:00.000Z";

let file: string;
beforeEach(() => {
  file = join(makeFolder(), "fiscal.db");
});

const oldName = (key: Buffer) =>
  createHash("sha256").update("fiscal key name").update(key).digest().subarray(0, 4);

/** As version 0.2.0 did. */
function sealOld(record: string, plain: string | Buffer, key = KEY): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(record));
  return Buffer.concat([oldName(key), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** A database of version 0.2.0; `isRotating`: a rotation from the previous key has not come to the bodies. */
async function makeOld(isRotating = false): Promise<void> {
  const database = new Database(file);
  database.pragma("journal_mode = WAL");
  database.pragma("foreign_keys = off");
  await migrate(database, undefined, [schema]);
  const insert = (table: string, row: Record<string, unknown>) =>
    database
      .prepare(
        `insert into ${table} (${Object.keys(row).join(", ")}) values (${Object.keys(row)
          .map(() => "?")
          .join(", ")})`,
      )
      .run(...Object.values(row));
  insert("appliance", {
    id: 1,
    last_id: "0".repeat(22),
    key_check: sealOld("appliance", "fiscal"),
    audit_key: sealOld("audit key", AUDIT_KEY),
    chain_seal: authenticateEnd(createAuditKey(AUDIT_KEY), CHAIN_START),
    state: "active",
    created_at: NOW,
  });
  insert("filings", { document_id: "doc_1", sealed: sealOld("doc_1 filing", "filing") });
  for (let index = 0; index < 1200; index += 1) {
    const id = `pcl_${index}`;
    const key = isRotating ? PREVIOUS : KEY;
    insert("bodies", { id, sealed: sealOld(id, `body ${index}`, key), created_at: NOW });
  }
  insert("bodies", { id: "pcl_damaged", sealed: sealOld("another", "x"), created_at: NOW });
  if (isRotating) {
    const [from, to] = [oldName(PREVIOUS).toString("hex"), oldName(KEY).toString("hex")];
    const fromCheck = sealOld("appliance", "fiscal", PREVIOUS).toString("base64");
    const state = { from, to, fromCheck, table: "filings", after: ["doc_1"] };
    insert("watermarks", { name: "master key rotation", through: JSON.stringify(state) });
  }
  database.close();
}

const open = (...keys: Buffer[]) => openStore({ file, masterKey: () => keys, nowMs: Date.now });

function sealedOf(table: string, where: string): Buffer {
  const database = new Database(file, { readonly: true });
  const sealed = database.prepare<[], Buffer>(`select sealed from ${table} where ${where}`).pluck().get();
  database.close();
  return sealed!;
}

/** The names of the keys of all bodies, and the stored rotation. */
function read(): { names: Set<string | undefined>; version: unknown; rotation: unknown } {
  const database = new Database(file, { readonly: true });
  const sealed = database
    .prepare<[], Buffer>("select sealed from bodies where id <> 'pcl_damaged'")
    .pluck()
    .all();
  const rotation = database.prepare<[], string>("select through from watermarks").pluck().get();
  const version = database.pragma("user_version", { simple: true });
  database.close();
  return {
    names: new Set(sealed.map(keyNameOf)),
    version,
    rotation: rotation === undefined ? undefined : JSON.parse(rotation),
  };
}

describe("the migration of a database of version 0.2.0", () => {
  test("seals every value again for its place, and nothing opens the old form", async () => {
    await makeOld();
    const old = sealedOf("filings", "true");
    const store = await open(KEY);
    const opened = (place: Place, table: string, where: string) =>
      store.cipher.open(place, sealedOf(table, where))?.toString();
    expect(opened(placeIn("filings", "doc_1"), "filings", "true")).toBe("filing");
    expect(opened(placeIn("bodies", "pcl_1199"), "bodies", "id = 'pcl_1199'")).toBe("body 1199");
    expect(opened(placeIn("bodies", "pcl_damaged"), "bodies", "id = 'pcl_damaged'")).toBeUndefined();
    expect(store.cipher.open(placeIn("filings", "doc_1"), old)).toBeUndefined();
    // A write opens the audit key and the seal of the chain.
    await store.write(async (trx) => void trx.newId("pcl"));
    await store.close();
    expect(read()).toMatchObject({ names: new Set([nameKey(KEY)]), version: SCHEMA_VERSION });
  });

  test("changes nothing without the key of the database", async () => {
    await makeOld();
    await expect(open(PREVIOUS)).rejects.toThrow(MasterKeyError);
    expect(read()).toMatchObject({ names: new Set([oldName(KEY).toString("hex")]), version: 1 });
  });

  test("keeps a rotation that has begun, and needs both keys for it", async () => {
    await makeOld(true);
    await expect(open(KEY)).rejects.toThrow(MasterKeyError);
    const store = await open(KEY, PREVIOUS);
    await store.close();
    const { names, rotation } = read();
    expect(names).toEqual(new Set([nameKey(PREVIOUS)]));
    expect(rotation).toMatchObject({ from: nameKey(PREVIOUS), to: nameKey(KEY), table: "filings" });
  });
});
