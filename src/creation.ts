/**
 * Creations under an idempotency key (decisions 4): the key, the resource and its first event are written in one
 * transaction, and a repetition answers the snapshot of that event, byte for byte. Call inside a write.
 */
import { findEvent } from "../storage/events.ts";
import { findIdempotency, keepIdempotency } from "../storage/idempotency.ts";
import type { Mode } from "../storage/schema.ts";
import type { Transaction } from "../storage/write.ts";
import type { Created, IdempotencyClaim } from "./context.ts";
import { AppError } from "./errors.ts";

/** How long a caller waits before it asks again for an answer that is being made. */
const IN_PROGRESS_RETRY_SECONDS = 1;

/** What `create` made: its id, its first event, and the text of the object as the event keeps it. */
export interface FirstAnswer {
  id: string;
  eventId: string;
  json: string;
}

/** Answers what was created under `claim` before, or creates it now. Without a claim it always creates. */
export async function createOnce(
  trx: Transaction,
  mode: Mode,
  claim: IdempotencyClaim | undefined,
  create: () => Promise<FirstAnswer>,
): Promise<Created> {
  if (claim === undefined) {
    const { id, json } = await create();
    return { id, json, replayed: false };
  }
  const replayed = await replay(trx, mode, claim);
  if (replayed !== undefined) return replayed;
  const { id, eventId, json } = await create();
  await keepIdempotency(trx, {
    mode,
    operation: claim.operation,
    key: claim.key,
    fingerprint: claim.fingerprint,
    event_id: eventId,
    answer: null,
    lease_until: null,
    created_at: trx.now,
  });
  return { id, json, replayed: false };
}

async function replay(trx: Transaction, mode: Mode, claim: IdempotencyClaim): Promise<Created | undefined> {
  const known = await findIdempotency(trx, { mode, operation: claim.operation, key: claim.key });
  if (known === undefined) return undefined;
  // The mark of a process that was killed expires with its lease: the key is free again.
  if (known.lease_until !== null && known.lease_until <= trx.now) return undefined;
  if (known.fingerprint !== claim.fingerprint) {
    throw new AppError(
      "idempotency_conflict",
      "This Idempotency-Key was used with a different request; use a new key for a new request",
    );
  }
  if (known.lease_until !== null) throw inProgress();
  const event = known.event_id === null ? undefined : await findEvent(trx, known.event_id);
  if (event === undefined)
    throw new Error(`The first answer under an idempotency key of ${claim.operation} is gone`);
  const { id } = JSON.parse(event.object_json) as { id: string };
  return { id, json: event.object_json, replayed: true };
}

/** A request with the same key is still running: decisions 4. */
export function inProgress(): AppError {
  return new AppError(
    "idempotency_in_progress",
    "A request with this Idempotency-Key is still in progress; ask again in a second",
    { retryAfterSeconds: IN_PROGRESS_RETRY_SECONDS },
  );
}
