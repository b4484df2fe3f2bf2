/**
 * The audit key: 256 random bits that authenticate the chain of events (docs/contract.md#keyed-audit-chain). It is stored in
 * the appliance row, sealed with the master key, and stays the same when the master key is replaced.
 */
import { createHmac, createSecretKey, randomBytes } from "node:crypto";
import { type Cipher, placeOf } from "../encryption/cipher.ts";
import { AuditKeyError } from "../database/errors.ts";
import type { KeyedSession } from "../database/session.ts";
import { statement } from "../database/statement.ts";

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

/** A new random audit key, sealed. */
export function makeSealedAuditKey(cipher: Cipher): Uint8Array {
  return cipher.seal(PLACE, randomBytes(AUDIT_KEY_BYTES));
}

/** Opens a sealed audit key; undefined if no key of `cipher` opens it, or if it is another value. */
export function openAuditKey(cipher: Cipher, sealed: Uint8Array): AuditKey | undefined {
  const bytes = cipher.open(PLACE, sealed);
  return bytes?.byteLength === AUDIT_KEY_BYTES ? createAuditKey(bytes) : undefined;
}

const selectErasure = statement<object>()((db) =>
  db.selectFrom("appliance").select("audit_key").where("id", "=", 1).where("erased_keys", "=", 1),
);

/** The audit key if an erasure has replaced idempotency keys by hashes under it; see `Transaction.hasErasedKeys`. */
export async function findErasureKey(session: KeyedSession): Promise<AuditKey | undefined> {
  const row = await session.first(selectErasure, {});
  return row === undefined ? undefined : openAuditKey(session.cipher, row.audit_key);
}

const selectAuditKey = statement<object>()((db) =>
  db.selectFrom("appliance").select("audit_key").where("id", "=", 1),
);

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
export function createAuditKeyReader(cipher: Cipher): (sealed: Uint8Array) => AuditKey {
  let last: { sealed: Uint8Array; key: AuditKey } | undefined;
  return (sealed) => {
    if (last !== undefined && Buffer.compare(last.sealed, sealed) === 0) return last.key;
    const key = openAuditKey(cipher, sealed);
    if (key === undefined) throw new AuditKeyError();
    last = { sealed, key };
    return key;
  };
}
