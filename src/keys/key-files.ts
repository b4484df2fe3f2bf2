/**
 * The files of master keys: the key itself, the one that is about to replace it (`master.key.new`, while a rotation runs),
 * and those that were replaced, which older backups need. All of mode 0600, and each on disk before anything relies on it.
 */
import { randomBytes } from "node:crypto";
import { readFileSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { nameKey } from "../../storage/cipher.ts";
import { makeFolder, syncFolder } from "../../storage/folder.ts";
import { createPrivateFileOnce } from "../../storage/private-file.ts";
import { codeOf, describeSystemError } from "../../storage/system-errors.ts";
import { ConfigurationError } from "../foundation/errors.ts";

const KEY_BYTES = 32;
const HEX_FORM = /^[0-9a-f]{64}$/i;
const BASE64_FORM = /^[A-Za-z0-9+/]{43}=$/;
const COMMENT = /^#.*$/gm;

/** 64 hexadecimal digits, or base64 of 32 bytes; lines that begin with `#` are passed over. Throws ConfigurationError. */
export function parseKey(text: string, where: string): Buffer {
  const trimmed = text.replace(COMMENT, "").trim();
  if (HEX_FORM.test(trimmed)) return Buffer.from(trimmed, "hex");
  if (BASE64_FORM.test(trimmed)) return Buffer.from(trimmed, "base64");
  throw new ConfigurationError(
    `${where} is not a master key: 64 hexadecimal digits, or base64 of 32 bytes, are expected`,
  );
}

/** Throws ConfigurationError where it cannot be read or holds no key; `ENOENT` is its cause where it is not there. */
export function readKeyFile(file: string): Buffer {
  return parseKey(readKeyText(file), file);
}

function readKeyText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = describeSystemError(error);
    throw new ConfigurationError(
      `The master key ${file} cannot be read: ${reason}; run this as the user whose it is, or name another in security.master_key_file`,
      { cause: error },
    );
  }
}

/** The key in a file that need not be there. */
export function findKeyFile(file: string): Buffer | undefined {
  try {
    return readKeyFile(file);
  } catch (error) {
    if (error instanceof ConfigurationError && codeOf(error.cause) === "ENOENT") return undefined;
    throw error;
  }
}

/** Where the key waits that is about to replace the one in `file`. */
export function newKeyFile(file: string): string {
  return `${file}.new`;
}

/**
 * Writes a key (a random one where none is given) beside its place and links it there, so that two processes that do it
 * together agree on one. Answers the key that is in the file then, which may be the other's. Throws ConfigurationError where
 * nothing can be written there, as where the system hands the key in: systemd's credentials, secrets of containers.
 */
export function makeKeyFile(file: string, key: Buffer = randomBytes(KEY_BYTES), remark?: string): Buffer {
  makeFolder(dirname(file));
  try {
    createPrivateFileOnce(file, `${remark === undefined ? "" : `# ${remark}\n`}${key.toString("hex")}\n`);
  } catch (error) {
    throw new ConfigurationError(
      `The master key ${file} cannot be written: ${describeSystemError(error)}; let this user write to its folder, or give ` +
        "the key in the environment (docs/secrets.md)",
      { cause: error },
    );
  }
  return readKeyFile(file);
}

/**
 * Puts the waiting key in its place, and keeps the one that was there under a dated name. Answers that name; null where it
 * had been done before. Under the write lock of the database, so that one process does it. `day` is YYYY-MM-DD.
 */
export function promoteNewKey(file: string, day: string): string | null {
  const waiting = newKeyFile(file);
  if (findKeyFile(waiting) === undefined) return null;
  const replaced = readKeyFile(file);
  const retired = `${file}.retired-${day}-${nameKey(replaced)}`;
  makeKeyFile(
    retired,
    replaced,
    `Replaced on ${day}. Backups made before need this key: delete it with the last of them.`,
  );
  renameSync(waiting, file);
  syncFolder(dirname(file));
  return retired;
}
