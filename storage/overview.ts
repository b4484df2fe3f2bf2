/** What the console's overview and search read: each query walks one index, and stops at a limit. */
import { sql } from "kysely";
import type { ConnectionRow } from "./connections.ts";
import type { DocumentRow } from "./documents.ts";
import { idBodyAt } from "./ids.ts";
import type { DocumentStatus, Mode } from "./schema.ts";
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";

const countStatus = statement<{ mode: Mode; status: DocumentStatus; from: string; limit: number }>()(
  (db, p) =>
    db
      .selectFrom(
        db
          .selectFrom("documents")
          .select("id")
          .where("mode", "=", p.mode)
          .where("status", "=", p.status)
          .where("id", ">=", p.from)
          .limit(p.limit)
          .as("counted"),
      )
      .select((eb) => eb.fn.countAll<number>().as("count")),
);

/** How many documents that were accepted at `fromMs` or later have the status; `limit` at the most are counted. */
export async function countDocumentsSince(
  session: Session,
  by: { mode: Mode; status: DocumentStatus; fromMs: number; limit: number },
): Promise<number> {
  const { fromMs, ...rest } = by;
  return (await session.first(countStatus, { ...rest, from: `doc_${idBodyAt(fromMs)}` }))?.count ?? 0;
}

/** What was issued on one day, of one type. */
export interface TypeOfDay {
  type: string;
  count: number;
  /** Cents, as text: a sum may be beyond what a number holds. */
  vat: string;
}

const sumDay = statement<{ mode: Mode; day: string; limit: number }>()((db, p) =>
  db
    .selectFrom(
      db
        .selectFrom("documents")
        .select(["type", "vat"])
        .where("mode", "=", p.mode)
        .where("issue_date", "=", p.day)
        // Written out, so that the index of exactly these is seen to fit.
        .where("phase", "=", sql.lit("issued"))
        .where("cancellation_mark", "is", null)
        .limit(p.limit)
        .as("issued"),
    )
    .select((eb) => [
      "type",
      eb.fn.countAll<number>().as("count"),
      sql<string>`cast(sum(vat) as text)`.as("vat"),
    ])
    .groupBy("type"),
);

/** The issued documents of a day, by type, without the cancelled ones; `limit` of them at the most. */
export function sumIssuedOf(
  session: Session,
  by: { mode: Mode; day: string; limit: number },
): Promise<TypeOfDay[]> {
  return session.all(sumDay, by);
}

const selectInvalid = statement<{ mode: Mode; limit: number }>()((db, p) =>
  db
    .selectFrom("connections")
    .selectAll()
    .where("mode", "=", p.mode)
    .where("status", "=", sql.lit("invalid"))
    .orderBy("id", "desc")
    .limit(p.limit),
);

/** The newest connections that their provider refuses. */
export function findInvalidConnections(
  session: Session,
  mode: Mode,
  limit: number,
): Promise<ConnectionRow[]> {
  return session.all(selectInvalid, { mode, limit });
}

/** The newest documents that carry the number, in the series where one is named. */
export function findDocumentsByNumber(
  session: Session,
  by: { mode: Mode; number: number; series: string | undefined; limit: number },
): Promise<DocumentRow[]> {
  return session.query((db) => {
    const query = db
      .selectFrom("documents")
      .selectAll()
      .where("mode", "=", by.mode)
      .where("number", "=", by.number)
      .orderBy("id", "desc")
      .limit(by.limit);
    return by.series === undefined ? query : query.where("series", "=", by.series);
  });
}
