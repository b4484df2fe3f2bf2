/** Removes what is old, in portions (ranges of ids, which follow the order of creation), and finds and changes what an erasure removes. */
import { sql } from "kysely";
import { perEngine, textsIn } from "../database/dialect.ts";
import {
  allRows,
  allValues,
  changeRows,
  changesRow,
  deleteRow,
  inPortion,
  type Portion,
  updateRow,
} from "../database/queries.ts";
import type { Transaction } from "../database/write.ts";
import { noteForgottenEvent } from "../journal/event-notes.ts";
import type { EventRow } from "../journal/events.ts";
import { deleteBody, type RequestRow } from "../logs/logs.ts";

export const findRequestsIn = allRows<Portion>()((db, p) =>
  inPortion(db.selectFrom("requests").selectAll(), p),
);

export const findCallsIn = allRows<Portion>()((db, p) =>
  inPortion(db.selectFrom("provider_calls").selectAll(), p),
);

const purgeCallRow = changeRows<{ id: string; at: string; errorJson: string | null }>()((db, p) =>
  db
    .updateTable("provider_calls")
    .set((eb) => ({
      bodies_purged_at: eb.fn.coalesce("bodies_purged_at", eb.val(p.at)),
      error_json: p.errorJson,
    }))
    .where("id", "=", p.id),
);

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
  await purgeCallRow(trx, { id, at, errorJson });
  if (bodyId === null) return;
  await deleteBody(trx, { id: bodyId });
  await notePurgedCalls(trx, { bodyId, at });
}

/** In the rows of the calls that share the bodies, and of the call whose id the bodies have. */
const notePurgedCalls = changeRows<{ bodyId: string; at: string }>()((db, p) =>
  db
    .updateTable("provider_calls")
    .set((eb) => ({ bodies_purged_at: eb.fn.coalesce("bodies_purged_at", eb.val(p.at)) }))
    .where(sql<boolean>`(body_id = ${p.bodyId} and body_id <> id) or id = ${p.bodyId}`),
);

const deleteRequestRow = deleteRow("requests", ["id"]);

const deleteCallRow = deleteRow("provider_calls", ["id"]);

export async function deleteRequest(trx: Transaction, row: RequestRow): Promise<void> {
  await deleteBody(trx, { id: bodyIdOf(row) });
  await deleteRequestRow(trx, { id: row.id });
}

export async function deleteCall(trx: Transaction, id: string): Promise<void> {
  await deleteBody(trx, { id });
  await deleteCallRow(trx, { id });
}

export const findEventsIn = allRows<Portion>()((db, p) => inPortion(db.selectFrom("events").selectAll(), p));

const deleteEventRow = deleteRow("events", ["id"]);

export async function forgetEvent(trx: Transaction, row: EventRow): Promise<void> {
  await noteForgottenEvent(trx, row);
  await deleteEventRow(trx, { id: row.id });
}

export const deleteConnectSessions = changeRows<{ before: string }>()((db, p) =>
  db.deleteFrom("connect_sessions").where("created_at", "<", p.before),
);

export const findInputIds = allValues<{ after: string; limit: number }>()((db, p) =>
  db
    .selectFrom("document_inputs")
    .select("document_id")
    .where("document_id", ">", p.after)
    .orderBy("document_id")
    .limit(p.limit),
);

export const findMerchantIdsByTaxIds = allValues<{ codes: readonly string[] }>()((db, p) =>
  db.selectFrom("merchants").select("id").where("tax_id", "in", textsIn(p.codes)),
);

export const replaceRequestIds = updateRow("requests", ["id"], ["request_id", "idempotency_key"]);

const PROVIDER_WORDS = `%"provider_message":"%`;

const ERRORS = perEngine({
  sqlite: sql<string>`json_array(json_extract(object_json, '$.error'), json_extract(object_json, '$.last_error'),
    json_extract(previous_json, '$.error'), json_extract(previous_json, '$.last_error'))`,
  postgres: sql<string>`json_build_array(object_json::json -> 'error', object_json::json -> 'last_error',
    previous_json::json -> 'error', previous_json::json -> 'last_error')::text`,
});

/** What of events may be erased. `errors_json` has the errors in its snapshots, if a provider's message is among them. */
export const findErasableEvents = allRows<Portion>()((db, p) =>
  inPortion(
    db
      .selectFrom("events")
      .select(["id", "request_id", "idempotency_key", "document_id", "merchant_id"])
      .select(
        sql<
          string | null
        >`case when object_json like ${sql.lit(PROVIDER_WORDS)} or previous_json like ${sql.lit(PROVIDER_WORDS)}
        then ${ERRORS} end`.as("errors_json"),
      ),
    p,
  ),
);

export const findReturnUrls = allRows<Portion>()((db, p) =>
  inPortion(
    db.selectFrom("connect_sessions").select(["id", "return_url"]).where("return_url", "is not", null),
    p,
  ),
);

export const setReturnUrl = updateRow("connect_sessions", ["id"], ["return_url"]);

export const findDocumentErrors = allRows<Portion>()((db, p) =>
  inPortion(db.selectFrom("documents").select(["id", "error_json"]).where("error_json", "is not", null), p),
);
