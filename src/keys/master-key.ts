/** The master key: 256 bits from FISCAL_MASTER_KEY or from a file of mode 0600 in the data directory (decisions 12). */
import { existsSync } from "node:fs";
import type { ReadMasterKeys } from "../../storage/key-ring.ts";
import type { Config } from "../config/config.ts";
import { ConfigurationError } from "../foundation/errors.ts";
import { findKeyFile, makeKeyFile, newKeyFile, parseKey, readKeyFile } from "./key-files.ts";

type Security = Config["security"];

/**
 * The master keys that can be found, the one for a new database first, made on first use where nothing was ever encrypted
 * with another. `hasData` says that there is data which a new key could not read: then a missing key is a
 * ConfigurationError.
 */
export function loadMasterKeys(security: Security, hasData: boolean): Buffer[] {
  const { masterKey, masterKeyFile: file } = security;
  if (masterKey !== null) return keysOfEnvironment(security, masterKey);
  // Looked for first: a rotation that ends meanwhile moves it into the place that is looked at next.
  const waiting = findKeyFile(newKeyFile(file));
  return [loadKeyFile(file, hasData), ...(waiting === undefined ? [] : [waiting])];
}

/**
 * The same for a process that goes on: the first time as `loadMasterKeys`, and later, when a value is sealed with a key
 * that is not known, whatever is there then. An operator may take the file away once a server runs.
 */
export function watchMasterKeys(security: Security, hasData: boolean): ReadMasterKeys {
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
    throw new ConfigurationError(
      `The master key ${file} is missing. Put the file back, or give the key as FISCAL_MASTER_KEY: ` +
        "without it the credentials and logs of this data directory cannot be read",
    );
  }
  return makeKeyFile(file);
}
