/** Runs statements on one connection. All methods return promises, because only SQLite answers at once. */
import type { Compilable, Insertable } from "kysely";
import type { Cipher } from "../encryption/cipher.ts";
import type { Builder } from "./dialect.ts";
import type { Tables } from "./schema.ts";
import type { Statement } from "./statement.ts";

export interface Session {
  all<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R[]>;
  first<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R | undefined>;
  /** Returns the number of rows changed. */
  run<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<number>;
  /** Returns the rows of a query whose form varies, such as a list with filters. */
  query<R>(build: (db: Builder) => Compilable<R>): Promise<R[]>;
}

/** Rows to insert, by table. */
export type NewRows = { [Table in keyof Tables]?: readonly Insertable<Tables[Table]>[] };

/** Rows of some tables that are still being collected. */
export type RowLists<Table extends keyof Tables> = { [Name in Table]: Insertable<Tables[Name]>[] };

/** The session of a transaction. */
export interface WritingSession extends Session {
  /** See `Transaction.insertRows`. */
  insertRows(rows: NewRows): Promise<void>;
}

/** A session that can also decrypt what it reads. */
export interface KeyedSession extends Session {
  readonly cipher: Cipher;
}
