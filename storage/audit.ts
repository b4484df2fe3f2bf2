/** Queries of the audit, which compares documents with their events. Both modes, in the order of ids. */
import { sql } from "kysely";
import type { DocumentRow } from "./documents.ts";
import type { EventType } from "./stored-values.ts";
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";

export interface DocumentWithSnapshot extends DocumentRow {
  /** The snapshot in its newest event; null if it has no event. */
  snapshot_json: string | null;
}

const selectWithSnapshots = statement<{ after: string; limit: number }>()((db, p) =>
  db
    .selectFrom("documents")
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom("events")
        .select("object_json")
        .whereRef("events.document_id", "=", "documents.id")
        .orderBy("events.id", "desc")
        .limit(1)
        .as("snapshot_json"),
    )
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(p.limit),
);

/** Documents with ids above `after`, oldest first. */
export function findDocumentsWithSnapshots(
  session: Session,
  after: string,
  limit: number,
): Promise<DocumentWithSnapshot[]> {
  return session.all(selectWithSnapshots, { after, limit });
}

const CREATED: EventType = "document.created";

const selectOrphans = statement<{ limit: number }>()((db, p) =>
  db
    .selectFrom("events")
    .select(["id", "document_id"])
    .where("type", "=", sql.lit(CREATED))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("documents")
            .select("documents.id")
            .whereRef("documents.id", "=", "events.document_id"),
        ),
      ),
    )
    .limit(p.limit),
);

/** `document.created` events whose document is missing. */
export function findEventsOfMissingDocuments(
  session: Session,
  limit: number,
): Promise<{ id: string; document_id: string | null }[]> {
  return session.all(selectOrphans, { limit });
}

const countRows = statement<object>()((db) =>
  db.selectNoFrom((eb) => [
    eb.selectFrom("events").select(eb.fn.countAll<number>().as("n")).as("events"),
    eb.selectFrom("event_notes").select(eb.fn.countAll<number>().as("n")).as("notes"),
    eb.selectFrom("documents").select(eb.fn.countAll<number>().as("n")).as("documents"),
  ]),
);

/** The number of rows that an audit reads, for its progress. */
export async function countAuditedRows(session: Session): Promise<number> {
  const row = await session.first(countRows, {});
  return (row?.events ?? 0) + (row?.notes ?? 0) + (row?.documents ?? 0);
}
