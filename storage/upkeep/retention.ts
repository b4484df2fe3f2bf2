/** Deletes old rows and logged bodies in portions: ranges of ids, which follow the order of creation. */
import { sql } from "kysely";
import type { ProviderCallRow } from "../logs/calls.ts";
import { deleteBody } from "../logs/bodies.ts";
import { noteForgottenEvent } from "../journal/event-notes.ts";
import type { RequestRow } from "../logs/requests.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Mode } from "../stored-values.ts";
import type { Transaction } from "../database/write.ts";

/** Ids above `after` and below `before`, both exclusive. */
export interface IdRange {
  after: string;
  before: string;
}

export interface Portion extends IdRange {
  limit: number;
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

/** Requests of the range, oldest first. */
export function findRequestsIn(session: Session, portion: Portion): Promise<RequestRow[]> {
  return session.all(selectRequests, portion);
}

/** Provider calls of the range, oldest first. */
export function findCallsIn(session: Session, portion: Portion): Promise<ProviderCallRow[]> {
  return session.all(selectCalls, portion);
}

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

/** Where the bodies of a request are. */
export function bodyIdOf({ id, body_id }: Pick<RequestRow, "id" | "body_id">): string {
  return body_id ?? id;
}

/** Records that the bodies of a request were deleted. Returns false if they were before. */
export async function notePurgedBodies(trx: Transaction, id: string, at: string): Promise<boolean> {
  return (await trx.run(purgeRequestRow, { id, at })) === 1;
}

/**
 * Deletes the bodies of a request, with those of the requests that share them: they are of one commit, and so of one age.
 * Returns false if they were deleted before.
 */
export async function purgeRequestBodies(trx: Transaction, row: RequestRow, at: string): Promise<boolean> {
  await deleteBody(trx, bodyIdOf(row));
  return notePurgedBodies(trx, row.id, at);
}

/**
 * Deletes the bodies of a provider call, records when in its row and in those of calls that share the bodies, and replaces
 * the error of the call by `errorJson`.
 */
export async function purgeCallBodies(
  trx: Transaction,
  call: { id: string; bodyId: string | null; at: string; errorJson: string | null },
): Promise<void> {
  const { id, bodyId, at, errorJson } = call;
  await trx.run(purgeCallRow, { id, at, errorJson });
  if (bodyId === null) return;
  await deleteBody(trx, bodyId);
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

export async function deleteRequest(trx: Transaction, row: RequestRow): Promise<void> {
  await deleteBody(trx, bodyIdOf(row));
  await trx.run(deleteRequestRow, { id: row.id });
}

export async function deleteCall(trx: Transaction, id: string): Promise<void> {
  await deleteBody(trx, id);
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

/** The ids of events in the range, oldest first. */
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

/** Deletes the events of the range without a document, and adds a note to the chain for each. Returns how many. */
export async function deleteEventsWithoutDocument(
  trx: Transaction,
  range: { after: string; through: string },
): Promise<number> {
  for (const row of await trx.all(selectEventsToDelete, range)) await noteForgottenEvent(trx, row);
  return trx.run(deleteEventRows, range);
}

const selectOldKeys = statement<{ before: string; now: string; limit: number }>()((db, p) =>
  db
    .selectFrom("idempotency")
    .select(["mode", "operation", "key"])
    // As in the index, which otherwise would not apply.
    .where("operation", "not in", [sql.lit("issueDocument"), sql.lit("creditDocument")])
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

/** Deletes idempotency records created before `before`, except those of documents. Returns how many. */
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
