/** Rolling an API key: a successor is made, and the old key works on for as long as its users need to change over. */
import { expireKeyRow, listKeyRows, revokeKeyRow } from "../../storage/keys.ts";
import type { Context } from "../journal/context.ts";
import { AppError, validationError } from "../foundation/errors.ts";
import { buildKeyObject, DAY_MS, EXPIRY_DAYS_MAX, type KeyObject, mintKey, pickKey } from "./api-keys.ts";

/** A year: whoever has not changed over by then will not. */
const OVERLAP_DAYS_MAX = 365;

/** The new key with its secret, told here and never again, and the old one as it is from now on. */
export interface RolledKey extends KeyObject {
  secret: string;
  replaces: KeyObject;
}

export interface RollOptions {
  /** Days that the old key goes on for; 0 revokes it at once. */
  overlapDays: number;
  /** Days until the new key ends; undefined: as long as the old one was made for. */
  expiresInDays?: number | undefined;
}

/**
 * Rolls the key that `name` names, as `pickKey` finds it. The successor has its mode and name. Never lets a key live longer
 * than it would have. Throws `invalid_state` for an expired one.
 */
export async function rollKey(context: Context, name: string, options: RollOptions): Promise<RolledKey> {
  const { overlapDays, expiresInDays } = options;
  requireDays("overlap", overlapDays, 0, OVERLAP_DAYS_MAX);
  if (expiresInDays !== undefined) requireDays("expires_in", expiresInDays, 1, EXPIRY_DAYS_MAX);
  return context.store.write(async (trx) => {
    const now = new Date(trx.clockMs).toISOString();
    const rows = await listKeyRows(trx);
    const isOver = ({ expires_at: at }: { expires_at: string | null }) => at !== null && at <= now;
    // One that was rolled before has the name of its successor: once it has ended it is not meant.
    const old = pickKey(
      rows.filter((row) => row.id === name || !isOver(row)),
      name,
    );
    if (isOver(old)) throw new AppError("invalid_state", "This key has expired; make a new one");
    const lifeMs = expiresInDays === undefined ? lifetimeMs(old) : expiresInDays * DAY_MS;
    const key = await mintKey(trx, {
      mode: old.mode,
      name: old.name,
      expiresAt: lifeMs === null ? null : new Date(trx.clockMs + lifeMs).toISOString(),
    });
    if (overlapDays === 0) {
      await revokeKeyRow(trx, old.id, trx.now);
      return { ...key, replaces: buildKeyObject({ ...old, revoked_at: trx.now }) };
    }
    const end = new Date(trx.clockMs + overlapDays * DAY_MS).toISOString();
    const expiresAt = old.expires_at !== null && old.expires_at < end ? old.expires_at : end;
    await expireKeyRow(trx, old.id, expiresAt);
    return { ...key, replaces: buildKeyObject({ ...old, expires_at: expiresAt }) };
  });
}

function lifetimeMs({ created_at: from, expires_at: to }: { created_at: string; expires_at: string | null }) {
  return to === null ? null : Date.parse(to) - Date.parse(from);
}

function requireDays(path: string, days: number, least: number, most: number): void {
  if (Number.isInteger(days) && days >= least && days <= most) return;
  throw validationError([{ path, message: `must be a whole number of days, ${least} to ${most}` }]);
}
