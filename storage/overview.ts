/** What the console's overview and search read: each query walks one index, and stops at a limit. */
import { sql } from "kysely";
import type { ConnectionRow } from "./connections.ts";
import type { DocumentRow } from "./documents.ts";
import { idBodyAt } from "./ids.ts";
import type { DocumentStatus, Mode } from "./stored-values.ts";
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
export interface DailyTypeTotal {
  type: string;
  count: number;
  /** Cents: a sum may be beyond what a number holds. */
  vat: bigint;
}

/** Added up in two parts, since a whole day of the largest amounts is beyond SQLite's integers, too. */
const PART = 1_000_000;

const sumDay = statement<{ mode: Mode; day: string }>()((db, p) =>
  db
    .selectFrom("documents")
    .select((eb) => [
      "type",
      eb.fn.countAll<number>().as("count"),
      sql<string>`cast(sum(vat / ${sql.lit(PART)}) as text)`.as("parts"),
      sql<string>`cast(sum(vat % ${sql.lit(PART)}) as text)`.as("rest"),
    ])
    .where("mode", "=", p.mode)
    .where("issue_date", "=", p.day)
    // Written out, so that the index of exactly these is seen to fit: it has all that is read here.
    .where("phase", "=", sql.lit("issued"))
    .where("cancellation_mark", "is", null)
    .groupBy("type"),
);

/** The issued documents of a day, by type, without the cancelled ones. */
export async function sumIssuedByType(
  session: Session,
  by: { mode: Mode; day: string },
): Promise<DailyTypeTotal[]> {
  const rows = await session.all(sumDay, by);
  return rows.map(({ type, count, parts, rest }) => ({
    type,
    count,
    vat: BigInt(parts) * BigInt(PART) + BigInt(rest),
  }));
}

/** Rejected documents are looked through to this many: the rest were sent anew in a flood of them. */
const REJECTED_LOOKED_AT_MAX = 1000;

const selectUnanswered = statement<{ mode: Mode; from: string; limit: number }>()((db, p) =>
  db
    .selectFrom(
      db
        .selectFrom("documents")
        .selectAll()
        .where("mode", "=", p.mode)
        .where("status", "=", sql.lit("rejected"))
        .where("id", ">=", p.from)
        .orderBy("id", "desc")
        .limit(sql.lit(REJECTED_LOOKED_AT_MAX))
        .as("rejected"),
    )
    .selectAll()
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("documents as later")
            .select("later.id")
            .whereRef("later.external_reference", "=", "rejected.external_reference")
            .whereRef("later.mode", "=", "rejected.mode")
            .whereRef("later.merchant_id", "=", "rejected.merchant_id")
            .whereRef("later.id", ">", "rejected.id")
            .where("later.status", "=", sql.lit("issued")),
        ),
      ),
    )
    .orderBy("rejected.id", "desc")
    .limit(p.limit),
);

/** The newest rejected documents since `fromMs` whose merchant has not had a later one of the same reference issued. */
export function findUnresolvedRejections(
  session: Session,
  by: { mode: Mode; fromMs: number; limit: number },
): Promise<DocumentRow[]> {
  const { mode, fromMs, limit } = by;
  return session.all(selectUnanswered, { mode, from: `doc_${idBodyAt(fromMs)}`, limit });
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
