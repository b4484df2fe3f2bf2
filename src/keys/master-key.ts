/** Loads the master key from the environment or from its file (docs/contract.md#master-key). */
import { existsSync } from "node:fs";
import type { ReadMasterKeys } from "../../storage/encryption/key-ring.ts";
import type { Config } from "../config/config.ts";
import { ConfigurationError } from "../foundation/errors.ts";
import { findKeyFile, makeKeyFile, newKeyFile, parseKey, readKeyFile } from "./key-files.ts";

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
