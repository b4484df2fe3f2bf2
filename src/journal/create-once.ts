/**
 * Creations under an idempotency key (decisions 4): the key, the resource and its first event are written in one
 * transaction, and a repetition answers the first answer, byte for byte. Call inside a write. A creation that has to ask
 * somebody before it can be stored marks its key first, and keeps or frees it afterwards.
 */
import type { Cipher } from "../../storage/cipher.ts";
import { findEvent } from "../../storage/events.ts";
import {
  dropIdempotency,
  findIdempotency,
  type IdempotencyRow,
  keepIdempotency,
} from "../../storage/idempotency.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Transaction } from "../../storage/write.ts";
import type { Created, IdempotencyClaim } from "./context.ts";
import { AppError } from "../foundation/errors.ts";

/** How long a caller waits before it asks again for an answer that is being made. */
const IN_PROGRESS_RETRY_SECONDS = 1;

/** What `create` made, and where its text is found again. */
export interface FirstAnswer {
  id: string;
  /** The text of the object as it is answered. */
  json: string;
  /** The event whose snapshot is that text; null where the text holds a secret, and is kept sealed instead. */
  eventId: string | null;
}

/** Answers what was created under `claim` before, or creates it now. Without a claim it always creates. */
export async function createOnce(
  trx: Transaction,
  cipher: Cipher,
  mode: Mode,
  claim: IdempotencyClaim | undefined,
  create: () => Promise<FirstAnswer>,
): Promise<Created> {
  const replayed = claim === undefined ? undefined : await replay(trx, cipher, mode, claim);
  if (replayed !== undefined) return replayed;
  const first = await create();
  if (claim !== undefined) await keep(trx, cipher, mode, claim, first);
  return { id: first.id, json: first.json, replayed: false };
}

/** A key that is marked as in progress: the instant at which the mark expires, which tells it from any other's. */
export interface ProgressMark {
  mode: Mode;
  claim: IdempotencyClaim | undefined;
  leaseUntil: string;
}

/** Answers what was created under `claim` before, or marks the key as in progress for `leaseMs`. */
export async function beginOnce(
  trx: Transaction,
  cipher: Cipher,
  mode: Mode,
  claim: IdempotencyClaim | undefined,
  leaseMs: number,
): Promise<{ replayed: Created } | { mark: ProgressMark }> {
  const leaseUntil = new Date(trx.clockMs + leaseMs).toISOString();
  if (claim === undefined) return { mark: { mode, claim, leaseUntil } };
  const replayed = await replay(trx, cipher, mode, claim);
  if (replayed !== undefined) return { replayed };
  await keepIdempotency(trx, { ...rowOf(trx, mode, claim), lease_until: leaseUntil });
  return { mark: { mode, claim, leaseUntil } };
}

/** Keeps what was created under a mark. Throws `idempotency_in_progress` when the mark ran out and another request has the key. */
export async function finishOnce(
  trx: Transaction,
  cipher: Cipher,
  { mode, claim, leaseUntil }: ProgressMark,
  first: FirstAnswer,
): Promise<Created> {
  if (claim !== undefined) {
    const known = await findIdempotency(trx, { mode, operation: claim.operation, key: claim.key });
    if (known?.lease_until !== leaseUntil) throw inProgress();
    await keep(trx, cipher, mode, claim, first);
  }
  return { id: first.id, json: first.json, replayed: false };
}

/** Frees the key of a mark: nothing was created. */
export async function abandonOnce(
  trx: Transaction,
  { mode, claim, leaseUntil }: ProgressMark,
): Promise<void> {
  if (claim === undefined) return;
  await dropIdempotency(trx, { mode, operation: claim.operation, key: claim.key, leaseUntil });
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

/** The record that an answer is sealed for. */
export function answerRecord(mode: Mode, claim: Pick<IdempotencyClaim, "operation" | "key">): string {
  return `idempotency ${mode} ${claim.operation} ${claim.key}`;
}

async function keep(
  trx: Transaction,
  cipher: Cipher,
  mode: Mode,
  claim: IdempotencyClaim,
  { id, json, eventId }: FirstAnswer,
): Promise<void> {
  const answer =
    eventId === null ? cipher.seal(answerRecord(mode, claim), JSON.stringify({ id, json })) : null;
  await keepIdempotency(trx, { ...rowOf(trx, mode, claim), event_id: eventId, answer });
}

async function replay(
  trx: Transaction,
  cipher: Cipher,
  mode: Mode,
  claim: IdempotencyClaim,
): Promise<Created | undefined> {
  const known = await findIdempotency(trx, { mode, operation: claim.operation, key: claim.key });
  if (known === undefined) return undefined;
  // The mark of a process that was killed expires with its lease: the key is free again.
  if (known.lease_until !== null && known.lease_until <= new Date(trx.clockMs).toISOString())
    return undefined;
  if (known.fingerprint !== claim.fingerprint) {
    throw new AppError(
      "idempotency_conflict",
      "This Idempotency-Key was used with a different request; use a new key for a new request",
    );
  }
  if (known.lease_until !== null) throw inProgress();
  return { ...(await firstAnswer(trx, cipher, mode, claim, known)), replayed: true };
}

async function firstAnswer(
  trx: Transaction,
  cipher: Cipher,
  mode: Mode,
  claim: IdempotencyClaim,
  known: IdempotencyRow,
): Promise<{ id: string; json: string }> {
  if (known.answer !== null) {
    const opened = cipher.open(answerRecord(mode, claim), known.answer);
    if (opened === undefined)
      throw new Error(`The first answer under an idempotency key of ${claim.operation} cannot be opened`);
    return JSON.parse(opened.toString()) as { id: string; json: string };
  }
  const event = known.event_id === null ? undefined : await findEvent(trx, known.event_id);
  if (event === undefined)
    throw new Error(`The first answer under an idempotency key of ${claim.operation} is gone`);
  const { id } = JSON.parse(event.object_json) as { id: string };
  return { id, json: event.object_json };
}

/** A request with the same key is still running: decisions 4. */
export function inProgress(): AppError {
  return new AppError(
    "idempotency_in_progress",
    "A request with this Idempotency-Key is still in progress; ask again in a second",
    { retryAfterSeconds: IN_PROGRESS_RETRY_SECONDS },
  );
}
