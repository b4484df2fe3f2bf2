/** Runs statements on one connection to the database file, in SQLite's dialect. */
import type Database from "better-sqlite3";
import {
  type Kysely,
  type LimitNode,
  type RawNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import {
  compileQuery,
  type NewRows,
  type Query,
  type Statement,
  valuesOf,
  type WritingSession,
} from "../database/session.ts";
import { type Builder, createBuilder, type Dialect, formFor } from "../database/dialect.ts";

/** Writes a limit as `? + 0`. SQLite chooses plans by the value of a plain limit, and prepares a statement again at each run. */
class QueryCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(" + 0");
  }

  protected override visitRaw(node: RawNode): void {
    const form = formFor(node, "sqlite");
    if (form === undefined) super.visitRaw(node);
    else this.visitNode(form);
  }
}

/**
 * Writes constants as literals, and placeholders as `+?`. SQLite chooses the plan of some statements by the values of plain
 * parameters (a partial index, a join, an order) too, and prepares these again at each run, which takes ten times as long as the
 * run itself. It uses the same indexes for `+?`.
 */
class StatementCompiler extends QueryCompiler {
  protected override appendValue(value: unknown): void {
    if (typeof value === "string" || typeof value === "number") return this.appendImmediateValue(value);
    this.append("+");
    super.appendValue(value);
  }
}

const ENGINE = {
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
};

export const SQLITE: Dialect = {
  statements: createBuilder(ENGINE, () => new StatementCompiler()),
  queries: createBuilder(ENGINE, () => new QueryCompiler()),
};

/** Lists with filters produce many forms of SQL. Beyond this many, the one prepared first is dropped. */
const PREPARED_MAX = 400;

export class SqliteSession implements WritingSession {
  readonly #database: Database.Database;
  readonly #prepared = new Map<string, Database.Statement<unknown[]>>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  get isInTransaction(): boolean {
    return this.#database.inTransaction;
  }

  async all<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R[]> {
    const { sql, values } = statement.bind(parameters, SQLITE);
    return this.#rows<R>(sql, values);
  }

  async first<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R | undefined> {
    const { sql, values } = statement.bind(parameters, SQLITE);
    return this.#prepare(sql).get(...values) as R | undefined;
  }

  async run<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<number> {
    const { sql, values } = statement.bind(parameters, SQLITE);
    return this.#prepare(sql).run(...values).changes;
  }

  async send<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<void> {
    await this.run(statement, parameters);
  }

  async query<R>(build: (db: Builder) => Query<R>): Promise<R[]> {
    const { sql, parameters } = compileQuery(build, SQLITE);
    return this.#rows<R>(sql, parameters);
  }

  async insertRows(rows: NewRows): Promise<void> {
    for (const [table, some] of Object.entries(rows)) {
      const [first] = some;
      if (first === undefined) continue;
      const columns = Object.keys(first);
      const prepared = this.#prepare(insertion(table, columns));
      for (const row of some) prepared.run(valuesOf(row, columns));
    }
  }

  /** Runs SQL without parameters: BEGIN, COMMIT, pragmas. */
  execute(sql: string): void {
    this.#prepare(sql).run();
  }

  #rows<R>(sql: string, values: readonly unknown[]): R[] {
    const prepared = this.#prepare(sql);
    if (prepared.reader) return prepared.all(...values) as R[];
    prepared.run(...values);
    return [];
  }

  #prepare(sql: string): Database.Statement<unknown[]> {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const prepared = this.#database.prepare<unknown[]>(sql);
    if (this.#prepared.size >= PREPARED_MAX) {
      const oldest = this.#prepared.keys().next();
      if (!oldest.done) this.#prepared.delete(oldest.value);
    }
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

function insertion(table: string, columns: readonly string[]): string {
  const places = columns.map(() => "?").join(", ");
  return `insert into ${table} (${columns.join(", ")}) values (${places})`;
}
