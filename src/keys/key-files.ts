/**
 * Loads the master key from the environment or from its file (docs/contract.md#master-key), and writes the files: the current key,
 * `master.key.new` during a rotation, and the retired ones that older backups need. All have mode 0600, and each is synced to disk
 * before anything relies on it.
 */
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, existsSync } from "node:fs";
import { dirname } from "node:path";
import { nameKey } from "../../storage/encryption/cipher.ts";
import { makeFolder, syncFolder, createPrivateFileOnce } from "../../storage/files/folder.ts";
import { codeOf, explainSystemError } from "../../storage/database/errors.ts";
import { ConfigurationError, orUnusable } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import type { ReadMasterKeys } from "../../storage/encryption/key-ring.ts";
import type { Config } from "../config/config.ts";

const KEY_BYTES = 32;
const HEX_FORM = /^[0-9a-f]{64}$/i;
const BASE64_FORM = /^[A-Za-z0-9+/]{43}=$/;
const COMMENT = /^#.*$/gm;

export const KEY_FORM: Text = {
  en: "must be 64 hexadecimal digits, or base64 of 32 bytes",
  el: "πρέπει να είναι 64 δεκαεξαδικά ψηφία, ή base64 των 32 byte",
};

/** The key in `text`, without lines that begin with `#`. Undefined if it has another form. */
export function readKey(text: string): Buffer | undefined {
  const trimmed = text.replace(COMMENT, "").trim();
  if (HEX_FORM.test(trimmed)) return Buffer.from(trimmed, "hex");
  return BASE64_FORM.test(trimmed) ? Buffer.from(trimmed, "base64") : undefined;
}

/** The same. `source` names the file or variable in the ConfigurationError that this throws. */
export function parseKey(text: string, source: string): Buffer {
  const key = readKey(text);
  if (key !== undefined) return key;
  throw new ConfigurationError({
    en: `${source} is not a master key: it ${KEY_FORM.en}`,
    el: `Το ${source} δεν είναι κύριο κλειδί: ${KEY_FORM.el}`,
  });
}

/** Throws ConfigurationError if the file cannot be read or contains no key; its cause is an `ENOENT` if there is no file. */
export function readKeyFile(file: string): Buffer {
  const text = orUnusable(
    () => readFileSync(file, "utf8"),
    (error) => {
      const { en, el } = explainSystemError(error);
      return {
        en: `The master key ${file} cannot be read: ${en}; run this as the file's owner, or set another file in security.master_key_file`,
        el: `Το κύριο κλειδί ${file} δεν διαβάζεται: ${el}· εκτελέστε την εντολή ως ο κάτοχος του αρχείου, ή ορίστε άλλο αρχείο στο security.master_key_file`,
      };
    },
  );
  return parseKey(text, file);
}

/** Returns the key in `file`, or undefined if there is no such file. Otherwise as `readKeyFile`. */
export function findKeyFile(file: string): Buffer | undefined {
  try {
    return readKeyFile(file);
  } catch (error) {
    if (error instanceof ConfigurationError && codeOf(error.cause) === "ENOENT") return undefined;
    throw error;
  }
}

/** Returns the file of the key that is about to replace the one in `file`. */
export function newKeyFile(file: string): string {
  return `${file}.new`;
}

/**
 * Writes a key, random by default, to `file` unless it exists, and returns the key that is then in it. Two processes that do
 * this at the same time agree on one key. Throws ConfigurationError if the folder is not writable, as with systemd
 * credentials and container secrets.
 */
export function makeKeyFile(file: string, key: Buffer = randomBytes(KEY_BYTES), remark?: string): Buffer {
  makeFolder(dirname(file));
  orUnusable(
    () =>
      createPrivateFileOnce(file, `${remark === undefined ? "" : `# ${remark}\n`}${key.toString("hex")}\n`),
    (error) => {
      const { en, el } = explainSystemError(error);
      return {
        en: `The master key ${file} cannot be written: ${en}; allow this user to write to its folder, or give the key in the environment (docs/secrets.md)`,
        el: `Το κύριο κλειδί ${file} δεν μπορεί να γραφτεί: ${el}· δώστε σε αυτόν τον χρήστη δικαίωμα εγγραφής στον φάκελό του, ή δώστε το κλειδί στο περιβάλλον (docs/secrets.md)`,
      };
    },
  );
  return readKeyFile(file);
}

/** Throws ConfigurationError if `file` cannot be renamed over, as when it is mounted alone. Linking fails in the same cases, and changes nothing. */
export function requireReplaceable(file: string): void {
  const probe = `${file}.probe-${process.pid}`;
  try {
    linkSync(file, probe);
  } catch (error) {
    if (NO_LINKS_CODES.has(codeOf(error) ?? "")) return;
    throw cannotReplace(file, error);
  }
  rmSync(probe);
}

/** Error codes of file systems without links, and of other users' files, which may be replaced nevertheless. */
const NO_LINKS_CODES: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

function cannotReplace(file: string, error: unknown): ConfigurationError {
  const isMounted = codeOf(error) === "EXDEV" || codeOf(error) === "EBUSY";
  const { en, el } = isMounted
    ? { en: "it is mounted as a single file", el: "είναι προσαρτημένο ως μεμονωμένο αρχείο" }
    : explainSystemError(error);
  return new ConfigurationError(
    {
      en:
        `The master key ${file} cannot be replaced: ${en}. Nothing was changed. Mount its folder instead, or give the key in ` +
        "FISCAL_MASTER_KEY (docs/secrets.md)",
      el:
        `Το κύριο κλειδί ${file} δεν μπορεί να αντικατασταθεί: ${el}. Δεν άλλαξε τίποτα. Προσαρτήστε τον φάκελό του, ή δώστε το ` +
        "κλειδί στο FISCAL_MASTER_KEY (docs/secrets.md)",
    },
    { cause: error },
  );
}

/**
 * Replaces the key in `file` with the new one, and keeps the replaced key in a dated file. Returns the path of that file, or
 * null if another process has already done this. Call it inside a write, so that only one process does. `day` is YYYY-MM-DD.
 */
export function promoteNewKey(file: string, day: string): string | null {
  const newFile = newKeyFile(file);
  if (findKeyFile(newFile) === undefined) return null;
  const replaced = readKeyFile(file);
  const retired = `${file}.retired-${day}-${nameKey(replaced)}`;
  makeKeyFile(
    retired,
    replaced,
    `Replaced on ${day}. Backups made before need this key: delete it together with the last of them.`,
  );
  renameSync(newFile, file);
  syncFolder(dirname(file));
  return retired;
}

type Security = Config["security"];

/**
 * Returns all master keys that exist, first the one that a new database would use. Creates a key if there is none and
 * `hasData` is false. If it is true, there is data that a new key could not decrypt, and a missing key is a
 * ConfigurationError.
 */
export function loadMasterKeys(security: Security, hasData: boolean): Buffer[] {
  const { masterKey, masterKeyFile: file } = security;
  if (masterKey !== null) return keysOfEnvironment(security, masterKey);
  // Read before `file`: a rotation that ends in between renames it to `file`.
  const newKey = findKeyFile(newKeyFile(file));
  return [loadKeyFile(file, hasData), ...(newKey === undefined ? [] : [newKey])];
}

/**
 * Returns a function that reads the keys again whenever a process meets a value that is encrypted with an unknown key. The
 * first call is `loadMasterKeys`. Later calls return nothing if the file is gone: an operator may remove it while a server
 * runs.
 */
export function masterKeyReader(security: Security, hasData: boolean): ReadMasterKeys {
  let isOpen = false;
  return () => {
    if (isOpen && security.masterKey === null && !existsSync(security.masterKeyFile)) return [];
    const keys = loadMasterKeys(security, hasData || isOpen);
    isOpen = true;
    return keys;
  };
}

function keysOfEnvironment({ masterKeyPrevious }: Security, masterKey: string): Buffer[] {
  const key = parseKey(masterKey, "FISCAL_MASTER_KEY");
  return masterKeyPrevious === null
    ? [key]
    : [key, parseKey(masterKeyPrevious, "FISCAL_MASTER_KEY_PREVIOUS")];
}

function loadKeyFile(file: string, hasData: boolean): Buffer {
  if (existsSync(file)) return readKeyFile(file);
  if (hasData) {
    throw new ConfigurationError({
      en:
        `The master key ${file} is missing. Put the file back, or set FISCAL_MASTER_KEY: without the key, the credentials and ` +
        "logs of this data directory cannot be read",
      el:
        `Το κύριο κλειδί ${file} λείπει. Βάλτε πίσω το αρχείο ή ορίστε το FISCAL_MASTER_KEY: χωρίς το κλειδί δεν διαβάζονται ` +
        "τα διαπιστευτήρια και τα αρχεία καταγραφής αυτού του φακέλου δεδομένων",
    });
  }
  return makeKeyFile(file);
}
