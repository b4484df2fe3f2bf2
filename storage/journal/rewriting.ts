/** Removes provider messages and personal data from stored errors and events, as retention and erasure require. */
import { noteRemovedWords, noteReplacedRequest } from "./event-notes.ts";
import type { EventRow } from "./events.ts";
import { inPortion, type Portion } from "../upkeep/retention.ts";
import { statement } from "../database/statement.ts";
import { allRows, changeRows } from "../database/queries.ts";
import type { EventType, Mode } from "../stored-values.ts";
import type { Transaction } from "../database/write.ts";

const setConnectionError = statement<{ id: string; errorJson: string | null }>()((db, p) =>
  db.updateTable("connections").set({ last_error_json: p.errorJson }).where("id", "=", p.id),
);

const setEventTexts = statement<{ id: string; objectJson: string; previousJson: string | null }>()((db, p) =>
  db
    .updateTable("events")
    .set({ object_json: p.objectJson, previous_json: p.previousJson })
    .where("id", "=", p.id),
);

/** Replaces the error of a document, without an event. */
export const rewriteDocumentError = changeRows<{ id: string; errorJson: string | null }>()((db, p) =>
  db.updateTable("documents").set({ error_json: p.errorJson }).where("id", "=", p.id),
);

export async function rewriteConnectionError(trx: Transaction, id: string, errorJson: string): Promise<void> {
  trx.outdate();
  await trx.run(setConnectionError, { id, errorJson });
}

/** Replaces the snapshots of an event by ones without a provider's words, and adds notes to the chain. */
export async function rewriteEvent(
  trx: Transaction,
  before: EventRow,
  after: { objectJson: string; previousJson: string | null },
): Promise<void> {
  const { objectJson, previousJson } = after;
  await noteRemovedWords(trx, before, { ...before, object_json: objectJson, previous_json: previousJson });
  await trx.run(setEventTexts, { id: before.id, objectJson, previousJson });
}

const setEventRequest = statement<{ id: string; requestId: string | null; idempotencyKey: string | null }>()(
  (db, p) =>
    db
      .updateTable("events")
      .set({ request_id: p.requestId, idempotency_key: p.idempotencyKey })
      .where("id", "=", p.id),
);

/**
 * Replaces the request id and the idempotency key of an event, and adds a note to the chain. Together with a provider's words
 * they are the only parts of an event that may change (docs/audit.md). May be repeated. `before` is the row as it is now;
 * throws if it has neither value, or would have neither afterwards.
 */
export async function rewriteEventRequest(
  trx: Transaction,
  before: EventRow,
  after: { requestId: string | null; idempotencyKey: string | null },
): Promise<void> {
  const { requestId, idempotencyKey } = after;
  await noteReplacedRequest(trx, before, {
    ...before,
    request_id: requestId,
    idempotency_key: idempotencyKey,
  });
  await trx.run(setEventRequest, { id: before.id, requestId, idempotencyKey });
}

/** All events of a document, oldest first. */
export const findEventsOfDocument = allRows<{ documentId: string }>()((db, p) =>
  db.selectFrom("events").selectAll().where("document_id", "=", p.documentId).orderBy("id"),
);

/** Events of a type in the range, oldest first. */
export const findTypedEventsIn = allRows<Portion & { mode: Mode; type: EventType }>()((db, p) =>
  inPortion(db.selectFrom("events").selectAll().where("mode", "=", p.mode).where("type", "=", p.type), p),
);

/** Connections whose last error occurred before `before`. */
export const findOldConnectionErrors = allRows<{ before: string }>()((db, p) =>
  db.selectFrom("connections").selectAll().where("last_error_at", "<", p.before),
);
