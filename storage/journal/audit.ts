/** Queries of the audit, which checks the chain of events and compares documents with it, and of the comparison of a copy with its original. Both modes. */
import { sql } from "kysely";
import type { Session } from "../database/session.ts";
import { allRows, allValues, firstValue, type RowOf } from "../database/queries.ts";
import type { EventType } from "../stored-values.ts";
import { perEngine } from "../database/dialect.ts";
import type { Tables } from "../database/schema.ts";

export const findEventsAfter = allRows<{ after: string; limit: number }>()((db, p) =>
  db.selectFrom("events").selectAll().where("id", ">", p.after).orderBy("id").limit(p.limit),
);

export const findNotesAfter = allRows<{ after: string; limit: number }>()((db, p) =>
  db.selectFrom("event_notes").selectAll().where("id", ">", p.after).orderBy("id").limit(p.limit),
);

/** Notes after that of an event and an id, in the order of their events and, for the same event, oldest first. */
export const findNotesByEvent = allRows<{ eventId: string; noteId: string; limit: number }>()((db, p) =>
  db
    .selectFrom("event_notes")
    .selectAll()
    .where((eb) =>
      eb.or([
        eb("event_id", ">", p.eventId),
        eb.and([eb("event_id", "=", p.eventId), eb("id", ">", p.noteId)]),
      ]),
    )
    .orderBy("event_id")
    .orderBy("id")
    .limit(p.limit),
);

/** A document with its contents, and what its first and its newest event, its issuing and its cancellation say about it. Null if it lacks them. */
export type AuditedDocument = RowOf<typeof findAuditedDocuments>;

const CREATED: EventType = "document.created";
const ISSUED: EventType = "document.issued";
const CANCELLED: EventType = "document.cancelled";
const OF_DOCUMENT = sql`from events as own where own.document_id = documents.id`;

export const findAuditedDocuments = allRows<{ after: string; limit: number }>()((db, p) =>
  db
    .selectFrom("documents")
    .leftJoin("document_inputs as input", "input.document_id", "documents.id")
    .leftJoin("filings as filing", "filing.document_id", "documents.id")
    .leftJoin("events as first", (join) => join.on("first.id", "=", sql`(select min(id) ${OF_DOCUMENT})`))
    .leftJoin("events as issued", (join) =>
      join.on("issued.id", "=", sql`(select min(id) ${OF_DOCUMENT} and type = ${sql.lit(ISSUED)})`),
    )
    .leftJoin("events as cancelled", (join) =>
      join.on("cancelled.id", "=", sql`(select min(id) ${OF_DOCUMENT} and type = ${sql.lit(CANCELLED)})`),
    )
    .leftJoin("events as newest", (join) => join.on("newest.id", "=", sql`(select max(id) ${OF_DOCUMENT})`))
    .selectAll("documents")
    .select([
      "input.sealed as sealed_contents",
      "input.decided_json",
      "input.letterhead_id",
      "filing.sealed as filing",
      "first.type as first_type",
      "first.document_digest as first_digest",
      "issued.document_digest as issued_digest",
      "cancelled.document_digest as cancelled_digest",
      "newest.object_json as snapshot_json",
      "newest.document_digest as newest_digest",
    ])
    .where("documents.id", ">", p.after)
    .orderBy("documents.id")
    .limit(p.limit),
);

/** Documents that have an event of their acceptance, and are missing. */
export const findMissingDocuments = allValues<{ limit: number }>()(
  (_, p) => sql<{ document_id: string }>`
    select document_id from events where type = ${sql.lit(CREATED)}
      and not exists (select 1 from documents where documents.id = events.document_id) limit ${p.limit} + 0`,
);

/** The number of rows that an audit reads, for its progress. */
export const countAuditedRows = firstValue()(
  () => sql<{ rows: number }>`
    select (select count(*) from events) + (select count(*) from event_notes) + (select count(*) from documents) as rows`,
);

const TABLES = perEngine({
  sqlite: sql<{ name: string }>`(select name from sqlite_master where type = 'table')`,
  postgres: sql<{
    name: string;
  }>`(select tablename as name from pg_tables where schemaname = current_schema())`,
});

const selectTables = allValues()((db) => db.selectFrom(TABLES.as("tables")).select("tables.name"));

/** The number of rows in each of `tables`, in a database of any schema version, without the tables that it does not have. */
export async function countRows(
  session: Session,
  tables: readonly (keyof Tables)[],
): Promise<Record<string, number>> {
  const existing = new Set<string>(await selectTables(session));
  const counts: Record<string, number> = {};
  for (const table of tables) {
    if (!existing.has(table)) continue;
    const [row] = await session.query((db) => db.selectFrom(table).select(sql<number>`count(*)`.as("rows")));
    counts[table] = row?.rows ?? 0;
  }
  return counts;
}

export const findLastEvent = firstValue()((db) =>
  db.selectFrom("events").select("id").orderBy("id", "desc").limit(sql.lit(1)),
);
