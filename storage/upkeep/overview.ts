/** Queries of the console's overview. Each reads one index, up to a limit. */
import { type RawBuilder, sql } from "kysely";
import type { DocumentRow } from "../documents/documents.ts";
import { unindexed } from "../database/dialect.ts";
import { idBodyAt } from "../database/ids.ts";
import type { DocumentStatus, Mode } from "../stored-values.ts";
import type { Session } from "../database/session.ts";
import { allRows, firstValue } from "../database/queries.ts";

const countStatus = firstValue<{ mode: Mode; status: DocumentStatus; from: string; limit: number }>()(
  (_, p) => sql<{ count: number }>`
    select count(*) as count from (
      select id from documents where mode = ${p.mode} and status = ${p.status} and id >= ${p.from} limit ${p.limit} + 0
    ) as counted`,
);

/** The number of documents with the status accepted at `fromMs` or later, counted up to `limit`. */
export async function countDocumentsSince(
  session: Session,
  { fromMs, ...by }: { mode: Mode; status: DocumentStatus; fromMs: number; limit: number },
): Promise<number> {
  return (await countStatus(session, { ...by, from: `doc_${idBodyAt(fromMs)}` })) ?? 0;
}

export interface DailyTypeTotal {
  type: string;
  count: number;
  /** In cents; the sum may exceed the safe integers. */
  vat: bigint;
}

/** Amounts are summed in two parts, because the sum of very large ones exceeds SQLite's integers. */
const PART = 1_000_000;

const sumDay = allRows<{ mode: Mode; day: string }>()((db, p) =>
  db
    .selectFrom("documents")
    .select((eb) => ["type", eb.fn.countAll<number>().as("count"), ...sumInParts(sql.ref<number>("vat"))])
    .where("mode", "=", p.mode)
    .where("issue_date", "=", p.day)
    // A literal, so that SQLite uses the covering partial index for this phase.
    .where("phase", "=", sql.lit("issued"))
    .where("cancellation_mark", "is", null)
    .groupBy("type"),
);

/** The issued documents of a day by type, without cancelled ones. */
export async function sumIssuedByType(
  session: Session,
  by: { mode: Mode; day: string },
): Promise<DailyTypeTotal[]> {
  const rows = await sumDay(session, by);
  return rows.map(({ parts, rest, ...row }) => ({ ...row, vat: sumOf(parts, rest) }));
}

function sumInParts(cents: RawBuilder<number>) {
  return [
    sql<string>`cast(sum(${cents} / ${sql.lit(PART)}) as text)`.as("parts"),
    sql<string>`cast(sum(${cents} % ${sql.lit(PART)}) as text)`.as("rest"),
  ] as const;
}

function sumOf(parts: string, rest: string): bigint {
  return BigInt(parts) * BigInt(PART) + BigInt(rest);
}

const VAT_LEFT = sql<number>`case when cancellation_mark is null then vat else 0 end`;

interface IssueDays {
  mode: Mode;
  from: string;
  through: string;
}

const sumMonth = allRows<IssueDays>()((db, p) =>
  db
    .selectFrom("documents")
    .select((eb) => ["merchant_id", "type", eb.fn.countAll<number>().as("count"), ...sumInParts(VAT_LEFT)])
    .where("mode", "=", p.mode)
    .where("issue_date", ">=", p.from)
    .where("issue_date", "<=", p.through)
    .where("phase", "=", sql.lit("issued"))
    .groupBy(["merchant_id", "type"]),
);

/** The issued documents of some days by merchant and type. The VAT leaves out cancelled ones. */
export async function sumIssuedByMerchant(
  session: Session,
  by: IssueDays,
): Promise<(DailyTypeTotal & { merchant_id: string })[]> {
  const rows = await sumMonth(session, by);
  return rows.map(({ parts, rest, ...row }) => ({ ...row, vat: sumOf(parts, rest) }));
}

const countOpen = allRows<IssueDays & { status: DocumentStatus }>()((db, p) =>
  db
    .selectFrom("documents")
    .select((eb) => ["merchant_id", eb.fn.countAll<number>().as("count")])
    .where("mode", "=", p.mode)
    .where("status", "=", p.status)
    .where(unindexed<string>("issue_date"), ">=", p.from)
    .where(unindexed<string>("issue_date"), "<=", p.through)
    .groupBy("merchant_id"),
);

/** The documents of some days with a status other than issued, which few have, by merchant. */
export async function countOpenByMerchant(
  session: Session,
  by: IssueDays & { status: DocumentStatus },
): Promise<ReadonlyMap<string, number>> {
  const rows = await countOpen(session, by);
  return new Map(rows.map(({ merchant_id: id, count }) => [id, count]));
}

/** At most this many rejected documents are examined, to limit the cost when very many were rejected. */
const REJECTED_LOOKED_AT_MAX = 1000;

/** What follows the reference in the document that corrects it, also if that one was rejected and corrected again. */
const ANSWERS = ["", "-2", "-2-2", "-2-2-2"];

/** One subquery for each suffix: only an equality goes by the index of references. */
const isUnanswered = (suffix: string) => sql`not exists (
  select 1 from documents as later where later.external_reference = rejected.external_reference || ${sql.lit(suffix)}
    and later.mode = rejected.mode and later.merchant_id = rejected.merchant_id and later.id > rejected.id
    and later.status = 'issued')`;

const selectUnanswered = allRows<{ mode: Mode; from: string; limit: number }>()(
  (_, p) => sql<DocumentRow>`
    select * from (
      select * from documents where mode = ${p.mode} and status = 'rejected' and id >= ${p.from}
      order by id desc limit ${sql.lit(REJECTED_LOOKED_AT_MAX)}
    ) as rejected
    where ${sql.join(ANSWERS.map(isUnanswered), sql` and `)} order by id desc limit ${p.limit} + 0`,
);

/** The newest documents rejected since `fromMs` without a later issued document that has their reference, or that of a correction. */
export function findUnresolvedRejections(
  session: Session,
  { mode, fromMs, limit }: { mode: Mode; fromMs: number; limit: number },
): Promise<DocumentRow[]> {
  return selectUnanswered(session, { mode, from: `doc_${idBodyAt(fromMs)}`, limit });
}

export const findInvalidConnections = allRows<{ mode: Mode; limit: number }>()((db, p) =>
  db
    .selectFrom("connections")
    .selectAll()
    .where("mode", "=", p.mode)
    .where("status", "=", sql.lit("invalid"))
    .orderBy("id", "desc")
    .limit(p.limit),
);
