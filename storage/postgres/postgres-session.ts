/** Runs statements on a connection to PostgreSQL, or on a pool of them, in PostgreSQL's dialect. Rows have the same values as SQLite's. */
import {
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawNode,
} from "kysely";
import type { CustomTypesConfig, QueryConfig, QueryResult } from "pg";
import { type Builder, createBuilder, type Dialect, formFor } from "../database/dialect.ts";
import {
  compileQuery,
  type NewRows,
  type Query,
  type Statement,
  valuesOf,
  type WritingSession,
} from "../database/session.ts";
import { codeOf } from "../database/errors.ts";
import { explainFailure } from "./postgres-errors.ts";

class QueryCompiler extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    const form = formFor(node, "postgres");
    if (form === undefined) super.visitRaw(node);
    else this.visitNode(form);
  }
}

/** Writes constants as literals: with parameters, the plan that is kept for a statement could use no partial index. */
class StatementCompiler extends QueryCompiler {
  protected override appendValue(value: unknown): void {
    if (typeof value === "string" || typeof value === "number") this.appendImmediateValue(value);
    else super.appendValue(value);
  }
}

const ENGINE = {
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
};

const POSTGRES: Dialect = {
  statements: createBuilder(ENGINE, () => new StatementCompiler()),
  queries: createBuilder(ENGINE, () => new QueryCompiler()),
};

export interface Queryable {
  query(config: QueryConfig<unknown[]>): Promise<QueryResult>;
}

const BOOL = 16;
const BYTEA = 17;
const INTEGERS: ReadonlySet<number> = new Set([20, 21, 23]);

/**
 * Integers are numbers, as no column exceeds 2^53; truth is 0 or 1; bytes are a Buffer; everything else is text as PostgreSQL
 * writes it.
 */
export const TYPES: CustomTypesConfig = {
  getTypeParser(oid: number) {
    if (INTEGERS.has(oid)) return Number;
    if (oid === BOOL) return (text: string) => (text === "t" ? 1 : 0);
    if (oid === BYTEA) return (text: string) => Buffer.from(text.slice(2), "hex");
    return (text: string) => text;
  },
};

/** The names of prepared statements, by their SQL. The same for all connections, which each prepare a statement once. */
const names = new Map<string, string>();

function nameOf(sql: string): string {
  let name = names.get(sql);
  if (name === undefined) {
    name = `fiscal_${names.size}`;
    names.set(sql, name);
  }
  return name;
}

/** A row as PostgreSQL reads it: bytes as its text for them, and text as the driver would send it. */
function toJson(columns: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) {
    const value = values[index];
    if (value instanceof Uint8Array)
      row[column] = `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")}`;
    else row[column] = typeof value === "string" ? value.toWellFormed() : value;
  }
  return row;
}

/** `in_failed_sql_transaction`, or the preparation of the statement was refused for that reason: `invalid_sql_statement_name`. */
const REFUSED: ReadonlySet<unknown> = new Set(["25P02", "26000"]);

export class PostgresSession implements WritingSession {
  readonly #connection: Queryable;
  /** Why the transaction is refused: the error of its first statement that failed. */
  #failure: unknown;

  constructor(connection: Queryable) {
    this.#connection = connection;
  }

  async all<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R[]> {
    return (await this.#execute(statement, parameters)).rows as R[];
  }

  async first<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R | undefined> {
    return (await this.#execute(statement, parameters)).rows[0] as R | undefined;
  }

  async run<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<number> {
    return (await this.#execute(statement, parameters)).rowCount ?? 0;
  }

  /** Not prepared: its form varies. */
  async query<R>(build: (db: Builder) => Query<R>): Promise<R[]> {
    const { sql, parameters } = compileQuery(build, POSTGRES);
    return (await this.#send({ text: sql, values: [...parameters] })).rows as R[];
  }

  /** Its answer is not awaited: after a failure the server refuses the rest of the transaction, and `#send` says why. */
  async send<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<void> {
    this.#execute(statement, parameters).catch(() => undefined);
  }

  /** One statement for all tables, sent like those of `send`. Their columns' types come from the tables. */
  async insertRows(rows: NewRows): Promise<void> {
    const insertions: string[] = [];
    const values: string[] = [];
    for (const [table, some] of Object.entries(rows)) {
      const [first] = some;
      if (first === undefined) continue;
      const columns = Object.keys(first);
      const list = columns.join(", ");
      values.push(JSON.stringify(some.map((row) => toJson(columns, valuesOf(row, columns)))));
      insertions.push(
        `${table}_rows as (insert into ${table} (${list})` +
          ` select ${list} from json_populate_recordset(null::${table}, $${values.length}::json))`,
      );
    }
    if (insertions.length === 0) return;
    const text = `with ${insertions.join(", ")} select`;
    this.#send({ name: nameOf(text), text, values }).catch(() => undefined);
  }

  /** Not async: what fails before the statement is sent is thrown at once. */
  #execute<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<QueryResult> {
    const { sql, values } = statement.bind(parameters, POSTGRES);
    return this.#send({ name: nameOf(sql), text: sql, values });
  }

  async #send(query: QueryConfig<unknown[]>): Promise<QueryResult> {
    try {
      const result = await this.#connection.query(query);
      this.#failure = undefined;
      return result;
    } catch (cause) {
      // After a statement has failed, the others of the transaction are refused, and say nothing about why.
      if (REFUSED.has(codeOf(cause))) throw this.#failure ?? cause;
      const error = explainFailure(cause);
      this.#failure = error;
      throw error;
    }
  }
}
