/** Removes provider messages and personal data from stored errors and events, as retention and erasure require. */
import type { ConnectionRow } from "./connections.ts";
import { insertEventNote } from "./event-notes.ts";
import type { EventRow } from "./events.ts";
import type { Portion } from "./retention.ts";
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";
import type { EventType, Mode } from "./stored-values.ts";
import type { Transaction } from "./write.ts";

const setDocumentError = statement<{ id: string; errorJson: string | null }>()((db, p) =>
  db.updateTable("documents").set({ error_json: p.errorJson }).where("id", "=", p.id),
);

const setConnectionError = statement<{ id: string; errorJson: string | null }>()((db, p) =>
  db.updateTable("connections").set({ last_error_json: p.errorJson }).where("id", "=", p.id),
);

const setEventTexts = statement<{ id: string; objectJson: string; previousJson: string | null }>()((db, p) =>
  db
    .updateTable("events")
    .set({ object_json: p.objectJson, previous_json: p.previousJson })
    .where("id", "=", p.id),
);

/** Rewrites the error of a document; nothing else of it changes, and no event tells it. */
export async function rewriteDocumentError(trx: Transaction, id: string, errorJson: string): Promise<void> {
  await trx.run(setDocumentError, { id, errorJson });
}

export async function rewriteConnectionError(trx: Transaction, id: string, errorJson: string): Promise<void> {
  await trx.run(setConnectionError, { id, errorJson });
}

/** Rewrites what an event tells, only to take a provider's words out of it, and notes that it was. */
export async function rewriteEvent(
  trx: Transaction,
  before: EventRow,
  after: { objectJson: string; previousJson: string | null },
): Promise<void> {
  const { objectJson, previousJson } = after;
  await insertEventNote(trx, before, { ...before, object_json: objectJson, previous_json: previousJson });
  await trx.run(setEventTexts, { id: before.id, objectJson, previousJson });
}

const selectDocumentEvents = statement<{ documentId: string }>()((db, p) =>
  db.selectFrom("events").selectAll().where("document_id", "=", p.documentId).orderBy("id"),
);

/** Oldest first. */
export function findEventsOfDocument(session: Session, documentId: string): Promise<EventRow[]> {
  return session.all(selectDocumentEvents, { documentId });
}

const selectTypedEvents = statement<Portion & { mode: Mode; type: EventType }>()((db, p) =>
  db
    .selectFrom("events")
    .selectAll()
    .where("mode", "=", p.mode)
    .where("type", "=", p.type)
    .where("id", ">", p.after)
    .where("id", "<", p.before)
    .orderBy("id")
    .limit(p.limit),
);

/** The oldest events of a type in the range. */
export function findTypedEventsIn(
  session: Session,
  portion: Portion & { mode: Mode; type: EventType },
): Promise<EventRow[]> {
  return session.all(selectTypedEvents, portion);
}

const selectOldErrors = statement<{ before: string }>()((db, p) =>
  db.selectFrom("connections").selectAll().where("last_error_at", "<", p.before),
);

/** Connections whose last error is older than the instant. */
export function findOldConnectionErrors(session: Session, before: string): Promise<ConnectionRow[]> {
  return session.all(selectOldErrors, { before });
}
