/** Makes functions that do no more than run one statement. */
import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from "kysely";
import type { Builder } from "./dialect.ts";
import type { NewRow, Row, Tables } from "./schema.ts";
import { type Query, rowStatement, type Session, statement } from "./session.ts";
import type { Transaction } from "./write.ts";

type Build<P, R> = (db: Builder, parameters: P) => Query<R>;
/** A statement without parameters is called without them. */
type Given<P> = keyof P extends never ? [] : [parameters: P];

/** `allRows<{ id: string }>()((db, p) => …)` is a function that returns all rows: `(session, { id })`. */
export function allRows<P extends object = object>() {
  return <R>(build: Build<P, R>) => {
    const select = statement<P>()(build);
    return (session: Session, ...[given]: Given<P>): Promise<R[]> => session.all(select, given ?? ({} as P));
  };
}

/** Like `allRows`, for a statement that selects one column; returns its values. */
export function allValues<P extends object = object>() {
  return <R extends object>(build: Build<P, R>) => {
    const find = allRows<P>()(build);
    return async (session: Session, ...given: Given<P>): Promise<R[keyof R][]> =>
      (await find(session, ...given)).map((row) => Object.values(row)[0] as R[keyof R]);
  };
}

/** Like `allRows`, for the first row; undefined if there is none. */
export function firstRow<P extends object = object>() {
  return <R>(build: Build<P, R>) => {
    const select = statement<P>()(build);
    return (session: Session, ...[given]: Given<P>): Promise<R | undefined> =>
      session.first(select, given ?? ({} as P));
  };
}

/** Like `firstRow`, for a statement that selects one column; undefined also if its value is null. */
export function firstValue<P extends object = object>() {
  return <R extends object>(build: Build<P, R>) => {
    const find = firstRow<P>()(build);
    return async (session: Session, ...given: Given<P>): Promise<NonNullable<R[keyof R]> | undefined> =>
      (Object.values((await find(session, ...given)) ?? {})[0] ?? undefined) as
        | NonNullable<R[keyof R]>
        | undefined;
  };
}

/** Like `firstRow`; returns whether there is a row. */
export function hasRow<P extends object = object>() {
  return <R>(build: Build<P, R>) => {
    const find = firstRow<P>()(build);
    return async (session: Session, ...given: Given<P>): Promise<boolean> =>
      (await find(session, ...given)) !== undefined;
  };
}

/** A function that changes rows, and returns how many. */
export function changeRows<P extends object = object>() {
  return <R>(build: Build<P, R>) => {
    const change = statement<P>()(build);
    return (trx: Transaction, ...[given]: Given<P>): Promise<number> => trx.run(change, given ?? ({} as P));
  };
}

/** Like `changeRows`, for one row; returns whether there was such a row. */
export function changesRow<P extends object = object>() {
  return <R>(build: Build<P, R>) => {
    const change = changeRows<P>()(build);
    return async (trx: Transaction, ...given: Given<P>): Promise<boolean> =>
      (await change(trx, ...given)) > 0;
  };
}

/** A function that inserts a row, and returns it as stored: the columns left out are null. */
export function insertRow<Table extends keyof Tables>(table: Table) {
  const insert = rowStatement<NewRow<Table>>()((db, row) =>
    db
      .insertInto(table as "events")
      .values(row as NewRow<"events">)
      .returningAll(),
  );
  return async (trx: Transaction, row: NewRow<Table>): Promise<Row<Table>> =>
    (await trx.first(insert, row)) as unknown as Row<Table>;
}

/** A function that inserts a row, or replaces the other columns of the one with the same `key` by those of the new one. */
export function upsertRow<Table extends keyof Tables>(table: Table, key: readonly Column<Table>[]) {
  return writeRow(table, (columns) => {
    const others = columns.filter((column) => !(key as readonly string[]).includes(column));
    const set = sql.join(others.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`));
    return sql`(${refs(key)}) do update set ${set}`;
  });
}

/** A function that inserts a row unless there is one with its key. */
export function insertRowOnce<Table extends keyof Tables>(table: Table) {
  return writeRow(table, () => sql`do nothing`);
}

function writeRow<Table extends keyof Tables>(
  table: Table,
  onConflict: (columns: readonly string[]) => RawBuilder<unknown>,
) {
  const write = rowStatement<NewRow<Table>>()((_, row) => {
    const columns = Object.keys(row);
    const values = sql`(${refs(columns)}) values (${sql.join(Object.values(row))})`;
    return sql`insert into ${sql.table(table)} ${values} on conflict ${onConflict(columns)}`;
  });
  return async (trx: Transaction, row: NewRow<Table>): Promise<void> => void (await trx.run(write, row));
}

type Column<Table extends keyof Tables> = keyof Row<Table> & string;

/** A function that finds the row with a key, such as `findRow("mails", ["id"])`: `(session, { id })`. Undefined if there is none. */
export function findRow<Table extends keyof Tables, Key extends Column<Table>>(
  table: Table,
  key: readonly Key[],
) {
  return firstRow<Pick<Row<Table>, Key>>()(
    (_, p) => sql<Row<Table>>`select * from ${sql.table(table)} where ${hasValues(p, key)}`,
  );
}

/** A function that deletes the rows with a key, and returns whether there were any. */
export function deleteRow<Table extends keyof Tables, Key extends Column<Table>>(
  table: Table,
  key: readonly Key[],
) {
  return changesRow<Pick<Row<Table>, Key>>()(
    (_, p) => sql`delete from ${sql.table(table)} where ${hasValues(p, key)}`,
  );
}

/** A function that changes these columns of the rows with a key, and returns whether there were any. */
export function updateRow<
  Table extends keyof Tables,
  Key extends Column<Table>,
  Changed extends Column<Table>,
>(table: Table, key: readonly Key[], changed: readonly Changed[]) {
  return changesRow<Pick<Row<Table>, Key | Changed>>()((_, p) => {
    const set = changed.map((column) => sql`${sql.ref(column)} = ${p[column]}`);
    return sql`update ${sql.table(table)} set ${sql.join(set)} where ${hasValues(p, key)}`;
  });
}

/** Names of columns, separated by commas. */
export function refs(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}

/** A condition: the columns have the values of these parameters. */
export function hasValues<P extends object>(
  p: P,
  columns: readonly (keyof P & string)[],
): RawBuilder<SqlBool> {
  const equals = columns.map((column) => sql`${sql.ref(column)} = ${p[column]}`);
  return sql.join<SqlBool>(equals, sql` and `);
}

/** The same change, of what processes remember: see `Transaction.outdate`. */
export function outdating<P extends object, Result>(change: (trx: Transaction, given: P) => Promise<Result>) {
  return (trx: Transaction, given: P): Promise<Result> => {
    trx.outdate();
    return change(trx, given);
  };
}

/** A row that a function of `allRows` or `firstRow` returns. */
export type RowOf<Find extends (...given: never[]) => Promise<unknown>> =
  Awaited<ReturnType<Find>> extends (infer Found)[] ? Found : NonNullable<Awaited<ReturnType<Find>>>;

/** Ids above `after` and below `before`, both exclusive, of at most `limit` rows. */
export interface Portion {
  after: string;
  before: string;
  limit: number;
}

/** Limits a query of a table with ids to a portion, in the order of the ids. */
export function inPortion<Select>(query: Select, { after, before, limit }: Portion): Select {
  const rows = query as SelectQueryBuilder<Tables, "events", unknown>;
  return rows.where("id", ">", after).where("id", "<", before).orderBy("id").limit(limit) as Select;
}
