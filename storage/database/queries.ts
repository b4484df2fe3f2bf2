/** Functions that do no more than run one statement. */
import type { Compilable, RawBuilder, SelectQueryBuilder } from "kysely";
import type { Builder } from "./dialect.ts";
import type { Tables } from "./schema.ts";
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";
import type { Transaction } from "./write.ts";

type Build<P, R> = (db: Builder, parameters: P) => Compilable<R>;
/** A statement without parameters is called without them. */
type Given<P> = keyof P extends never ? [] : [parameters: P];

/** `allRows<{ id: string }>()((db, p) => …)` is a function that returns all rows: `(session, { id })`. */
export function allRows<P extends object = object>() {
  return <R>(build: Build<P, R>) => {
    const select = statement<P>()(build);
    return (session: Session, ...[given]: Given<P>): Promise<R[]> => session.all(select, given ?? ({} as P));
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

/** A row that a function of `allRows` or `firstRow` returns. */
export type RowOf<Find extends (...given: never[]) => Promise<unknown>> =
  Awaited<ReturnType<Find>> extends (infer Row)[] ? Row : NonNullable<Awaited<ReturnType<Find>>>;

/** Ids above `after` and below `before`, both exclusive, of at most `limit` rows. */
export interface Portion {
  after: string;
  before: string;
  limit: number;
}

/** Limits a query of a table with ids to a portion, in the order of the ids. */
export function inPortion<Query>(query: Query, { after, before, limit }: Portion): Query {
  const rows = query as SelectQueryBuilder<Tables, "events", unknown>;
  return rows.where("id", ">", after).where("id", "<", before).orderBy("id").limit(limit) as Query;
}

/** A query written in SQL, for `Session.query`. */
export function written<R>(query: RawBuilder<R>): (db: Builder) => Compilable<R> {
  return (db) => ({ compile: () => query.compile(db) });
}
