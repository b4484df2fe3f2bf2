/**
 * Chooses the new key of a rotation, and stores how far it has come. A rotation that was stopped is resumed by the next
 * run; two runs at the same time do the same work twice, with the same result.
 */
import { createCipher, keyNameOf, nameKey } from "../../storage/encryption/cipher.ts";
import { isKeyOf, resealAuditKey, sealKeyCheck } from "../../storage/encryption/key-ring.ts";
import { findWatermark, getAppliance, upsertWatermark } from "../../storage/upkeep/appliance-state.ts";
import { changeSealingKey, type RowKey } from "../../storage/encryption/sealed.ts";
import type { Session } from "../../storage/database/session.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { Config } from "../config/config.ts";
import type { Context } from "../journal/context.ts";
import { ConfigurationError } from "../foundation/errors.ts";
import { readJson } from "../foundation/json.ts";
import type { Text } from "../foundation/text.ts";
import { findKeyFile, makeKeyFile, newKeyFile, parseKey, requireReplaceable } from "./key-files.ts";

export const ROTATION = "master key rotation";

/** The stored state of a rotation that has begun and not ended. */
export interface RotationState {
  /** Names of the keys, as `nameKey` builds them. */
  from: string;
  to: string;
  /** Base64 of the old key's check value, which shows whether a process has that key. */
  fromCheck: string;
  /** The table that is being re-encrypted, and the last row that is done; null before the first. */
  table: string | null;
  after: RowKey | null;
}

export async function findRotation(session: Session): Promise<RotationState | undefined> {
  const stored = await findWatermark(session, { name: ROTATION });
  return stored === undefined ? undefined : readJson<RotationState>(stored);
}

export async function saveRotation(trx: Transaction, state: RotationState): Promise<void> {
  await upsertWatermark(trx, { name: ROTATION, through: JSON.stringify(state) });
}

/**
 * Begins a rotation, by default to a new random key, or returns the one that has begun. Throws ConfigurationError if that one has another
 * new key, or if there is no key to rotate to.
 */
export async function beginRotation(
  context: Context,
  newKey: Buffer | undefined,
): Promise<{ state: RotationState; resumed: boolean }> {
  const { store, config } = context;
  const begun = await findRotation(store.read);
  if (begun !== undefined) {
    if (newKey !== undefined && nameKey(newKey) !== begun.to) throw new ConfigurationError(OTHER_ROTATION);
    return { state: begun, resumed: true };
  }
  const currentName = keyNameOf((await getAppliance(store.read)).key_check) ?? "";
  const key =
    config.security.masterKey === null
      ? chooseFileKey(config.security.masterKeyFile, currentName, newKey)
      : chooseEnvironmentKey(config.security, config.security.masterKey, currentName, newKey);
  const state = await store.write(async (trx) => {
    const other = await findRotation(trx);
    if (other !== undefined) return other;
    const { key_check: check, audit_key: oldAuditKey } = await getAppliance(trx);
    const begin: RotationState = {
      from: keyNameOf(check) ?? "",
      to: nameKey(key),
      fromCheck: Buffer.from(check).toString("base64"),
      table: null,
      after: null,
    };
    await saveRotation(trx, begin);
    // Every process encrypts with the new key from its next write on.
    const cipher = createCipher(key);
    const auditKey = resealAuditKey(store.cipher, cipher, oldAuditKey);
    await changeSealingKey(trx, { id: 1, key_check: sealKeyCheck(cipher), audit_key: auditKey });
    return begin;
  });
  if (state.to !== nameKey(key)) throw new ConfigurationError(OTHER_ROTATION);
  return { state, resumed: false };
}

/** Throws ConfigurationError if this process does not have the old key: its values would be counted as unreadable. */
export function requireOldKey({ store }: Context, { fromCheck }: RotationState): void {
  if (!isKeyOf(store.cipher, Buffer.from(fromCheck, "base64"))) throw new ConfigurationError(OLD_KEY_NEEDED);
}

const OLD_KEY_NEEDED: Text = {
  en: "The old master key is needed until the rotation has ended: set FISCAL_MASTER_KEY_PREVIOUS, or put its file back",
  el: "Το παλιό κύριο κλειδί χρειάζεται μέχρι να τελειώσει η αντικατάσταση: ορίστε το FISCAL_MASTER_KEY_PREVIOUS ή βάλτε πίσω το αρχείο του",
};

const OTHER_ROTATION: Text = {
  en: "A rotation to another key has already begun: finish it first, without a new key",
  el: "Έχει ήδη ξεκινήσει αντικατάσταση με άλλο κλειδί: ολοκληρώστε την πρώτα, χωρίς νέο κλειδί",
  next: { operation: "rotateMasterKey" },
};

function isCurrentKey(key: Text): ConfigurationError {
  return new ConfigurationError({
    en: `${key.en} is already the master key in use: give another one`,
    el: `${key.el} είναι ήδη το κύριο κλειδί σε χρήση: δώστε άλλο`,
  });
}

const THE_NEW_KEY: Text = { en: "The new key", el: "Το νέο κλειδί" };

/** Writes the new key to its file before its first use, so that running processes find it. Refuses if the present file cannot be replaced. */
function chooseFileKey(file: string, currentName: string, newKey: Buffer | undefined): Buffer {
  const newFile = newKeyFile(file);
  if (newKey !== undefined && nameKey(newKey) === currentName) throw isCurrentKey(THE_NEW_KEY);
  requireReplaceable(file);
  const key = findKeyFile(newFile) ?? makeKeyFile(newFile, newKey);
  if (newKey !== undefined && !key.equals(newKey)) throw new ConfigurationError(OTHER_ROTATION);
  if (nameKey(key) === currentName) throw isCurrentKey({ en: newFile, el: `Το ${newFile}` });
  return key;
}

const STEPS: Text = {
  en:
    "The master key is in the environment, where running servers cannot find a new one. Set FISCAL_MASTER_KEY to the new key " +
    "and FISCAL_MASTER_KEY_PREVIOUS to the present one for every server and for this command, restart the servers, then run " +
    "this again; afterwards remove FISCAL_MASTER_KEY_PREVIOUS",
  el:
    "Το κύριο κλειδί βρίσκεται στο περιβάλλον, όπου οι διακομιστές που εκτελούνται δεν μπορούν να βρουν νέο. Ορίστε σε κάθε " +
    "διακομιστή και σε αυτή την εντολή το FISCAL_MASTER_KEY στο νέο κλειδί και το FISCAL_MASTER_KEY_PREVIOUS στο τωρινό, " +
    "επανεκκινήστε τους διακομιστές και εκτελέστε την ξανά· μετά αφαιρέστε το FISCAL_MASTER_KEY_PREVIOUS",
};

function chooseEnvironmentKey(
  { masterKeyPrevious }: Config["security"],
  masterKey: string,
  currentName: string,
  newKey: Buffer | undefined,
): Buffer {
  if (masterKeyPrevious === null || newKey !== undefined) throw new ConfigurationError(STEPS);
  const key = parseKey(masterKey, "FISCAL_MASTER_KEY");
  if (nameKey(key) === currentName)
    throw isCurrentKey({ en: "FISCAL_MASTER_KEY", el: "Το FISCAL_MASTER_KEY" });
  return key;
}
