/** Queries of `fiscal doctor` and for metrics, and the problems that were reported by mail and have not ended. Each reads few rows, through the indexes of lists and queues. */
import { type RawBuilder, sql } from "kysely";
import { textsIn } from "../database/dialect.ts";
import type { DocumentStage, Mode, Provider } from "../stored-values.ts";
import type { Row } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import type { DocumentRow } from "../documents/documents.ts";
import { allRows, allValues, deleteRow, firstRow, firstValue, hasRow } from "../database/queries.ts";

/** The oldest documents of the mode that were accepted before `before` and are still pending, with the status of their connection. */
export const findPendingDocuments = allRows<{ mode: Mode; before: string; limit: number }>()((db, p) =>
  db
    .selectFrom("documents")
    .leftJoin("connections", "connections.id", "documents.connection_id")
    .select(["documents.id", "documents.phase", "documents.provider", "documents.connection_id"])
    .select(["documents.next_at", "documents.lease_until", "documents.stage_since", "documents.updated_at"])
    .select("connections.status as connection_status")
    .where("documents.mode", "=", p.mode)
    .where("documents.status", "=", "pending")
    .where("documents.created_at", "<", p.before)
    .orderBy("documents.id")
    .limit(p.limit),
);

/** Failed documents with a number, and those that failed since `since` without one, unless a person has abandoned it. */
export const findFailedDocuments = allRows<{ mode: Mode; since: string; limit: number }>()(
  // One with a number also if it had another one, which was abandoned before it was sent again.
  (_, p) => sql<Pick<DocumentRow, "id" | "error_json">>`
    select id, error_json from documents where mode = ${p.mode} and status = 'failed' and (number is not null or (
      updated_at >= ${p.since} and id not in (
        select document_id from numbers where state = 'abandoned' and document_id is not null)))
    order by id limit ${p.limit} + 0`,
);

/** The ids of pending documents that were due, or whose lease expired, before `due`. */
export const findOverdueDocuments = allValues<{ mode: Mode; due: string; limit: number }>()((db, p) =>
  db
    .selectFrom("documents")
    .select("id")
    .where("mode", "=", p.mode)
    .where("status", "=", "pending")
    .where((eb) => eb.or([eb("next_at", "<", p.due), eb("lease_until", "<", p.due)]))
    .orderBy("id")
    .limit(p.limit),
);

export const hasActiveLease = hasRow<{ mode: Mode; now: string }>()((db, p) =>
  db
    .selectFrom("documents")
    .select("id")
    .where("lease_until", "is not", null)
    .where("lease_until", ">", p.now)
    .where("mode", "=", p.mode)
    .limit(sql.lit(1)),
);

/** Connections that are refused, or to one of the `providers`, oldest first, without those of archived merchants. `merchant` is its external id. */
export const findUnusableConnections = allRows<{
  mode: Mode;
  providers: readonly Provider[];
  limit: number;
}>()((db, p) =>
  db
    .selectFrom("connections")
    .innerJoin("merchants", "merchants.id", "connections.merchant_id")
    .select(["connections.id", "connections.provider", "connections.status"])
    .select(["connections.last_error_json", "connections.last_error_at", "merchants.external_id as merchant"])
    .where("connections.mode", "=", p.mode)
    .where((eb) =>
      eb.or([
        eb("connections.status", "=", "invalid"),
        eb.and([
          eb("connections.status", "<>", "disconnected"),
          eb("connections.provider", "in", textsIn(p.providers) as RawBuilder<Provider>),
        ]),
      ]),
    )
    .where("merchants.archived", "=", 0)
    .orderBy("connections.id")
    .limit(p.limit),
);

export const findSealedCredentials = allRows<{ limit: number }>()((db, p) =>
  db
    .selectFrom("connections")
    .select(["id", (eb) => eb.ref("credentials").$notNull().as("credentials")])
    .where("status", "<>", "disconnected")
    .where("credentials", "is not", null)
    .limit(p.limit),
);

/** The encrypted contents of the oldest and of the newest documents, up to `limit` of each, oldest first. */
export const findSealedContents = allRows<{ limit: number }>()((_, p) => {
  const atEnd = (direction: "asc" | "desc") => sql`
    select * from (select document_id, sealed from document_inputs
      order by document_id ${sql.raw(direction)} limit ${p.limit} + 0) as ${sql.ref(direction === "asc" ? "oldest" : "newest")}`;
  return sql<Pick<Row<"document_inputs">, "document_id" | "sealed">>`
    ${atEnd("asc")} union ${atEnd("desc")} order by document_id`;
});

export const findEndpointsOfMode = allRows<{ mode: Mode }>()((db, p) =>
  db
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("mode", "=", p.mode)
    .where("removed_at", "is", null)
    .orderBy("id"),
);

const findOldest = firstValue<{ from: string; before: string }>()((db, p) =>
  db
    .selectFrom("bodies")
    .select("created_at")
    .where("id", ">=", p.from)
    .where("id", "<", p.before)
    .orderBy("id")
    .limit(sql.lit(1)),
);

/** When the oldest stored body of requests (`rql`) or provider calls (`pcl`) was logged. */
export function findOldestBody(session: Session, prefix: "rql" | "pcl"): Promise<string | undefined> {
  return findOldest(session, { from: `${prefix}_`, before: `${prefix}\`` });
}

/** Numbers passed over since `since` for a reason like `reason`, a pattern of SQL, newest first. */
export const findPassedNumbers = allRows<{ mode: Mode; since: string; reason: string; limit: number }>()(
  (db, p) =>
    db
      .selectFrom("numbers")
      .innerJoin("series", "series.id", "numbers.series_id")
      .select(["series.series", "numbers.number", "numbers.document_id", "numbers.reason"])
      .where("series.mode", "=", p.mode)
      .where("numbers.state", "=", sql.lit("passed"))
      .where("numbers.at", ">=", p.since)
      .where("numbers.reason", "like", p.reason)
      .orderBy("numbers.at", "desc")
      .limit(p.limit),
);

/** Counting stops here: an exact number above it is of no use. */
const COUNTED_MAX = 10_000;

/** The pending documents of the mode by stage, and when the oldest of each was accepted. */
export const countPendingDocuments = allRows<{ mode: Mode }>()(
  (_, p) => sql<{ stage: DocumentStage; documents: number; oldest: string }>`
    select phase as stage, count(*) as documents, min(created_at) as oldest from (
      select phase, created_at from documents where mode = ${p.mode} and status = 'pending'
      order by id limit ${sql.lit(COUNTED_MAX)}
    ) as pending group by phase`,
);

/** The number of deliveries waiting for an attempt, and when the first is due; null if none waits. */
export const countWaitingDeliveries = firstRow()(
  () => sql<{ deliveries: number; earliest: string | null }>`
    select count(*) as deliveries, min(due_at) as earliest from (
      select due_at from deliveries where due_at is not null and lease_owner is null limit ${sql.lit(COUNTED_MAX)}
    ) as waiting`,
);

export type AlertRow = Row<"alerts">;

export const findAlerts = allRows()((db) => db.selectFrom("alerts").selectAll().orderBy("id"));

export const deleteAlert = deleteRow("alerts", ["id"]);
