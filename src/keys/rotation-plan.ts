/**
 * Which key a rotation goes to, and how far one has come. Whoever runs it goes on with one that was begun; two that run at
 * once do the same work twice and come to the same end.
 */
import { createCipher, keyNameOf, nameKey } from "../../storage/cipher.ts";
import { isKeyOf, sealKeyCheck } from "../../storage/key-ring.ts";
import { findWatermark, upsertWatermark } from "../../storage/watermarks.ts";
import { changeKeyCheck, findKeyCheck, type RowKey } from "../../storage/sealed.ts";
import type { Session } from "../../storage/session.ts";
import type { Transaction } from "../../storage/write.ts";
import type { Config } from "../config/config.ts";
import type { Context } from "../journal/context.ts";
import { ConfigurationError } from "../foundation/errors.ts";
import { readJson } from "../foundation/json.ts";
import { findKeyFile, makeKeyFile, newKeyFile, parseKey } from "./key-files.ts";

export const ROTATION = "master key rotation";

/** What is kept of a rotation from its beginning to its end. */
export interface RotationState {
  /** The names of the keys (`nameKey`). */
  from: string;
  to: string;
  /** The appliance's check of the key that is replaced, in base64: tells whether this process has it. */
  fromCheck: string;
  /** The sealed column that is being gone through, and its last row that is done; null before the first. */
  table: string | null;
  after: RowKey | null;
}

export async function findRotation(session: Session): Promise<RotationState | undefined> {
  const kept = await findWatermark(session, ROTATION);
  return kept === undefined ? undefined : readJson<RotationState>(kept);
}

export async function keepRotation(trx: Transaction, state: RotationState): Promise<void> {
  await upsertWatermark(trx, ROTATION, JSON.stringify(state));
}

/** Begins a rotation to `newKey` (undefined: to a new random key), or finds the one that was begun. */
export async function beginRotation(
  context: Context,
  newKey: Buffer | undefined,
): Promise<{ state: RotationState; resumed: boolean }> {
  const { store, config } = context;
  const begun = await findRotation(store.read);
  if (begun !== undefined) {
    if (newKey !== undefined && nameKey(newKey) !== begun.to) throw begunWithAnother();
    return { state: begun, resumed: true };
  }
  const inForce = keyNameOf(await findKeyCheck(store.read)) ?? "";
  const key =
    config.security.masterKey === null
      ? chooseFileKey(config.security.masterKeyFile, inForce, newKey)
      : chooseEnvironmentKey(config.security, config.security.masterKey, inForce, newKey);
  const state = await store.write(async (trx) => {
    const other = await findRotation(trx);
    if (other !== undefined) return other;
    const check = await findKeyCheck(trx);
    const begin: RotationState = {
      from: keyNameOf(check) ?? "",
      to: nameKey(key),
      fromCheck: Buffer.from(check).toString("base64"),
      table: null,
      after: null,
    };
    await keepRotation(trx, begin);
    // From the next write on, whoever writes seals with the new key.
    await changeKeyCheck(trx, sealKeyCheck(createCipher(key)));
    return begin;
  });
  if (state.to !== nameKey(key)) throw begunWithAnother();
  return { state, resumed: false };
}

/** Throws ConfigurationError where the key that is replaced is not at hand: what it sealed would be taken for unreadable. */
export function requireReplacedKey({ store }: Context, { fromCheck }: RotationState): void {
  if (isKeyOf(store.cipher, Buffer.from(fromCheck, "base64"))) return;
  throw new ConfigurationError(
    "The master key that is being replaced is still needed: give it as FISCAL_MASTER_KEY_PREVIOUS, or put its file back, " +
      "until the rotation has ended",
  );
}

function begunWithAnother(): ConfigurationError {
  return new ConfigurationError(
    "A rotation to another key has been begun: finish it first, with `fiscal keys rotate-master` and no new key",
  );
}

function alreadyInForce(what: string): ConfigurationError {
  return new ConfigurationError(`${what} is the master key in force: give another one to replace it with`);
}

/** The key waits beside the one in force before anything is sealed with it, where running processes find it. */
function chooseFileKey(file: string, inForce: string, newKey: Buffer | undefined): Buffer {
  const place = newKeyFile(file);
  if (newKey !== undefined && nameKey(newKey) === inForce) throw alreadyInForce("The new key");
  const waiting = findKeyFile(place) ?? makeKeyFile(place, newKey);
  if (newKey !== undefined && !waiting.equals(newKey)) throw begunWithAnother();
  if (nameKey(waiting) === inForce) throw alreadyInForce(place);
  return waiting;
}

const STEPS =
  "The master key is in the environment, where a running server learns of no other. Set FISCAL_MASTER_KEY to the new key " +
  "and FISCAL_MASTER_KEY_PREVIOUS to the present one for every server and for this command, restart the servers, then run " +
  "`fiscal keys rotate-master`; afterwards FISCAL_MASTER_KEY_PREVIOUS can go";

function chooseEnvironmentKey(
  { masterKeyPrevious }: Config["security"],
  masterKey: string,
  inForce: string,
  newKey: Buffer | undefined,
): Buffer {
  if (masterKeyPrevious === null || newKey !== undefined) throw new ConfigurationError(STEPS);
  const key = parseKey(masterKey, "FISCAL_MASTER_KEY");
  if (nameKey(key) === inForce) throw alreadyInForce("FISCAL_MASTER_KEY");
  return key;
}
