/**
 * The master keys of a process (docs/contract.md#master-key). The key check in the database determines the one that seals.
 * Every write reads it under the write lock, so all processes switch to a new key with the same commit. If the key is not
 * known yet, the keys are read again from their source.
 *
 * The audit key: 256 random bits that authenticate the chain of events (docs/contract.md#keyed-audit-chain). It is stored in
 * the appliance row, sealed with the master key, and stays the same when the master key is replaced.
 */
import { type Cipher, createCipher, keyNameOf, nameKey, placeOf } from "./cipher.ts";
import { AuditKeyError, MasterKeyError } from "../database/errors.ts";
import { createHmac, createSecretKey, randomBytes } from "node:crypto";
import { type KeyedSession, statement } from "../database/session.ts";

const KEY_CHECK = placeOf("appliance", "key_check", ["1"]);
const KEY_CHECK_TEXT = "fiscal";

/** The key check: a known text, sealed, by which a wrong master key is detected before anything is written with it. */
export function sealKeyCheck(cipher: Cipher): Uint8Array {
  return cipher.seal(KEY_CHECK, KEY_CHECK_TEXT);
}

/** Whether the key check `sealed` was made with a key of `cipher`. */
export function isKeyOf(cipher: Cipher, sealed: Uint8Array): boolean {
  return cipher.open(KEY_CHECK, sealed)?.toString() === KEY_CHECK_TEXT;
}

/** Reads the keys of a process, 32 bytes each. The first one is used for a new database. */
export type ReadMasterKeys = () => readonly Uint8Array[];

export interface KeyRing extends Cipher {
  /** Seals with the key of `keyCheck` from now on. Throws MasterKeyError if no key matches it. */
  follow(keyCheck: Uint8Array): void;
  /** Opens the audit key of the database. Throws AuditKeyError if no key opens it. */
  openAuditKey(sealed: Uint8Array): AuditKey;
}

/** Creates a ring. The first key seals until `follow` is called. Keys that were read once stay in the ring. */
export function createKeyRing(readKeys: ReadMasterKeys): KeyRing {
  const ciphers = new Map<string, Cipher>();
  function read(): string[] {
    return readKeys().map((key) => {
      const name = nameKey(key);
      if (!ciphers.has(name)) ciphers.set(name, createCipher(key));
      return name;
    });
  }
  const [first] = read();
  if (first === undefined) throw new RangeError("A key ring has at least one key");
  let sealing = { name: first, cipher: ciphers.get(first)! };

  /** The cipher of the key with this name. Reads the keys again if it is unknown. */
  function cipherOf(name: string): Cipher | undefined {
    const known = ciphers.get(name);
    if (known !== undefined) return known;
    read();
    return ciphers.get(name);
  }

  const cipher: Cipher = {
    seal: (place, plain) => sealing.cipher.seal(place, plain),
    open(place, sealed) {
      const name = keyNameOf(sealed);
      return name === undefined ? undefined : cipherOf(name)?.open(place, sealed);
    },
  };
  return {
    ...cipher,
    openAuditKey: createAuditKeyReader(cipher),
    follow(keyCheck) {
      const name = keyNameOf(keyCheck);
      if (name === sealing.name) return;
      const other = name === undefined ? undefined : cipherOf(name);
      if (name === undefined || other === undefined || !isKeyOf(other, keyCheck)) throw new MasterKeyError();
      sealing = { name, cipher: other };
    },
  };
}

const AUDIT_KEY_BYTES = 32;
const PLACE = placeOf("appliance", "audit_key", ["1"]);

export interface AuditKey {
  /** The HMAC-SHA-256 of the parts in a row. Only the last may have a length that varies, or their borders are unclear. */
  authenticate(...parts: readonly (string | Uint8Array)[]): Buffer;
}

export function createAuditKey(bytes: Uint8Array): AuditKey {
  const key = createSecretKey(Buffer.from(bytes));
  return {
    authenticate(...parts) {
      const hmac = createHmac("sha256", key);
      // Node takes twice as long to hash text as to convert it and hash the bytes.
      for (const part of parts) hmac.update(typeof part === "string" ? Buffer.from(part) : part);
      return hmac.digest();
    },
  };
}

export function makeSealedAuditKey(cipher: Cipher): Uint8Array {
  return cipher.seal(PLACE, randomBytes(AUDIT_KEY_BYTES));
}

/** Opens a sealed audit key; undefined if no key of `cipher` opens it, or if it is another value. */
export function openAuditKey(cipher: Cipher, sealed: Uint8Array): AuditKey | undefined {
  const bytes = cipher.open(PLACE, sealed);
  return bytes?.byteLength === AUDIT_KEY_BYTES ? createAuditKey(bytes) : undefined;
}

const selectAuditKey = statement<object>()((db) =>
  db.selectFrom("appliance").select(["audit_key", "erased_keys"]).where("id", "=", 1),
);

/** The audit key if an erasure has replaced idempotency keys by hashes under it; see `Transaction.hasErasedKeys`. */
export async function findErasureKey(session: KeyedSession): Promise<AuditKey | undefined> {
  const row = await session.first(selectAuditKey, {});
  return row?.erased_keys === 1 ? openAuditKey(session.cipher, row.audit_key) : undefined;
}

/** The audit key, for a session that only reads. Throws AuditKeyError. */
export async function findAuditKey(session: KeyedSession): Promise<AuditKey> {
  const row = await session.first(selectAuditKey, {});
  const key = row === undefined ? undefined : openAuditKey(session.cipher, row.audit_key);
  if (key === undefined) throw new AuditKeyError();
  return key;
}

/** Seals the audit key again with the key of `to`. Throws AuditKeyError if `from` does not open it. */
export function resealAuditKey(from: Cipher, to: Cipher, sealed: Uint8Array): Uint8Array {
  const bytes = from.open(PLACE, sealed);
  if (bytes === undefined) throw new AuditKeyError();
  return to.seal(PLACE, bytes);
}

/** Opens the audit key in each transaction, which costs a comparison as long as it stays the same. Throws AuditKeyError. */
function createAuditKeyReader(cipher: Cipher): (sealed: Uint8Array) => AuditKey {
  let last: { sealed: Uint8Array; key: AuditKey } | undefined;
  return (sealed) => {
    if (last !== undefined && Buffer.compare(last.sealed, sealed) === 0) return last.key;
    const key = openAuditKey(cipher, sealed);
    if (key === undefined) throw new AuditKeyError();
    last = { sealed, key };
    return key;
  };
}
