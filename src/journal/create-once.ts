/**
 * Creates resources under an idempotency key (docs/contract.md#idempotency-keys): the key, the resource and its first event are
 * stored in one transaction, and a repetition returns the first response byte for byte. A creation that calls a provider
 * first marks its key as in progress, and completes or frees it afterwards. All functions run inside the caller's write.
 */
import type { Cipher } from "../../storage/encryption/cipher.ts";
import { findEvent } from "../../storage/journal/events.ts";
import {
  releaseIdempotency,
  findIdempotency,
  type IdempotencyRow,
  upsertIdempotency,
} from "../../storage/documents/idempotency.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Session } from "../../storage/database/session.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { Created, IdempotencyClaim } from "./context.ts";
import { AppError } from "../foundation/errors.ts";
import { erasedKey } from "./erased-keys.ts";

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

/** Returns what was created under `claim` before, or creates it now. Always creates without a claim. */
export async function createOnce(
  trx: Transaction,
  cipher: Cipher,
  mode: Mode,
  claim: IdempotencyClaim | undefined,
  create: () => Promise<FirstResponse>,
): Promise<Created> {
  const known = claim === undefined ? undefined : await lookUp(trx, cipher, mode, claim);
  if (known?.replayed !== undefined) return known.replayed;
  const first = await create();
  if (claim !== undefined) await storeKey(trx, cipher, { mode, claim, replaced: known!.replaced }, first);
  return { id: first.id, json: first.json, replayed: false };
}

/**
 * Returns what was created under `claim` before, if anything, for a request that is refused for another reason: a key that was used
 * is reported first. Throws like `createOnce`.
 */
export async function findCreated(
  trx: Transaction,
  cipher: Cipher,
  mode: Mode,
  claim: IdempotencyClaim,
): Promise<Created | undefined> {
  return (await lookUp(trx, cipher, mode, claim)).replayed;
}

/** A key marked as in progress. The instant at which the mark expires identifies it. */
export interface ProgressMark {
  mode: Mode;
  claim: IdempotencyClaim | undefined;
  leaseUntil: string;
}

/** Returns what was created under `claim` before, or marks the key as in progress for `leaseMs`. */
export async function beginOnce(
  trx: Transaction,
  cipher: Cipher,
  mode: Mode,
  claim: IdempotencyClaim | undefined,
  leaseMs: number,
): Promise<{ replayed: Created } | { mark: ProgressMark }> {
  const leaseUntil = new Date(trx.clockMs + leaseMs).toISOString();
  if (claim === undefined) return { mark: { mode, claim, leaseUntil } };
  const { replayed, replaced } = await lookUp(trx, cipher, mode, claim, leaseMs);
  if (replayed !== undefined) return { replayed };
  await storeRecord(trx, { ...rowOf(trx, mode, claim), lease_until: leaseUntil }, replaced);
  return { mark: { mode, claim, leaseUntil } };
}

/** Stores what was created under a mark. Throws `idempotency_in_progress` if the mark expired and another request has the key. */
export async function finishOnce(
  trx: Transaction,
  cipher: Cipher,
  { mode, claim, leaseUntil }: ProgressMark,
  first: FirstResponse,
): Promise<Created> {
  if (claim !== undefined) {
    const known = await findIdempotency(trx, { mode, operation: claim.operation, key: claim.key });
    if (known?.lease_until !== leaseUntil) throw inProgress();
    await storeKey(trx, cipher, { mode, claim, replaced: leaseUntil }, first);
  }
  return { id: first.id, json: first.json, replayed: false };
}

/** Frees the key of a mark after nothing was created. */
export async function abandonOnce(
  trx: Transaction,
  { mode, claim, leaseUntil }: ProgressMark,
): Promise<void> {
  if (claim === undefined) return;
  await releaseIdempotency(trx, { mode, operation: claim.operation, key: claim.key, leaseUntil });
}

function rowOf(trx: Transaction, mode: Mode, claim: IdempotencyClaim): IdempotencyRow {
  return {
    mode,
    operation: claim.operation,
    key: claim.key,
    fingerprint: claim.fingerprint,
    event_id: null,
    answer: null,
    lease_until: null,
    created_at: trx.now,
  };
}

/** The record that a response is sealed for. */
export function responseRecord(mode: Mode, claim: Pick<IdempotencyClaim, "operation" | "key">): string {
  return `idempotency ${mode} ${claim.operation} ${claim.key}`;
}

/** A key for which nothing is stored, except perhaps a mark until `replaced`. */
interface FreeKey {
  mode: Mode;
  claim: IdempotencyClaim;
  replaced: string | null;
}

async function storeKey(
  trx: Transaction,
  cipher: Cipher,
  { mode, claim, replaced }: FreeKey,
  { id, json, eventId }: FirstResponse,
): Promise<void> {
  const answer =
    eventId === null ? cipher.seal(responseRecord(mode, claim), JSON.stringify({ id, json })) : null;
  await storeRecord(trx, { ...rowOf(trx, mode, claim), event_id: eventId, answer }, replaced);
}

/** If another server has stored the key since, the unit runs again alone, and finds what that one created. */
async function storeRecord(trx: Transaction, row: IdempotencyRow, replaced: string | null): Promise<void> {
  if (!(await upsertIdempotency(trx, row, replaced)))
    throw new Error("An idempotency key was stored by another request meanwhile");
}

/** The record of a key, also after an erasure has replaced the key. */
async function findRecord(
  trx: Transaction,
  mode: Mode,
  { operation, key }: IdempotencyClaim,
): Promise<IdempotencyRow | undefined> {
  const known = await findIdempotency(trx, { mode, operation, key });
  if (known !== undefined || !trx.hasErasedKeys) return known;
  return findIdempotency(trx, { mode, operation, key: erasedKey(trx, key) });
}

/** Whether something is or was created under the key. */
export async function isKeyUsed(
  session: Session,
  by: { mode: Mode; operation: string; key: string },
): Promise<boolean> {
  return (await findIdempotency(session, by)) !== undefined;
}

/** Returns what was created under the key; otherwise when the mark ends that a new record replaces, if there is one. */
async function lookUp(
  trx: Transaction,
  cipher: Cipher,
  mode: Mode,
  claim: IdempotencyClaim,
  leaseMs?: number,
): Promise<{ replayed: Created | undefined; replaced: string | null }> {
  const known = await findRecord(trx, mode, claim);
  if (known === undefined) return { replayed: undefined, replaced: null };
  if (known.lease_until !== null && isExpired(Date.parse(known.lease_until) - trx.clockMs, leaseMs))
    return { replayed: undefined, replaced: known.lease_until };
  if (known.fingerprint !== claim.fingerprint) {
    throw new AppError("idempotency_conflict", {
      en: "This Idempotency-Key was used with a different request; use a new key for a new request",
      el: "Αυτό το Idempotency-Key χρησιμοποιήθηκε με διαφορετικό αίτημα· για νέο αίτημα χρησιμοποιήστε νέο κλειδί",
    });
  }
  if (known.lease_until !== null) throw inProgress();
  return {
    replayed: { ...(await readFirstResponse(trx, cipher, known)), replayed: true },
    replaced: null,
  };
}

/**
 * Whether a mark is that of a process that was killed, which frees the key. One that ends much later than `leaseMs` from now was
 * made while the clock ran ahead (docs/contract.md#clock-jumps).
 */
function isExpired(remainingMs: number, leaseMs = Number.POSITIVE_INFINITY): boolean {
  return remainingMs <= 0 || remainingMs > 2 * leaseMs;
}

async function readFirstResponse(
  trx: Transaction,
  cipher: Cipher,
  known: IdempotencyRow,
): Promise<{ id: string; json: string }> {
  const { mode, operation } = known;
  if (known.answer !== null) {
    const opened = cipher.open(responseRecord(mode as Mode, known), known.answer);
    if (opened === undefined)
      throw new Error(`The first response under an idempotency key of ${operation} cannot be decrypted`);
    return JSON.parse(opened.toString()) as { id: string; json: string };
  }
  const event = known.event_id === null ? undefined : await findEvent(trx, known.event_id);
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
