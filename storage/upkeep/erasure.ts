/** Finds what an erasure may have to change, in portions, and changes it. */
import { sql } from "kysely";
import { perEngine } from "../database/dialect.ts";
import type { Session } from "../database/session.ts";
import { allRows, changeRows, inPortion, type Portion } from "../database/queries.ts";

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

/** Replaces the ids under which a request was logged. */
export const replaceRequestIds = changeRows<{
  id: string;
  requestId: string;
  idempotencyKey: string | null;
}>()((db, p) =>
  db
    .updateTable("requests")
    .set({ request_id: p.requestId, idempotency_key: p.idempotencyKey })
    .where("id", "=", p.id),
);

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

/** Connect sessions with a return URL, oldest first. */
export const findReturnUrls = allRows<Portion>()((db, p) =>
  inPortion(
    db.selectFrom("connect_sessions").select(["id", "return_url"]).where("return_url", "is not", null),
    p,
  ),
);

/** Removes the return URL of a connect session. */
export const clearReturnUrl = changeRows<{ id: string }>()((db, p) =>
  db.updateTable("connect_sessions").set({ return_url: null }).where("id", "=", p.id),
);

/** Documents with an error, oldest first. */
export const findDocumentErrors = allRows<Portion>()((db, p) =>
  inPortion(db.selectFrom("documents").select(["id", "error_json"]).where("error_json", "is not", null), p),
);
