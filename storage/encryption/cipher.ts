/**
 * Encrypts credentials, secrets and logged bodies with AES-256-GCM (docs/contract.md#master-key). Its place is
 * additional data, so that a sealed value opens nowhere else. A sealed value consists of 4 bytes that name the key, a nonce of 12 bytes, the cipher text and a tag of 16 bytes. The name lets two keys coexist during a rotation.
 */
import { createCipheriv, createDecipheriv, createHash, createSecretKey, randomFillSync } from "node:crypto";

const MASTER_KEY_BYTES = 32;
const KEY_NAME_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

declare const isPlace: unique symbol;

/** Where a sealed value is stored: the JSON of its table, its column and the values of all key columns. */
export type Place = string & { readonly [isPlace]: true };

export function placeOf(table: string, column: string, key: readonly string[]): Place {
  return JSON.stringify([table, column, ...key]) as Place;
}

export interface Cipher {
  /**
   * Encrypts `plain` for its place. Call it only inside the write that stores the result, because only there the
   * current master key is known.
   */
  seal(place: Place, plain: string | Uint8Array): Uint8Array;
  /** Decrypts a value sealed for `place`. Undefined if the key or the place is another, or the bytes were changed. */
  open(place: Place, sealed: Uint8Array): Buffer | undefined;
}

/** Random bytes are requested for several hundred nonces at once: a request for each costs as much as the encryption. */
const POOLED_NONCES = 340;

function createNoncePool(): () => Buffer {
  let pool = Buffer.alloc(0);
  let offset = 0;
  return () => {
    if (offset === pool.length) {
      // A new buffer each time, so that nonces in use are not overwritten.
      pool = randomFillSync(Buffer.alloc(POOLED_NONCES * NONCE_BYTES));
      offset = 0;
    }
    const nonce = pool.subarray(offset, offset + NONCE_BYTES);
    offset += NONCE_BYTES;
    return nonce;
  };
}

/** Names the form as well: values of version 0.2.0, which were bound to less, have another name (old-form.ts). */
function keyNameBytes(masterKey: Uint8Array): Buffer {
  return createHash("sha256")
    .update("fiscal key name, sealed for a place")
    .update(masterKey)
    .digest()
    .subarray(0, KEY_NAME_BYTES);
}

/** The name of a master key in hexadecimal, which reveals nothing about the key. */
export function nameKey(masterKey: Uint8Array): string {
  return keyNameBytes(masterKey).toString("hex");
}

/** The name of the key that a value was sealed with; undefined if the value is too short to be sealed. */
export function keyNameOf(sealed: Uint8Array): string | undefined {
  if (sealed.byteLength < KEY_NAME_BYTES + NONCE_BYTES + TAG_BYTES) return undefined;
  return Buffer.from(sealed.buffer, sealed.byteOffset, KEY_NAME_BYTES).toString("hex");
}

export function createCipher(masterKey: Uint8Array): Cipher {
  if (masterKey.byteLength !== MASTER_KEY_BYTES) throw new RangeError("The master key must have 256 bits");
  const key = createSecretKey(Buffer.from(masterKey));
  const keyName = keyNameBytes(masterKey);
  const nextNonce = createNoncePool();
  return {
    seal(place, plain) {
      const nonce = nextNonce();
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(place));
      const text = cipher.update(typeof plain === "string" ? Buffer.from(plain) : plain);
      return Buffer.concat([keyName, nonce, text, cipher.final(), cipher.getAuthTag()]);
    },
    open(place, sealed) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      if (bytes.length < KEY_NAME_BYTES + NONCE_BYTES + TAG_BYTES) return undefined;
      if (!bytes.subarray(0, KEY_NAME_BYTES).equals(keyName)) return undefined;
      const nonce = bytes.subarray(KEY_NAME_BYTES, KEY_NAME_BYTES + NONCE_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      const text = bytes.subarray(KEY_NAME_BYTES + NONCE_BYTES, bytes.length - TAG_BYTES);
      try {
        return Buffer.concat([decipher.update(text), decipher.final()]);
      } catch {
        // The tag does not match: the value belongs to another place, or was changed.
        return undefined;
      }
    },
  };
}
