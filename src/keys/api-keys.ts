/** Creates, lists, revokes, replaces and verifies API keys (docs/contract.md#api-keys). Only their hashes are stored. */
import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import {
  type ApiKeyRow,
  expireKeyRow,
  findKeyByHash,
  listKeyRows,
  revokeKeyRow,
  touchKey,
} from "../../storage/access/keys-and-sessions.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { inTurn, type Transaction } from "../../storage/database/write.ts";
import { hasPassed } from "../foundation/clock.ts";
import type { Text } from "../foundation/text.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { AppError, validationError } from "../foundation/errors.ts";
import { hasHiddenCharacters, removeDirectionMarks } from "../foundation/characters.ts";
import { HIDDEN_CHARACTERS, lengthFromTo } from "../foundation/messages.ts";

export type KeyObject = ReturnType<typeof buildKeyObject>;
/** Nothing else returns the secret. */
type NewKey = KeyObject & { secret: string };

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 30;
/** CRC-32 of the rest in base 62. */
const CHECK_LENGTH = 6;
const KEY_FORM = new RegExp(
  `^fiscal_(test|live)_([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECK_LENGTH}})$`,
);
const NAME_LENGTH_MAX = 100;
export const EXPIRY_DAYS_MAX = 3650;
/** A longer overlap would not replace the key. */
export const OVERLAP_DAYS_MAX = 365;
const DAY_MS = 86_400_000;
/** `last_used_at` is only shown to people, so one write per key and minute is precise enough. */
const TOUCH_INTERVAL_MS = 60_000;

/** 62 × 4. Bytes from here on are skipped, because they would make some characters more likely than others. */
const UNBIASED_BYTES = 248;

function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < UNBIASED_BYTES && text.length < length) text += ALPHABET[byte % 62]!;
    }
  }
  return text;
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = "";
  for (let index = 0; index < CHECK_LENGTH; index += 1) {
    checksum = ALPHABET[rest % 62]! + checksum;
    rest = Math.floor(rest / 62);
  }
  return checksum;
}

function hashOf(key: string): string {
  return hash("sha256", key, "hex");
}

function buildKeyObject(row: ApiKeyRow) {
  return {
    id: row.id,
    object: "api_key" as const,
    mode: row.mode,
    name: row.name,
    last4: row.last4,
    created: row.created_at,
    expires_at: row.expires_at,
    revoked_at: row.revoked_at,
    last_used_at: row.last_used_at,
  };
}

/** Creates a key. Its `secret` is returned only here. Throws `validation_failed`. */
export async function createKey(
  context: Context,
  options: { mode: Mode; name: string; expiresInDays?: number | undefined },
): Promise<NewKey> {
  const name = removeDirectionMarks(options.name).trim();
  if (name === "" || [...name].length > NAME_LENGTH_MAX) {
    throw validationError([{ path: "name", message: lengthFromTo(1, NAME_LENGTH_MAX) }]);
  }
  if (hasHiddenCharacters(name)) throw validationError([{ path: "name", message: HIDDEN_CHARACTERS }]);
  const days = options.expiresInDays;
  return context.store.write((trx) =>
    mintKey(trx, {
      mode: options.mode,
      name,
      expiresAt: days === undefined ? null : new Date(trx.nowMs + days * DAY_MS).toISOString(),
    }),
  );
}

/** Stores a new key and returns it with its secret, which is not stored. */
export async function mintKey(
  trx: Transaction,
  { mode, name, expiresAt }: { mode: Mode; name: string; expiresAt: string | null },
): Promise<NewKey> {
  const head = `fiscal_${mode}_${randomText(RANDOM_LENGTH)}`;
  const secret = head + checksumOf(head);
  const row: ApiKeyRow = {
    id: trx.newId("key"),
    mode,
    name,
    hash: hashOf(secret),
    last4: secret.slice(-4),
    created_at: trx.now,
    expires_at: expiresAt,
    revoked_at: null,
    last_used_at: null,
  };
  await trx.insertRows({ api_keys: [row] });
  return { ...buildKeyObject(row), secret };
}

/** Returns all keys, newest first, including revoked and expired ones. */
export async function listKeys(context: Context): Promise<KeyObject[]> {
  return (await listKeyRows(context.store.read)).map(buildKeyObject);
}

/** The unrevoked key with this id, or the only one with this name or last four characters. Throws AppError for none or several. */
function pickKey(rows: readonly ApiKeyRow[], name: string): ApiKeyRow {
  const usable = rows.filter((row) => row.revoked_at === null);
  const byId = usable.filter((row) => row.id === name);
  const matching = byId.length > 0 ? byId : usable.filter((row) => row.last4 === name || row.name === name);
  const [found] = matching;
  if (found === undefined) {
    const isRevoked = rows.some((row) => row.id === name);
    throw isRevoked ? new AppError("invalid_state", ALREADY_REVOKED) : new AppError("not_found", NO_SUCH_KEY);
  }
  if (matching.length > 1) {
    throw validationError([{ path: "key", message: matchesSeveral(matching.length) }]);
  }
  return found;
}

const ALREADY_REVOKED: Text = { en: "This key is already revoked", el: "Αυτό το κλειδί έχει ήδη ανακληθεί" };
const NO_SUCH_KEY: Text = {
  en: "No usable key has this id, name or last four characters",
  el: "Κανένα κλειδί σε ισχύ δεν έχει αυτό το id, όνομα ή τέσσερις τελευταίους χαρακτήρες",
  next: { operation: "listKeys" },
};
const matchesSeveral = (count: number): Text => ({
  en: `matches ${count} keys; give the id of one`,
  el: `αντιστοιχεί σε ${count} κλειδιά· δώστε το id του ενός`,
});

/** The key that `pickKey` finds for `name`. */
export async function findUsableKey({ store }: Context, name: string): Promise<KeyObject> {
  return buildKeyObject(pickKey(await listKeyRows(store.read), name));
}

/** Revokes the key that `pickKey` finds for `name`. */
export async function revokeKey(context: Context, name: string): Promise<KeyObject> {
  const found = await findUsableKey(context, name);
  const at = await context.store.write(async (trx) => {
    await revokeKeyRow(trx, { id: found.id, at: trx.now });
    return trx.now;
  });
  return { ...found, revoked_at: at };
}

/**
 * Replaces the key that `pickKey` finds for `name` by one with the same mode and name, by default for as long as the old one was made
 * for. The old key works for `overlapDays` more, but never longer than it would have; 0 revokes it at once. Throws what `pickKey` throws,
 * and `invalid_state` for an expired key.
 */
export async function rollKey(
  context: Context,
  name: string,
  { overlapDays, expiresInDays }: { overlapDays: number; expiresInDays?: number | undefined },
): Promise<NewKey & { replaces: KeyObject }> {
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
    await expireKeyRow(trx, { id: old.id, expires_at: expiresAt });
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

const lookupsNow = new WeakMap<Context["store"], Map<string, Promise<ApiKeyRow | undefined>>>();

/**
 * Requests that arrive together share the lookup of their key, which on PostgreSQL takes a quarter of the time of an accepted document.
 * It is made after all of them were sent, because it lasts only until the event loop has handled what had arrived when it was made.
 */
function findKey({ store }: Context, keyHash: string): Promise<ApiKeyRow | undefined> {
  let lookups = lookupsNow.get(store);
  if (lookups === undefined) {
    lookups = new Map();
    lookupsNow.set(store, lookups);
    setImmediate(() => lookupsNow.delete(store));
  }
  let lookup = lookups.get(keyHash);
  if (lookup === undefined) lookups.set(keyHash, (lookup = findKeyByHash(store.read, { hash: keyHash })));
  return lookup;
}

/**
 * Returns the key's id and mode, or undefined if it is malformed, unknown, expired or revoked. Reads the database each time,
 * so that a key revoked by another process is refused from its next request on. The checksum detects typing errors without
 * reading.
 */
export async function authenticateKey(
  context: Context,
  key: string,
): Promise<{ keyId: string; mode: Mode } | undefined> {
  const form = KEY_FORM.exec(key);
  if (form === null || checksumOf(key.slice(0, -CHECK_LENGTH)) !== form[3]) return undefined;
  const row = await findKey(context, hashOf(key));
  if (row === undefined || row.revoked_at !== null) return undefined;
  const nowMs = context.clock.nowMs();
  if (row.expires_at !== null && hasPassed(row.expires_at, nowMs)) return undefined;
  touch(context, row, nowMs);
  return { keyId: row.id, mode: row.mode };
}

const KEY_USES = inTurn(async (trx, id: string) => void (await touchKey(trx, { id, last_used_at: trx.now })));
const touchedAtMs = new WeakMap<Context["store"], Map<string, number>>();

function touch(context: Context, row: ApiKeyRow, nowMs: number): void {
  let touched = touchedAtMs.get(context.store);
  if (touched === undefined) touchedAtMs.set(context.store, (touched = new Map()));
  if (nowMs - (touched.get(row.id) ?? 0) < TOUCH_INTERVAL_MS) return;
  touched.set(row.id, nowMs);
  context.store.defer(KEY_USES, row.id).catch((error: unknown) => {
    if (isReportedAlready(error)) return;
    context.log.warn({ key: row.id, error: String(error) }, "the last use of a key could not be stored");
  });
}
