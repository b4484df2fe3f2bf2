/** The master key: 256 bits from FISCAL_MASTER_KEY or from a file of mode 0600 in the data directory (decisions 12). */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../../storage/folder.ts";
import { describeSystemError } from "../../storage/system-errors.ts";
import { ConfigurationError } from "../errors.ts";

const KEY_BYTES = 32;
const HEX_FORM = /^[0-9a-f]{64}$/i;
const BASE64_FORM = /^[A-Za-z0-9+/]{43}=$/;

export interface MasterKeySource {
  /** The text of FISCAL_MASTER_KEY; null when it is not set. */
  fromEnvironment: string | null;
  /** Absolute path of the key file. */
  file: string;
  /** Whether there is data that a new key could not read: then a missing key is an error, not a new key. */
  hasData: boolean;
}

/** 64 hexadecimal digits, or base64 of 32 bytes. */
function parseKey(text: string, where: string): Buffer {
  const trimmed = text.trim();
  if (HEX_FORM.test(trimmed)) return Buffer.from(trimmed, "hex");
  if (BASE64_FORM.test(trimmed)) return Buffer.from(trimmed, "base64");
  throw new ConfigurationError(
    `${where} is not a master key: 64 hexadecimal digits, or base64 of 32 bytes, are expected`,
  );
}

/** The master key, made on first use where nothing was ever encrypted with another. Throws ConfigurationError. */
export function loadMasterKey(source: MasterKeySource): Buffer {
  if (source.fromEnvironment !== null) return parseKey(source.fromEnvironment, "FISCAL_MASTER_KEY");
  if (existsSync(source.file)) return parseKey(readKeyFile(source.file), source.file);
  if (source.hasData) {
    throw new ConfigurationError(
      `The master key ${source.file} is missing. Put the file back, or give the key as FISCAL_MASTER_KEY: ` +
        "without it the credentials and logs of this data directory cannot be read",
    );
  }
  return makeKey(source.file);
}

function readKeyFile(file: string): string {
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

/** Writes a new key beside its place and links it there, so that two processes that start together agree on one. */
function makeKey(file: string): Buffer {
  makeFolder(dirname(file));
  const text = randomBytes(KEY_BYTES).toString("hex");
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const handle = openSync(draft, "wx", 0o600);
  try {
    try {
      fchmodSync(handle, 0o600);
      writeSync(handle, `${text}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    unlinkSync(draft);
  }
  return parseKey(readFileSync(file, "utf8"), file);
}
