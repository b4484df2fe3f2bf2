/** Counters, and the fates of numbers that no document has. The rules are in src/numbering/allocate.ts. */
import { type Insertable, type Selectable, sql } from "kysely";
import { type Builder, elementsOf } from "../database/dialect.ts";
import type { NumberTable, SeriesTable } from "../database/schema.ts";
import type { DocumentPhase, Mode } from "../stored-values.ts";
import type { Session } from "../database/session.ts";
import { rowStatement, statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

export type SeriesRow = Selectable<SeriesTable>;
export type NumberRow = Selectable<NumberTable>;

/** Identifies a counter (docs/contract.md#numbers). */
export interface CounterKey {
  supplier: string;
  branch: number;
  type: string;
  series: string;
  mode: Mode;
}

const selectSeries = statement<CounterKey>()((db, p) =>
  db
    .selectFrom("series")
    .selectAll()
    .where("supplier", "=", p.supplier)
    .where("branch", "=", p.branch)
    .where("type", "=", p.type)
    .where("series", "=", p.series)
    .where("mode", "=", p.mode),
);
const insertSeriesRow = rowStatement<Insertable<SeriesTable>>()((db, row) =>
  db.insertInto("series").values(row),
);
const updateSeries = statement<{ id: string; first: number; next: number }>()((db, p) =>
  db.updateTable("series").set({ first_number: p.first, next_number: p.next }).where("id", "=", p.id),
);

export function findSeries(session: Session, key: CounterKey): Promise<SeriesRow | undefined> {
  return session.first(selectSeries, key);
}

export async function insertSeries(trx: Transaction, row: SeriesRow): Promise<void> {
  await trx.run(insertSeriesRow, row);
}

export async function setSeriesNumbers(
  trx: Transaction,
  id: string,
  first: number,
  next: number,
): Promise<void> {
  await trx.run(updateSeries, { id, first, next });
}

const selectReleased = statement<{ seriesId: string; limit: number }>()((db, p) =>
  db
    .selectFrom("numbers")
    .selectAll()
    .where("series_id", "=", p.seriesId)
    .where("state", "=", "released")
    .orderBy("number")
    .limit(p.limit),
);
const insertNumberRow = statement<Insertable<NumberTable>>()((db, p) =>
  db
    .insertInto("numbers")
    .values({
      series_id: p.series_id,
      number: p.number,
      through: p.through,
      state: p.state,
      document_id: p.document_id,
      reason: p.reason,
      at: p.at,
    })
    .onConflict((conflict) =>
      conflict.columns(["series_id", "number"]).doUpdateSet({
        through: p.through,
        state: p.state,
        document_id: p.document_id,
        reason: p.reason,
        at: p.at,
      }),
    ),
);
const deleteNumber = statement<{ seriesId: string; number: number }>()((db, p) =>
  db.deleteFrom("numbers").where("series_id", "=", p.seriesId).where("number", "=", p.number),
);

/** The lowest released numbers of a counter, in ascending order. */
export function findReleased(session: Session, seriesId: string, limit: number): Promise<NumberRow[]> {
  return session.all(selectReleased, { seriesId, limit });
}

export async function upsertNumberFate(trx: Transaction, row: NumberRow): Promise<void> {
  await trx.run(insertNumberRow, row);
}

const selectCovering = statement<{ seriesId: string; number: number }>()((db, p) =>
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
  const covering = await trx.first(selectCovering, { seriesId, number });
  if (covering === undefined) return;
  await trx.run(deleteNumber, { seriesId, number: covering.number });
  if (covering.number < number) await upsertNumberFate(trx, { ...covering, through: number - 1 });
  if (covering.through > number) await upsertNumberFate(trx, { ...covering, number: number + 1 });
}

const selectCovered = statement<{ seriesId: string; numbers: string }>()((db, p) => ({
  compile: () =>
    sql<{ number: number }>`
      select cast(value ->> 0 as bigint) as number from ${elementsOf(p.numbers)} cross join numbers
      where series_id = ${p.seriesId} and numbers.number <= cast(value ->> 0 as bigint)
        and through >= cast(value ->> 0 as bigint)`.compile(db),
}));

/** Those of the numbers that have a fate. */
export async function findNumbersWithFate(
  session: Session,
  seriesId: string,
  numbers: readonly number[],
): Promise<Set<number>> {
  const given = JSON.stringify(numbers.map((number) => [number]));
  const rows = await session.all(selectCovered, { seriesId, numbers: given });
  return new Set(rows.map(({ number }) => number));
}

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

const selectFates = statement<{ seriesId: string }>()((db, p) =>
  db.selectFrom("numbers").selectAll().where("series_id", "=", p.seriesId).orderBy("number"),
);
/** The documents with a number of the counter. */
function numberedOf(db: Builder, p: CounterKey) {
  return db
    .selectFrom("documents")
    .where("supplier", "=", p.supplier)
    .where("branch", "=", p.branch)
    .where("type", "=", p.type)
    .where("series", "=", p.series)
    .where("mode", "=", p.mode)
    .where("number", "is not", null)
    .where("provider_numbered", "=", sql.lit(0));
}

const selectNumbered = statement<CounterKey>()((db, p) =>
  numberedOf(db, p).select(["id", "number", "phase", "cancellation_mark", "issue_date"]).orderBy("number"),
);

export function listNumberFates(session: Session, seriesId: string): Promise<NumberRow[]> {
  return session.all(selectFates, { seriesId });
}

export interface NumberedDocument {
  id: string;
  number: number | null;
  phase: DocumentPhase;
  cancellation_mark: string | null;
  issue_date: string;
}

const selectLastIssued = statement<CounterKey>()((db, p) =>
  numberedOf(db, p)
    .select("issue_date")
    .where("phase", "=", sql.lit("issued"))
    .orderBy("number", "desc")
    .limit(1),
);

/** The issue date of the document with the highest number that is issued in the counter. */
export async function findLastIssueDate(session: Session, key: CounterKey): Promise<string | undefined> {
  return (await session.first(selectLastIssued, key))?.issue_date;
}

const selectRuns = statement<CounterKey>()((db, p) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom("documents")
        .select("number")
        // The same for all numbers of a run.
        .select(sql<number>`number - row_number() over (order by number)`.as("run"))
        .where("supplier", "=", p.supplier)
        .where("branch", "=", p.branch)
        .where("type", "=", p.type)
        .where("series", "=", p.series)
        .where("mode", "=", p.mode)
        .where("number", "is not", null)
        .where("provider_numbered", "=", sql.lit(0))
        .as("numbered"),
    )
    .select((eb) => [eb.fn.min<number>("number").as("number"), eb.fn.max<number>("number").as("through")])
    .groupBy("run")
    .orderBy("number"),
);

/** The numbers of a counter that documents have, as runs without a gap, in ascending order. */
export function listNumberRuns(
  session: Session,
  key: CounterKey,
): Promise<{ number: number; through: number }[]> {
  return session.all(selectRuns, key);
}

/** The documents of a counter that have a number, in ascending order. */
export function listNumberedDocuments(session: Session, key: CounterKey): Promise<NumberedDocument[]> {
  return session.all(selectNumbered, key);
}
