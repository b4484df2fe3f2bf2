/** Rolls an API key: creates a successor, and lets the old key expire after an overlap. */
import { expireKeyRow, listKeyRows, revokeKeyRow } from "../../storage/access/keys-and-sessions.ts";
import { hasPassed } from "../foundation/clock.ts";
import type { Context } from "../journal/context.ts";
import { AppError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import {
  buildKeyObject,
  DAY_MS,
  EXPIRY_DAYS_MAX,
  type KeyObject,
  mintKey,
  pickKey,
  requireDays,
} from "./api-keys.ts";

/** A longer overlap would not replace the key. */
export const OVERLAP_DAYS_MAX = 365;

/** The new key with its secret, which is returned only here, and the old key after the change. */
export interface RolledKey extends KeyObject {
  secret: string;
  replaces: KeyObject;
}

export interface RollOptions {
  /** Days until the old key expires; 0 revokes it at once. */
  overlapDays: number;
  /** Days until the new key expires; by default, the lifetime of the old one. */
  expiresInDays?: number | undefined;
}

/**
 * Rolls the key that `pickKey` finds for `name`. The successor has the same mode and name. The old key never lives longer
 * than it would have. Throws what `pickKey` throws, `validation_failed`, and `invalid_state` for an expired key.
 */
export async function rollKey(context: Context, name: string, options: RollOptions): Promise<RolledKey> {
  const { overlapDays, expiresInDays } = options;
  requireDays("overlap", overlapDays, 0, OVERLAP_DAYS_MAX);
  if (expiresInDays !== undefined) requireDays("expires_in", expiresInDays, 1, EXPIRY_DAYS_MAX);
  return context.store.write(async (trx) => {
    const rows = await listKeyRows(trx);
    const hasExpired = ({ expires_at: at }: { expires_at: string | null }) =>
      at !== null && hasPassed(at, trx.clockMs);
    // A rolled key has the same name as its successor. Once it has expired, the name means the successor.
    const old = pickKey(
      rows.filter((row) => row.id === name || !hasExpired(row)),
      name,
    );
    if (hasExpired(old)) throw new AppError("invalid_state", EXPIRED);
    const newLifetimeMs = expiresInDays === undefined ? lifetimeMs(old) : expiresInDays * DAY_MS;
    const key = await mintKey(trx, {
      mode: old.mode,
      name: old.name,
      expiresAt: newLifetimeMs === null ? null : new Date(trx.clockMs + newLifetimeMs).toISOString(),
    });
    if (overlapDays === 0) {
      await revokeKeyRow(trx, { id: old.id, at: trx.now });
      return { ...key, replaces: buildKeyObject({ ...old, revoked_at: trx.now }) };
    }
    const overlapEnd = new Date(trx.clockMs + overlapDays * DAY_MS).toISOString();
    const expiresAt = old.expires_at !== null && old.expires_at < overlapEnd ? old.expires_at : overlapEnd;
    await expireKeyRow(trx, { id: old.id, at: expiresAt });
    return { ...key, replaces: buildKeyObject({ ...old, expires_at: expiresAt }) };
  });
}

const EXPIRED: Text = {
  en: "This key has expired; create a new one",
  el: "Αυτό το κλειδί έχει λήξει· δημιουργήστε νέο",
};

function lifetimeMs({ created_at: from, expires_at: to }: { created_at: string; expires_at: string | null }) {
  return to === null ? null : Date.parse(to) - Date.parse(from);
}
