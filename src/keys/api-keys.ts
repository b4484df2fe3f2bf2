/** API keys: `fiscal_test_` or `fiscal_live_`, 30 base-62 characters and 6 of CRC-32 (decisions 12). Shown once. */
import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import {
  type ApiKeyRow,
  findKeyByHash,
  insertKey,
  listKeyRows,
  revokeKeyRow,
  touchKey,
} from "../../storage/keys.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Transaction } from "../../storage/write.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { AppError, validationError } from "../foundation/errors.ts";

export interface KeyObject {
  id: string;
  object: "api_key";
  mode: Mode;
  name: string;
  last4: string;
  created: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 30;
const CHECK_LENGTH = 6;
const FORM = new RegExp(`^fiscal_(test|live)_([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECK_LENGTH}})$`);
const NAME_LENGTH_MAX = 100;
export const EXPIRY_DAYS_MAX = 3650;
export const DAY_MS = 86_400_000;
/** `last_used_at` is for people: a write a minute and key is exact enough. */
const TOUCH_INTERVAL_MS = 60_000;

/** 62 × 4 = 248: bytes above it would make some characters likelier. */
const UNBIASED_MAX = 248;

function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < UNBIASED_MAX && text.length < length) text += ALPHABET[byte % 62]!;
    }
  }
  return text;
}

function checkOf(text: string): string {
  let rest = crc32(text);
  let check = "";
  for (let index = 0; index < CHECK_LENGTH; index += 1) {
    check = ALPHABET[rest % 62]! + check;
    rest = Math.floor(rest / 62);
  }
  return check;
}

function hashOf(key: string): string {
  return hash("sha256", key, "hex");
}

export function buildKeyObject(row: ApiKeyRow): KeyObject {
  return {
    id: row.id,
    object: "api_key",
    mode: row.mode,
    name: row.name,
    last4: row.last4,
    created: row.created_at,
    expires_at: row.expires_at,
    revoked_at: row.revoked_at,
    last_used_at: row.last_used_at,
  };
}

/** Makes a key. `secret` is told here and never again. */
export async function createKey(
  context: Context,
  options: { mode: Mode; name: string; expiresInDays?: number | undefined },
): Promise<KeyObject & { secret: string }> {
  const name = options.name.trim();
  if (name === "" || [...name].length > NAME_LENGTH_MAX) {
    throw validationError([{ path: "name", message: `must have 1 to ${NAME_LENGTH_MAX} characters` }]);
  }
  const days = options.expiresInDays;
  if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= EXPIRY_DAYS_MAX)) {
    throw validationError([
      { path: "expires_in", message: `must be a whole number of days, 1 to ${EXPIRY_DAYS_MAX}` },
    ]);
  }
  return context.store.write((trx) =>
    mintKey(trx, {
      mode: options.mode,
      name,
      expiresAt: days === undefined ? null : new Date(trx.nowMs + days * DAY_MS).toISOString(),
    }),
  );
}

/** Stores a new key and answers it with its secret, which is kept nowhere. */
export async function mintKey(
  trx: Transaction,
  { mode, name, expiresAt }: { mode: Mode; name: string; expiresAt: string | null },
): Promise<KeyObject & { secret: string }> {
  const head = `fiscal_${mode}_${randomText(RANDOM_LENGTH)}`;
  const secret = head + checkOf(head);
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
  await insertKey(trx, row);
  return { ...buildKeyObject(row), secret };
}

/** Newest first; revoked and expired ones too. */
export async function listKeys(context: Context): Promise<KeyObject[]> {
  return (await listKeyRows(context.store.read)).map(buildKeyObject);
}

/**
 * The key that is not revoked and that `name` names: by id, by its last four characters or by its name, where only one
 * fits. Throws `not_found`, `invalid_state` for a revoked one, `validation_failed` where several fit.
 */
export function pickKey(rows: readonly ApiKeyRow[], name: string): ApiKeyRow {
  const usable = rows.filter((row) => row.revoked_at === null);
  const byId = usable.filter((row) => row.id === name);
  const fitting = byId.length > 0 ? byId : usable.filter((row) => row.last4 === name || row.name === name);
  const [found] = fitting;
  if (found === undefined) {
    const isRevoked = rows.some((row) => row.id === name);
    throw isRevoked
      ? new AppError("invalid_state", "This key is revoked already")
      : new AppError(
          "not_found",
          "No usable key has this id, name or last four characters; see `fiscal keys list`",
        );
  }
  if (fitting.length > 1) {
    throw validationError([{ path: "key", message: `names ${fitting.length} keys; give the id of one` }]);
  }
  return found;
}

/** Revokes the key that `name` names, as `pickKey` finds it. */
export async function revokeKey(context: Context, name: string): Promise<KeyObject> {
  const found = pickKey(await listKeyRows(context.store.read), name);
  const at = await context.store.write(async (trx) => {
    await revokeKeyRow(trx, found.id, trx.now);
    return trx.now;
  });
  return buildKeyObject({ ...found, revoked_at: at });
}

/**
 * The key's id and mode, or undefined where it is not a usable key: malformed, unknown, expired or revoked. One indexed
 * read each time, so that a key which another process revokes is refused from its next request on; a typing error is
 * noticed by the check characters without any.
 */
export async function authenticateKey(
  context: Context,
  key: string,
): Promise<{ keyId: string; mode: Mode } | undefined> {
  const form = FORM.exec(key);
  if (form === null || checkOf(key.slice(0, -CHECK_LENGTH)) !== form[3]) return undefined;
  const row = await findKeyByHash(context.store.read, hashOf(key));
  if (row === undefined || row.revoked_at !== null) return undefined;
  const nowMs = context.clock.nowMs();
  if (row.expires_at !== null && Date.parse(row.expires_at) <= nowMs) return undefined;
  touch(context, row, nowMs);
  return { keyId: row.id, mode: row.mode };
}

const touchedAtMs = new WeakMap<Context["store"], Map<string, number>>();

function touch(context: Context, row: ApiKeyRow, nowMs: number): void {
  let touched = touchedAtMs.get(context.store);
  if (touched === undefined) touchedAtMs.set(context.store, (touched = new Map()));
  if (nowMs - (touched.get(row.id) ?? 0) < TOUCH_INTERVAL_MS) return;
  touched.set(row.id, nowMs);
  context.store
    .defer((trx) => touchKey(trx, row.id, trx.now))
    .catch((error: unknown) => {
      if (isReportedAlready(error)) return;
      context.log.warn({ key: row.id, error: String(error) }, "last use of a key not kept");
    });
}
