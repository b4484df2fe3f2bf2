/** Counters, the numbers that documents have, and the fates of those that none has. The rules are in src/numbering/allocate.ts. */
import { sql } from "kysely";
import { type Builder, elementsOf } from "../database/dialect.ts";
import {
  allRows,
  allValues,
  deleteRow,
  findRow,
  firstRow,
  firstValue,
  hasValues,
  type RowOf,
  updateRow,
  upsertRow,
} from "../database/queries.ts";
import type { Row } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import type { Transaction } from "../database/write.ts";
import type { Mode } from "../stored-values.ts";

export type SeriesRow = Row<"series">;
export type NumberRow = Row<"numbers">;

/** Identifies a counter (docs/contract.md#numbers). */
export type CounterKey = Pick<SeriesRow, (typeof COUNTER)[number]>;

export const COUNTER = ["supplier", "branch", "type", "series", "mode"] as const;

export function keyOf({ supplier, branch, type, mode, series }: CounterKey): CounterKey {
  return { supplier, branch, type, mode, series };
}

/** The counter that a document takes its number from; undefined while it has no series because the provider has yet to number it. */
export function counterOf({
  series,
  ...row
}: Omit<CounterKey, "series"> & { series: string | null }): CounterKey | undefined {
  return series === null ? undefined : keyOf({ ...row, series });
}

export const findSeries = findRow("series", COUNTER);

export const setSeriesNumbers = updateRow("series", ["id"], ["first_number", "next_number"]);

export interface CounterFilters {
  mode?: Mode | undefined;
  supplier?: string | undefined;
}

export function listSeries(session: Session, filters: CounterFilters): Promise<SeriesRow[]> {
  return session.query((db) => {
    let query = db.selectFrom("series").selectAll();
    if (filters.mode !== undefined) query = query.where("mode", "=", filters.mode);
    if (filters.supplier !== undefined) query = query.where("supplier", "=", filters.supplier);
    return query.orderBy("mode").orderBy("supplier").orderBy("branch").orderBy("type").orderBy("series");
  });
}

export const findReleased = allRows<{ seriesId: string; limit: number }>()((db, p) =>
  db
    .selectFrom("numbers")
    .selectAll()
    .where("series_id", "=", p.seriesId)
    .where("state", "=", "released")
    .orderBy("number")
    .limit(p.limit),
);

export const upsertNumberFate = upsertRow("numbers", ["series_id", "number"]);

const deleteNumber = deleteRow("numbers", ["series_id", "number"]);

const findCovering = firstRow<{ seriesId: string; number: number }>()((db, p) =>
  db
    .selectFrom("numbers")
    .selectAll()
    .where("series_id", "=", p.seriesId)
    .where("number", "<=", p.number)
    .where("through", ">=", p.number)
    .orderBy("number", "desc")
    .limit(1),
);

/** Deletes the fate of a number that a document has again. A range that contains it is split. */
export async function deleteNumberFate(trx: Transaction, seriesId: string, number: number): Promise<void> {
  const covering = await findCovering(trx, { seriesId, number });
  if (covering === undefined) return;
  await deleteNumber(trx, covering);
  if (covering.number < number) await upsertNumberFate(trx, { ...covering, through: number - 1 });
  if (covering.through > number) await upsertNumberFate(trx, { ...covering, number: number + 1 });
}

const selectCovered = allValues<{ seriesId: string; numbers: readonly (readonly [number])[] }>()(
  (_, p) => sql<{ number: number }>`
    select cast(value ->> 0 as bigint) as number from ${elementsOf(p.numbers)} cross join numbers
    where series_id = ${p.seriesId} and numbers.number <= cast(value ->> 0 as bigint)
      and through >= cast(value ->> 0 as bigint)`,
);

export function findNumbersWithFate(
  session: Session,
  seriesId: string,
  numbers: readonly number[],
): Promise<number[]> {
  return selectCovered(session, { seriesId, numbers: numbers.map((number) => [number]) });
}

export const listNumberFates = allRows<{ seriesId: string }>()((db, p) =>
  db.selectFrom("numbers").selectAll().where("series_id", "=", p.seriesId).orderBy("number"),
);

/** The documents of the counter that it has numbered. */
function documentsOf(db: Builder, p: CounterKey) {
  return db.selectFrom("documents").where(hasValues(p, COUNTER)).where("provider_numbered", "=", sql.lit(0));
}

export const findDocumentIdByNumber = firstValue<CounterKey & { number: number }>()((db, p) =>
  documentsOf(db, p).select("id").where("number", "=", p.number),
);

/** The numbers from `first` through `last` that documents of the counter have. */
export const findNumbersInUse = allValues<CounterKey & { first: number; last: number }>()((db, p) =>
  documentsOf(db, p).select("number").where("number", ">=", p.first).where("number", "<=", p.last),
);

export type NumberedDocument = RowOf<typeof listNumberedDocuments>;

export const listNumberedDocuments = allRows<CounterKey>()((db, p) =>
  documentsOf(db, p)
    .select(["id", "number", "phase", "cancellation_mark", "issue_date"])
    .where("number", "is not", null)
    .orderBy("number"),
);

/** The issue date of the document with the highest number that is issued in the counter. */
export const findLastIssueDate = firstValue<CounterKey>()((db, p) =>
  documentsOf(db, p)
    .select("issue_date")
    .where("number", "is not", null)
    .where("phase", "=", sql.lit("issued"))
    .orderBy("number", "desc")
    .limit(1),
);

/** The numbers of a counter that documents have, as runs without a gap, in ascending order. */
export const listNumberRuns = allRows<CounterKey>()(
  // The run is the same for all numbers without a gap.
  (_, p) => sql<{ number: number; through: number }>`
    select min(number) as number, max(number) as through from (
      select number, number - row_number() over (order by number) as run from documents
      where ${hasValues(p, COUNTER)} and provider_numbered = 0 and number is not null
    ) as numbered group by run order by min(number)`,
);

export interface GivenNumber {
  key: CounterKey;
  number: number;
}

const selectUnusable = allValues<{ numbers: readonly unknown[] }>()((_, p) => {
  const isCounterOf = (table: "documents" | "series") => sql`
    ${sql.ref(`${table}.supplier`)} = value ->> 0 and ${sql.ref(`${table}.branch`)} = cast(value ->> 1 as bigint)
    and ${sql.ref(`${table}.type`)} = value ->> 2 and ${sql.ref(`${table}.series`)} = value ->> 3
    and ${sql.ref(`${table}.mode`)} = value ->> 4`;
  return sql<{ place: number }>`
    select cast(value ->> 6 as bigint) as place from ${elementsOf(p.numbers)} cross join documents
    where ${isCounterOf("documents")} and documents.number = cast(value ->> 5 as bigint) and provider_numbered = 0
    union
    select cast(value ->> 6 as bigint) from ${elementsOf(p.numbers)} cross join series cross join numbers
    where ${isCounterOf("series")} and series_id = series.id and numbers.number <= cast(value ->> 5 as bigint)
      and through >= cast(value ->> 5 as bigint) and state <> 'released' and document_id is not null`;
});

/** Which of the numbers a document has, or had and lost for good: they must not be used again. By their places in `given`. */
export async function findUnusableNumbers(
  session: Session,
  given: readonly GivenNumber[],
): Promise<Set<number>> {
  if (given.length === 0) return new Set();
  const numbers = given.map(({ key: { supplier, branch, type, series, mode }, number }, place) => [
    supplier,
    branch,
    type,
    series,
    mode,
    number,
    place,
  ]);
  return new Set(await selectUnusable(session, { numbers }));
}
