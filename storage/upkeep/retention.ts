/** Deletes old rows and logged bodies in portions: ranges of ids, which follow the order of creation. */
import { deleteBody, type RequestRow } from "../logs/requests.ts";
import { noteForgottenEvent } from "../journal/event-notes.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import { allRows, changeRows, changesRow, inPortion, type Portion } from "../database/queries.ts";
import type { Transaction } from "../database/write.ts";

/** Requests of the range, oldest first. */
export const findRequestsIn = allRows<Portion>()((db, p) =>
  inPortion(db.selectFrom("requests").selectAll(), p),
);

/** Provider calls of the range, oldest first. */
export const findCallsIn = allRows<Portion>()((db, p) =>
  inPortion(db.selectFrom("provider_calls").selectAll(), p),
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
export const notePurgedBodies = changesRow<{ id: string; at: string }>()((db, p) =>
  db
    .updateTable("requests")
    .set({ bodies_purged_at: p.at })
    .where("id", "=", p.id)
    .where("bodies_purged_at", "is", null),
);

/**
 * Deletes the bodies of a request, with those of the requests that share them: they are of one commit, and so of one age.
 * Returns false if they were deleted before.
 */
export async function purgeRequestBodies(trx: Transaction, row: RequestRow, at: string): Promise<boolean> {
  await deleteBody(trx, { id: bodyIdOf(row) });
  return notePurgedBodies(trx, { id: row.id, at });
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
  await deleteBody(trx, { id: bodyId });
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
  await deleteBody(trx, { id: bodyIdOf(row) });
  await trx.run(deleteRequestRow, { id: row.id });
}

export async function deleteCall(trx: Transaction, id: string): Promise<void> {
  await deleteBody(trx, { id });
  await trx.run(deleteCallRow, { id });
}

const deleteEventRows = statement<{ after: string; through: string }>()((db, p) =>
  db
    .deleteFrom("events")
    .where("id", ">", p.after)
    .where("id", "<=", p.through)
    .where("document_id", "is", null),
);

const selectEventIds = statement<Portion>()((db, p) => inPortion(db.selectFrom("events").select("id"), p));

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

export const deleteConnectSessions = changeRows<{ before: string }>()((db, p) =>
  db.deleteFrom("connect_sessions").where("created_at", "<", p.before),
);
