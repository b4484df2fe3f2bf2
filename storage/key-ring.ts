/**
 * The master keys that a process holds. The database says which one seals: the appliance's check of its key, which every
 * write reads under the write lock. So all processes on one database change to a new key with the same commit, and what
 * is sealed inside a write is sealed with the key that is in force then. A key that is not known yet is looked for once
 * more where the keys come from.
 */
import { type Cipher, createCipher, keyNameOf, nameKey } from "./cipher.ts";
import { MasterKeyError } from "./errors.ts";

const KEY_CHECK_ID = "appliance";
const KEY_CHECK_TEXT = "fiscal";

/** What the appliance keeps to tell a wrong key before anything is written with it. */
export function sealKeyCheck(cipher: Cipher): Uint8Array {
  return cipher.seal(KEY_CHECK_ID, KEY_CHECK_TEXT);
}

/** Whether `sealed`, the appliance's check of its key, was made with a master key of `cipher`. */
export function isKeyOf(cipher: Cipher, sealed: Uint8Array): boolean {
  return cipher.open(KEY_CHECK_ID, sealed)?.toString() === KEY_CHECK_TEXT;
}

/** The keys of a process, 32 bytes each: the one that a new database is made with first. Read again at each call. */
export type ReadMasterKeys = () => readonly Uint8Array[];

export interface KeyRing extends Cipher {
  /** Seals with the key behind `keyCheck` from now on. Throws MasterKeyError where no key fits it. */
  follow(keyCheck: Uint8Array): void;
}

/** A ring whose first key seals until `follow` says otherwise. Keys that were read once stay in it. */
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

  /** The cipher of a key by its name, looked for once more where it is not known. */
  function cipherOf(name: string): Cipher | undefined {
    const known = ciphers.get(name);
    if (known !== undefined) return known;
    read();
    return ciphers.get(name);
  }

  return {
    seal: (id, plain) => sealing.cipher.seal(id, plain),
    open(id, sealed) {
      const name = keyNameOf(sealed);
      return name === undefined ? undefined : cipherOf(name)?.open(id, sealed);
    },
    follow(keyCheck) {
      const name = keyNameOf(keyCheck);
      if (name === sealing.name) return;
      const cipher = name === undefined ? undefined : cipherOf(name);
      if (name === undefined || cipher === undefined || !isKeyOf(cipher, keyCheck))
        throw new MasterKeyError();
      sealing = { name, cipher };
    },
  };
}
