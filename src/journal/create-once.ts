/**
 * Creates resources under an idempotency key (docs/contract.md#idempotency-keys): the key, the resource and its first event are
 * stored in one transaction, and a repetition returns the first response byte for byte. A creation that calls a provider
 * first marks its key as in progress, and completes or frees it afterwards. All functions run inside the caller's write.
 */
import type { Place } from "../../storage/encryption/cipher.ts";
import { placeIn } from "../../storage/encryption/sealed.ts";
import { type AuditKey, findErasureKey } from "../../storage/encryption/key-ring.ts";
import { findEvent } from "../../storage/journal/events.ts";
import {
  findIdempotency,
  findIdempotencyRows,
  type IdempotencyPlace,
  type IdempotencyRow,
  releaseIdempotency,
} from "../../storage/documents/idempotency.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { KeyedSession, Session } from "../../storage/database/session.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { Context, Created, IdempotencyUse } from "./context.ts";
import { AppError } from "../foundation/errors.ts";
import { erasedKey } from "./idempotency.ts";

/** How long a caller should wait before it repeats a request that is in progress. */
const IN_PROGRESS_RETRY_SECONDS = 1;

/** What `create` made, and where a replay finds its JSON. */
export interface FirstResponse {
  id: string;
  /** The object as returned to the caller. */
  json: string;
  /** The event whose snapshot is that JSON; null if it contains a secret, and is stored sealed instead. */
  eventId: string | null;
}

/** Returns what was created under `use` before, or creates it now. Always creates without a key. */
export async function createOnce(
  trx: Transaction,
  mode: Mode,
  use: IdempotencyUse | undefined,
  create: () => Promise<FirstResponse>,
): Promise<Created> {
  const known = use === undefined ? undefined : await findRecord(trx, mode, use);
  if (use !== undefined && known !== undefined) {
    const replayed = await findReplay(trx, use, known, { nowMs: trx.clockMs });
    if (replayed !== undefined) return replayed;
  }
  const first = await create();
  if (use !== undefined) await storeRecord(trx, buildRecord(trx, mode, use, first), known);
  return { id: first.id, json: first.json, replayed: false };
}

/** What was created under `use`, for a request that is refused: a key that was used is reported first. Throws like `createOnce`. */
export async function findCreated(
  { store, clock }: Pick<Context, "store" | "clock">,
  mode: Mode,
  use: IdempotencyUse,
): Promise<Created | undefined> {
  const known = await findStoredRecord(store, mode, use);
  return known === undefined ? undefined : findReplay(store.read, use, known, { nowMs: clock.nowMs() });
}

/** The id of what was created under a key, without comparing the requests; undefined if nothing was created. */
export async function findCreatedId(
  { store }: Pick<Context, "store">,
  mode: Mode,
  use: KeyUse,
): Promise<string | undefined> {
  const known = await findStoredRecord(store, mode, use);
  if (known === undefined || known.lease_until !== null) return undefined;
  return (await readFirstResponse(store.read, known)).id;
}

type KeyUse = Pick<IdempotencyUse, "operation" | "key">;

async function findStoredRecord(
  { read }: Context["store"],
  mode: Mode,
  use: KeyUse,
): Promise<IdempotencyRow | undefined> {
  const auditKey = await findErasureKey(read);
  return (await findIdempotencyRows(read, placesOf(auditKey, mode, use)))[0];
}

/** The places of a key's record. The second one is where it is after an erasure has replaced the key. */
function placesOf(
  auditKey: AuditKey | undefined,
  mode: Mode,
  { operation, key }: KeyUse,
): IdempotencyPlace[] {
  const place = { mode, operation, key };
  return auditKey === undefined ? [place] : [place, { ...place, key: erasedKey({ auditKey }, key) }];
}

/** Finds the records of several keys in one query. Returns them in the order of `uses`. */
export async function findRecords(
  trx: Transaction,
  uses: readonly { mode: Mode; use: IdempotencyUse | undefined }[],
): Promise<(IdempotencyRow | undefined)[]> {
  const auditKey = trx.hasErasedKeys ? trx.auditKey : undefined;
  const places = uses.map(({ mode, use }) => (use === undefined ? [] : placesOf(auditKey, mode, use)));
  const rows = await findIdempotencyRows(trx, places.flat());
  const byPlace = new Map(rows.map((row) => [nameOf(row), row]));
  return places.map((some) =>
    some.map((place) => byPlace.get(nameOf(place))).find((row) => row !== undefined),
  );
}

const nameOf = ({ mode, operation, key }: IdempotencyPlace) => `${mode} ${operation} ${key}`;

async function findRecord(
  trx: Transaction,
  mode: Mode,
  use: IdempotencyUse,
): Promise<IdempotencyRow | undefined> {
  return (await findRecords(trx, [{ mode, use }]))[0];
}

/** A key marked as in progress. The instant at which the mark expires identifies it. */
export interface ProgressMark {
  mode: Mode;
  use: IdempotencyUse | undefined;
  leaseUntil: string;
}

/** Returns what was created under `use` before, or marks the key as in progress for `leaseMs`. */
export async function beginOnce(
  trx: Transaction,
  mode: Mode,
  use: IdempotencyUse | undefined,
  leaseMs: number,
): Promise<{ replayed: Created } | { mark: ProgressMark }> {
  const leaseUntil = new Date(trx.clockMs + leaseMs).toISOString();
  if (use === undefined) return { mark: { mode, use, leaseUntil } };
  const known = await findRecord(trx, mode, use);
  const replayed =
    known === undefined ? undefined : await findReplay(trx, use, known, { nowMs: trx.clockMs, leaseMs });
  if (replayed !== undefined) return { replayed };
  await storeRecord(trx, { ...buildRecord(trx, mode, use, undefined), lease_until: leaseUntil }, known);
  return { mark: { mode, use, leaseUntil } };
}

/** Stores what was created under a mark. Throws `idempotency_in_progress` if the mark expired and another request has the key. */
export async function finishOnce(
  trx: Transaction,
  { mode, use, leaseUntil }: ProgressMark,
  first: FirstResponse,
): Promise<Created> {
  if (use !== undefined) {
    const known = await findIdempotency(trx, { mode, operation: use.operation, key: use.key });
    if (known?.lease_until !== leaseUntil) throw inProgress();
    await storeRecord(trx, buildRecord(trx, mode, use, first), known);
  }
  return { id: first.id, json: first.json, replayed: false };
}

/** Frees the key of a mark after nothing was created. */
export async function abandonOnce(trx: Transaction, { mode, use, leaseUntil }: ProgressMark): Promise<void> {
  if (use === undefined) return;
  await releaseIdempotency(trx, { mode, operation: use.operation, key: use.key, leaseUntil });
}

/** The record of what was created under a key; without `first`, of a key in progress. */
export function buildRecord(
  trx: Transaction,
  mode: Mode,
  { operation, key, fingerprint }: IdempotencyUse,
  first: FirstResponse | undefined,
): IdempotencyRow {
  const answer =
    first === undefined || first.eventId !== null
      ? null
      : trx.cipher.seal(
          responsePlace(mode, { operation, key }),
          JSON.stringify({ id: first.id, json: first.json }),
        );
  const times = { lease_until: null, created_at: trx.now };
  return { mode, operation, key, fingerprint, event_id: first?.eventId ?? null, answer, ...times };
}

/** Where a response is sealed. */
export function responsePlace(
  mode: Mode,
  { operation, key }: Pick<IdempotencyUse, "operation" | "key">,
): Place {
  return placeIn("idempotency", mode, operation, key);
}

/** Inserts a record, in place of the mark `known`. */
async function storeRecord(
  trx: Transaction,
  record: IdempotencyRow,
  known: IdempotencyRow | undefined,
): Promise<void> {
  if (known !== undefined) await removeMark(trx, known);
  await trx.insertRows({ idempotency: [record] });
}

/** Deletes a mark before another record takes its place. */
export async function removeMark(trx: Transaction, known: IdempotencyRow): Promise<void> {
  await releaseIdempotency(trx, { ...known, leaseUntil: known.lease_until ?? "" });
}

/** Whether something is or was created under the key. */
export async function isKeyUsed(session: Session, by: IdempotencyPlace): Promise<boolean> {
  return (await findIdempotency(session, by)) !== undefined;
}

/**
 * Returns what was created under the key whose record is `known`; undefined if that is only an expired mark, which a new record replaces.
 * Throws the two errors of idempotency. `leaseMs`: how long a mark of this operation lasts.
 */
export async function findReplay(
  session: KeyedSession,
  use: IdempotencyUse,
  known: IdempotencyRow,
  { nowMs, leaseMs }: { nowMs: number; leaseMs?: number },
): Promise<Created | undefined> {
  if (known.lease_until !== null && isExpired(Date.parse(known.lease_until) - nowMs, leaseMs))
    return undefined;
  requireSame(use, known.fingerprint);
  if (known.lease_until !== null) throw inProgress();
  return { ...(await readFirstResponse(session, known)), replayed: true };
}

/** Throws `idempotency_conflict` if the key was used with another request. */
export function requireSame(use: IdempotencyUse, fingerprint: string): void {
  if (fingerprint === use.fingerprint) return;
  throw new AppError("idempotency_conflict", {
    en: "This Idempotency-Key was used with a different request; use a new key for a new request",
    el: "Αυτό το Idempotency-Key χρησιμοποιήθηκε με διαφορετικό αίτημα· για νέο αίτημα χρησιμοποιήστε νέο κλειδί",
  });
}

/**
 * Whether a mark is that of a process that was killed, which frees the key. One that ends much later than `leaseMs` from now was
 * made while the clock ran ahead (docs/contract.md#clock-jumps).
 */
function isExpired(remainingMs: number, leaseMs = Number.POSITIVE_INFINITY): boolean {
  return remainingMs <= 0 || remainingMs > 2 * leaseMs;
}

async function readFirstResponse(
  session: KeyedSession,
  known: IdempotencyRow,
): Promise<{ id: string; json: string }> {
  const { mode, operation } = known;
  if (known.answer !== null) {
    const opened = session.cipher.open(responsePlace(mode, known), known.answer);
    if (opened === undefined)
      throw new Error(`The first response under an idempotency key of ${operation} cannot be decrypted`);
    return JSON.parse(opened.toString()) as { id: string; json: string };
  }
  const event = known.event_id === null ? undefined : await findEvent(session, { id: known.event_id });
  if (event === undefined)
    throw new Error(`The first response under an idempotency key of ${operation} is gone`);
  const { id } = JSON.parse(event.object_json) as { id: string };
  return { id, json: event.object_json };
}

/** Another request with the same key is in progress. */
export function inProgress(): AppError {
  return new AppError(
    "idempotency_in_progress",
    {
      en: "A request with this Idempotency-Key is still in progress; repeat it in a second",
      el: "Ένα αίτημα με αυτό το Idempotency-Key είναι ακόμη σε εξέλιξη· επαναλάβετέ το σε ένα δευτερόλεπτο",
    },
    { retryAfterSeconds: IN_PROGRESS_RETRY_SECONDS },
  );
}
