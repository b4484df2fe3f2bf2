/**
 * Version 0.2.0 bound a sealed value to its row's id or a name, so that it could be copied to another table. The migration from its
 * schema seals all values again for their places; nothing else opens the old form.
 */
import { createDecipheriv, createHash } from "node:crypto";
import type Database from "better-sqlite3";
import { MasterKeyError } from "../database/errors.ts";
import { type Cipher, createCipher, keyNameOf, nameKey, placeOf } from "../encryption/cipher.ts";
import { isKeyOf, sealKeyCheck } from "../encryption/key-ring.ts";

/** The columns in schema 1, their keys, and what a value was bound to. */
const COLUMNS: readonly (readonly [string, string, readonly string[], (...key: string[]) => string])[] = [
  ["appliance", "audit_key", ["id"], () => "audit key"],
  ["connections", "credentials", ["id"], (id) => id!],
  ["webhook_endpoints", "secrets", ["id"], (id) => id!],
  ["idempotency", "answer", ["mode", "operation", "key"], (...key) => `idempotency ${key.join(" ")}`],
  ["tax_answers", "sealed", ["country", "code"], (...key) => `tax ${key.join(" ")}`],
  [
    "customers",
    "sealed",
    ["merchant_id", "mode", "country", "code"],
    (...key) => `customer ${key.join(" ")}`,
  ],
  ["deliveries", "attempts", ["id"], (id) => id!],
  ["document_inputs", "sealed", ["document_id"], (id) => `${id} contents`],
  ["filings", "sealed", ["document_id"], (id) => `${id} filing`],
  ["provider_pdfs", "sealed", ["document_id"], (id) => `${id} pdf`],
  ["mails", "sealed", ["id"], (id) => id!],
  ["bodies", "sealed", ["id"], (id) => id!],
];
const ROWS = 500;

const NAME_BYTES = 4;
const NONCE_END = 16;
const TAG_BYTES = 16;

interface OldKey {
  /** Undefined if the bytes were bound to something else, or changed. */
  open(record: string, sealed: Uint8Array): Buffer | undefined;
  /** Seals with the same key in today's form. */
  cipher: Cipher;
  name: string;
}

type OldKeys = ReadonlyMap<string, OldKey>;

function readOldKeys(masterKeys: readonly Uint8Array[]): OldKeys {
  return new Map(masterKeys.map((key) => [nameOldKey(key), createOldKey(key)]));
}

function nameOldKey(masterKey: Uint8Array): string {
  const hash = createHash("sha256").update("fiscal key name").update(masterKey).digest("hex");
  return hash.slice(0, 2 * NAME_BYTES);
}

function createOldKey(masterKey: Uint8Array): OldKey {
  return {
    open(record, sealed) {
      const tagAt = sealed.byteLength - TAG_BYTES;
      const nonce = sealed.subarray(NAME_BYTES, NONCE_END);
      const decipher = createDecipheriv("aes-256-gcm", masterKey, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(record)).setAuthTag(sealed.subarray(tagAt));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(NONCE_END, tagAt)), decipher.final()]);
      } catch {
        return undefined;
      }
    },
    cipher: createCipher(masterKey),
    name: nameKey(masterKey),
  };
}

/** Whether one of the keys made the key check of a database, in the old form or in today's. */
export function isAnyKeyOf(masterKeys: readonly Uint8Array[], check: Uint8Array): boolean {
  const isOld = findKeyOf(readOldKeys(masterKeys), check) !== undefined;
  return isOld || masterKeys.some((key) => isKeyOf(createCipher(key), check));
}

function findKeyOf(keys: OldKeys, check: Uint8Array): OldKey | undefined {
  const key = keys.get(keyNameOf(check) ?? "");
  return key?.open("appliance", check)?.toString() === "fiscal" ? key : undefined;
}

/**
 * Seals everything again, each value with the key that it had, within the caller's transaction. Values that no key opens stay as
 * they are. Throws MasterKeyError if the key of the database is missing, or the previous one during a rotation.
 */
export function resealOldForm(database: Database.Database, masterKeys: readonly Uint8Array[]): void {
  const keys = readOldKeys(masterKeys);
  const check = database.prepare<[], Buffer>("select key_check from appliance").pluck().get();
  if (check === undefined) return;
  database.prepare("update appliance set key_check = ?").run(resealCheck(keys, check));
  resealRotation(database, keys);
  for (const column of COLUMNS) resealColumn(database, keys, column);
}

function resealCheck(keys: OldKeys, check: Uint8Array): Uint8Array {
  const key = findKeyOf(keys, check);
  if (key === undefined) throw new MasterKeyError();
  return sealKeyCheck(key.cipher);
}

/** A rotation that has begun continues with the names of today's form. */
function resealRotation(database: Database.Database, keys: OldKeys): void {
  const stored = database
    .prepare<[], string>("select through from watermarks where name = 'master key rotation'")
    .pluck()
    .get();
  if (stored === undefined) return;
  const state = JSON.parse(stored) as { from: string; to: string; fromCheck: string };
  const nameOf = (old: string) => keys.get(old)?.name ?? old;
  const fromCheck = Buffer.from(resealCheck(keys, Buffer.from(state.fromCheck, "base64"))).toString("base64");
  const changed = { ...state, from: nameOf(state.from), to: nameOf(state.to), fromCheck };
  database
    .prepare("update watermarks set through = ? where name = 'master key rotation'")
    .run(JSON.stringify(changed));
}

/** In portions, because SQLite cannot change a table while it is read. */
function resealColumn(
  database: Database.Database,
  keys: OldKeys,
  [table, column, keyColumns, bind]: (typeof COLUMNS)[number],
): void {
  const names = keyColumns.join(", ");
  const marks = keyColumns.map(() => "?").join(", ");
  const select = (where: string) =>
    database
      .prepare(`select ${names}, ${column} from ${table} ${where} order by ${names} limit ${ROWS}`)
      .raw();
  const [first, next] = [select(""), select(`where (${names}) > (${marks})`)];
  const update = database.prepare(`update ${table} set ${column} = ? where (${names}) = (${marks})`);
  let rows = first.all() as unknown[][];
  while (rows.length > 0) {
    for (const row of rows) {
      const sealed = row.at(-1) as Buffer | null;
      const key = row.slice(0, -1);
      const old = sealed === null ? undefined : keys.get(keyNameOf(sealed) ?? "");
      const texts = key.map(String);
      const opened = sealed === null ? undefined : old?.open(bind(...texts), sealed);
      if (old !== undefined && opened !== undefined)
        update.run(old.cipher.seal(placeOf(table, column, texts), opened), ...key);
    }
    rows = next.all(...rows.at(-1)!.slice(0, -1)) as unknown[][];
  }
}
