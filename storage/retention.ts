/**
 * Forgetting, in portions: rows and bodies in ranges of ids, which are in the order of time. A watermark says how far a kind
 * has been gone through, so that no night begins at the beginning.
 */
import { sql } from "kysely";
import type { ProviderCallRow } from "./calls.ts";
import { noteEvent } from "./event-notes.ts";
import type { EventRow } from "./events.ts";
import type { ConnectionRow } from "./connections.ts";
import type { RequestRow } from "./requests.ts";
import type { EventType, Mode } from "./stored-values.ts";
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";
import type { Transaction } from "./write.ts";

/** Ids above `after` and below `before`, both exclusive. */
export interface IdRange {
  after: string;
  before: string;
}

interface Portion extends IdRange {
  limit: number;
}

const selectWatermark = statement<{ name: string }>()((db, p) =>
  db.selectFrom("watermarks").select("through").where("name", "=", p.name),
);
const upsertWatermark = statement<{ name: string; through: string }>()((db, p) =>
  db
    .insertInto("watermarks")
    .values({ name: p.name, through: p.through })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ through: p.through })),
);

/** The id up to which `name` has been gone through; undefined before the first time. */
export async function findWatermark(session: Session, name: string): Promise<string | undefined> {
  return (await session.first(selectWatermark, { name }))?.through;
}

export async function keepWatermark(trx: Transaction, name: string, through: string): Promise<void> {
  await trx.run(upsertWatermark, { name, through });
}

const deleteWatermark = statement<{ name: string }>()((db, p) =>
  db.deleteFrom("watermarks").where("name", "=", p.name),
);

/** Forgets how far `name` has come: it is done, or begins anew. */
export async function dropWatermark(trx: Transaction, name: string): Promise<void> {
  await trx.run(deleteWatermark, { name });
}

const selectRequests = statement<Portion>()((db, p) =>
  db
    .selectFrom("requests")
    .selectAll()
    .where("id", ">", p.after)
    .where("id", "<", p.before)
    .orderBy("id")
    .limit(p.limit),
);
const selectCalls = statement<Portion>()((db, p) =>
  db
    .selectFrom("provider_calls")
    .selectAll()
    .where("id", ">", p.after)
    .where("id", "<", p.before)
    .orderBy("id")
    .limit(p.limit),
);

/** The oldest requests of the range. */
export function findRequestsIn(session: Session, portion: Portion): Promise<RequestRow[]> {
  return session.all(selectRequests, portion);
}

/** The oldest provider calls of the range. */
export function findCallsIn(session: Session, portion: Portion): Promise<ProviderCallRow[]> {
  return session.all(selectCalls, portion);
}

const deleteBodyRow = statement<{ id: string }>()((db, p) => db.deleteFrom("bodies").where("id", "=", p.id));
const purgeRequestRow = statement<{ id: string; at: string }>()((db, p) =>
  db
    .updateTable("requests")
    .set({ bodies_purged_at: p.at })
    .where("id", "=", p.id)
    .where("bodies_purged_at", "is", null),
);
const purgeCallRow = statement<{ id: string; at: string; errorJson: string | null }>()((db, p) =>
  db
    .updateTable("provider_calls")
    .set((eb) => ({
      bodies_purged_at: eb.fn.coalesce("bodies_purged_at", eb.val(p.at)),
      error_json: p.errorJson,
    }))
    .where("id", "=", p.id),
);

/** Deletes the bodies of a request and says so in its row. False when that had been done before. */
export async function purgeRequestBodies(trx: Transaction, id: string, at: string): Promise<boolean> {
  await trx.run(deleteBodyRow, { id });
  return (await trx.run(purgeRequestRow, { id, at })) === 1;
}

/**
 * Deletes the bodies of a provider call, says so in its row and in those that share them, and leaves `errorJson` of its error.
 */
export async function purgeCallBodies(
  trx: Transaction,
  call: { id: string; bodyId: string | null; at: string; errorJson: string | null },
): Promise<void> {
  const { id, bodyId, at, errorJson } = call;
  await trx.run(purgeCallRow, { id, at, errorJson });
  if (bodyId === null) return;
  await trx.run(deleteBodyRow, { id: bodyId });
  await trx.run(purgeSharingRows, { bodyId, at });
  if (bodyId !== id) await trx.run(purgeOwnerRow, { bodyId, at });
}

const purgeSharingRows = statement<{ bodyId: string; at: string }>()((db, p) =>
  db
    .updateTable("provider_calls")
    .set((eb) => ({ bodies_purged_at: eb.fn.coalesce("bodies_purged_at", eb.val(p.at)) }))
    .where("body_id", "=", p.bodyId)
    .whereRef("body_id", "<>", "id"),
);
const purgeOwnerRow = statement<{ bodyId: string; at: string }>()((db, p) =>
  db
    .updateTable("provider_calls")
    .set((eb) => ({ bodies_purged_at: eb.fn.coalesce("bodies_purged_at", eb.val(p.at)) }))
    .where("id", "=", p.bodyId),
);

const deleteRequestRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("requests").where("id", "=", p.id),
);
const deleteCallRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("provider_calls").where("id", "=", p.id),
);

export async function deleteRequest(trx: Transaction, id: string): Promise<void> {
  await trx.run(deleteBodyRow, { id });
  await trx.run(deleteRequestRow, { id });
}

export async function deleteCall(trx: Transaction, id: string): Promise<void> {
  await trx.run(deleteBodyRow, { id });
  await trx.run(deleteCallRow, { id });
}

const deleteEventRows = statement<{ after: string; through: string }>()((db, p) =>
  db
    .deleteFrom("events")
    .where("id", ">", p.after)
    .where("id", "<=", p.through)
    .where("document_id", "is", null),
);
const selectEventIds = statement<Portion>()((db, p) =>
  db
    .selectFrom("events")
    .select("id")
    .where("id", ">", p.after)
    .where("id", "<", p.before)
    .orderBy("id")
    .limit(p.limit),
);

/** The ids of the oldest events of the range. */
export async function findEventIdsIn(session: Session, portion: Portion): Promise<string[]> {
  return (await session.all(selectEventIds, portion)).map(({ id }) => id);
}

const selectEventsToDelete = statement<{ after: string; through: string }>()((db, p) =>
  db
    .selectFrom("events")
    .selectAll()
    .where("id", ">", p.after)
    .where("id", "<=", p.through)
    .where("document_id", "is", null)
    .orderBy("id"),
);

/** Deletes the events of a range that are about no document, each leaving a note; answers how many. */
export async function deleteEventsWithoutDocument(
  trx: Transaction,
  range: { after: string; through: string },
): Promise<number> {
  for (const row of await trx.all(selectEventsToDelete, range)) await noteEvent(trx, row, undefined);
  return trx.run(deleteEventRows, range);
}

const selectOldKeys = statement<{ before: string; now: string; limit: number }>()((db, p) =>
  db
    .selectFrom("idempotency")
    .select(["mode", "operation", "key"])
    .where("operation", "<>", sql.lit("issueDocument"))
    .where("created_at", "<", p.before)
    .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<", p.now)]))
    .limit(p.limit),
);
const deleteKeyRow = statement<{ mode: Mode; operation: string; key: string }>()((db, p) =>
  db
    .deleteFrom("idempotency")
    .where("mode", "=", p.mode)
    .where("operation", "=", p.operation)
    .where("key", "=", p.key),
);

/** Forgets idempotency keys that were used before the instant, documents' excepted; answers how many. */
export async function deleteIdempotencyKeys(
  trx: Transaction,
  portion: { before: string; now: string; limit: number },
): Promise<number> {
  const keys = await trx.all(selectOldKeys, portion);
  for (const key of keys) await trx.run(deleteKeyRow, key);
  return keys.length;
}

const deleteSessionRows = statement<{ before: string }>()((db, p) =>
  db.deleteFrom("connect_sessions").where("created_at", "<", p.before),
);

export function deleteConnectSessions(trx: Transaction, before: string): Promise<number> {
  return trx.run(deleteSessionRows, { before });
}

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
  await noteEvent(trx, before, { ...before, object_json: objectJson, previous_json: previousJson });
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
