/** Finds what an erasure may have to change, in portions, and changes it. */
import { sql } from "kysely";
import { perEngine } from "../database/dialect.ts";
import type { IdempotencyRow } from "../documents/idempotency.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

/** The ids of documents above `after`, oldest first. */
export async function findInputIds(
  session: Session,
  portion: { after: string; limit: number },
): Promise<string[]> {
  const rows = await session.query((db) =>
    db
      .selectFrom("document_inputs")
      .select("document_id")
      .where("document_id", ">", portion.after)
      .orderBy("document_id")
      .limit(portion.limit),
  );
  return rows.map(({ document_id }) => document_id);
}

export async function findMerchantIdsByTaxIds(session: Session, codes: readonly string[]): Promise<string[]> {
  const rows = await session.query((db) =>
    db.selectFrom("merchants").select("id").where("tax_id", "in", codes),
  );
  return rows.map(({ id }) => id);
}

const selectKeys = statement<{ mode: string; operation: string; key: string; limit: number }>()((db, p) =>
  db
    .selectFrom("idempotency")
    .select(["mode", "operation", "key", "answer"])
    .where(sql<boolean>`(mode, operation, key) > (${p.mode}, ${p.operation}, ${p.key})`)
    // A request in progress finds its record by its key.
    .where("lease_until", "is", null)
    .orderBy("mode")
    .orderBy("operation")
    .orderBy("key")
    .limit(p.limit),
);

/** Where a record of an idempotency key is. */
export type KeyPlace = Pick<IdempotencyRow, "mode" | "operation" | "key">;

/** The records of completed requests after `after`, in the order of mode, operation and key. */
export function findKeysAfter(
  session: Session,
  after: { mode: string; operation: string; key: string },
  limit: number,
): Promise<(KeyPlace & Pick<IdempotencyRow, "answer">)[]> {
  return session.all(selectKeys, { ...after, limit });
}

const replaceKeyRow = statement<KeyPlace & { newKey: string; answer: Uint8Array | null }>()((db, p) =>
  db
    .updateTable("idempotency")
    .set({ key: p.newKey, answer: p.answer })
    .where("mode", "=", p.mode)
    .where("operation", "=", p.operation)
    .where("key", "=", p.key),
);

const noteErasedKeys = statement<object>()((db) =>
  db.updateTable("appliance").set({ erased_keys: 1 }).where("id", "=", 1),
);

/** Replaces the key of a record. From now on, lookups that find no record also look for a replaced key. */
export async function replaceKey(
  trx: Transaction,
  place: KeyPlace,
  by: { newKey: string; answer: Uint8Array | null },
): Promise<void> {
  await trx.run(noteErasedKeys, {});
  await trx.run(replaceKeyRow, { ...place, ...by });
}

const replaceRequestIdsRow = statement<{ id: string; requestId: string; idempotencyKey: string | null }>()(
  (db, p) =>
    db
      .updateTable("requests")
      .set({ request_id: p.requestId, idempotency_key: p.idempotencyKey })
      .where("id", "=", p.id),
);

/** Replaces the ids under which a request was logged. */
export async function replaceRequestIds(
  trx: Transaction,
  row: { id: string; requestId: string; idempotencyKey: string | null },
): Promise<void> {
  await trx.run(replaceRequestIdsRow, row);
}

const PROVIDER_WORDS = `%"provider_message":"%`;

const ERRORS = perEngine({
  sqlite: sql<string>`json_array(json_extract(object_json, '$.error'), json_extract(object_json, '$.last_error'),
    json_extract(previous_json, '$.error'), json_extract(previous_json, '$.last_error'))`,
  postgres: sql<string>`json_build_array(object_json::json -> 'error', object_json::json -> 'last_error',
    previous_json::json -> 'error', previous_json::json -> 'last_error')::text`,
});

const selectEvents = statement<{ after: string; before: string; limit: number }>()((db, p) =>
  db
    .selectFrom("events")
    .select(["id", "request_id", "idempotency_key", "document_id", "merchant_id"])
    .select(
      sql<
        string | null
      >`case when object_json like ${sql.lit(PROVIDER_WORDS)} or previous_json like ${sql.lit(PROVIDER_WORDS)}
        then ${ERRORS} end`.as("errors_json"),
    )
    .where("id", ">", p.after)
    .where("id", "<", p.before)
    .orderBy("id")
    .limit(p.limit),
);

/** What of an event may be erased. */
export interface ErasableEvent {
  id: string;
  request_id: string | null;
  idempotency_key: string | null;
  document_id: string | null;
  merchant_id: string | null;
  /** The errors in its snapshots, if a provider's message is among them. */
  errors_json: string | null;
}

export function findErasableEvents(
  session: Session,
  portion: { after: string; before: string; limit: number },
): Promise<ErasableEvent[]> {
  return session.all(selectEvents, portion);
}

const selectReturnUrls = statement<{ after: string; before: string; limit: number }>()((db, p) =>
  db
    .selectFrom("connect_sessions")
    .select(["id", "return_url"])
    .where("return_url", "is not", null)
    .where("id", ">", p.after)
    .where("id", "<", p.before)
    .orderBy("id")
    .limit(p.limit),
);

/** Connect sessions with a return URL, oldest first. */
export function findReturnUrls(
  session: Session,
  portion: { after: string; before: string; limit: number },
): Promise<{ id: string; return_url: string | null }[]> {
  return session.all(selectReturnUrls, portion);
}

const clearUrl = statement<{ id: string }>()((db, p) =>
  db.updateTable("connect_sessions").set({ return_url: null }).where("id", "=", p.id),
);

/** Removes the return URL of a connect session. */
export async function clearReturnUrl(trx: Transaction, id: string): Promise<void> {
  await trx.run(clearUrl, { id });
}

const selectErrors = statement<{ after: string; before: string; limit: number }>()((db, p) =>
  db
    .selectFrom("documents")
    .select(["id", "error_json"])
    .where("error_json", "is not", null)
    .where("id", ">", p.after)
    .where("id", "<", p.before)
    .orderBy("id")
    .limit(p.limit),
);

/** Documents with an error, oldest first. */
export function findDocumentErrors(
  session: Session,
  portion: { after: string; before: string; limit: number },
): Promise<{ id: string; error_json: string | null }[]> {
  return session.all(selectErrors, portion);
}
