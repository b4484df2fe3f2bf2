/**
 * The master keys of a process (docs/contract.md#master-key). The key check in the database determines the one that seals.
 * Every write reads it under the write lock, so all processes switch to a new key with the same commit. If the key is not
 * known yet, the keys are read again from their source.
 */
import { type AuditKey, createAuditKeyReader } from "../journal/audit-key.ts";
import { type Cipher, createCipher, keyNameOf, nameKey, placeOf } from "./cipher.ts";
import { MasterKeyError } from "../database/errors.ts";

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
  /** Opens the audit key of the database (audit-key.ts). Throws AuditKeyError if no key opens it. */
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
