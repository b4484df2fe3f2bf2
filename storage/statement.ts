/**
 * Statements: SQL written with kysely and compiled at first use. Building and compiling takes 13 to 17 µs and preparing 29
 * to 40 µs, longer than most of them run, so both are done once.
 */
import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  type LimitNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Tables } from "./schema.ts";

export type Builder = Kysely<Tables>;

/** Compiles only; it cannot run queries. */
function createBuilder(createQueryCompiler: () => SqliteQueryCompiler): Builder {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler,
    },
  });
}

/** Represents a parameter while a statement is built; each call looks its name up in its parameters. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Writes constants as literals, and placeholders as `+?`, a limit as `+? + 0`. SQLite chooses the plan of some statements by the
 * values of plain parameters (a limit, a partial index, a join, an order), and prepares these again at each run, which takes
 * ten times as long as the run itself. It uses the same indexes for `+?`.
 */
class StatementCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (typeof value === "string" || typeof value === "number") return this.appendImmediateValue(value);
    this.append("+");
    super.appendValue(value);
  }

  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(" + 0");
  }
}

const statementBuilder = createBuilder(() => new StatementCompiler());
/** Its values come from callers, so they stay parameters. */
const queryBuilder = createBuilder(() => new SqliteQueryCompiler());

const placeholders = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) });

export interface Statement<P, R> {
  /** Returns the SQL and its values in order. */
  bind(parameters: P): { sql: string; values: unknown[] };
  /** Only for the type of a row; never set. */
  readonly row?: R;
}

/**
 * A statement with parameters of type `P`, an object: `statement<{ id: string }>()((db, p) => db.selectFrom(…).where("id", "=", p.id))`.
 * While it is built, the parameters are placeholders: they can be passed on as values, but not inspected.
 */
export function statement<P extends object>() {
  return <R>(build: (db: Builder, parameters: P) => Compilable<R>): Statement<P, R> => {
    let compiled: Compiled | undefined;
    return { bind: (parameters) => bind((compiled ??= compile(build, placeholders as P)), parameters) };
  };
}

/**
 * A statement over a whole row: its placeholders have the keys of the row that it receives, so that no column is listed, as
 * in `rowStatement<NewRow>()((db, row) => db.insertInto(…).values(row))`. Compiled once for each set of keys.
 */
export function rowStatement<P extends object>() {
  return <R>(build: (db: Builder, row: P) => Compilable<R>): Statement<P, R> => {
    const compiled = new Map<string, Compiled>();
    return {
      bind(row) {
        const keys = Object.keys(row);
        const form = keys.join();
        let known = compiled.get(form);
        if (known === undefined) {
          const named = Object.fromEntries(keys.map((key) => [key, new Placeholder(key)]));
          known = compile(build, named as P);
          compiled.set(form, known);
        }
        return bind(known, row);
      },
    };
  };
}

interface Compiled {
  sql: string;
  /** Values and placeholders in the order of the SQL. */
  slots: readonly unknown[];
}

function compile<P, R>(build: (db: Builder, parameters: P) => Compilable<R>, parameters: P): Compiled {
  const query = build(statementBuilder, parameters).compile();
  return { sql: query.sql, slots: query.parameters };
}

function bind({ sql, slots }: Compiled, parameters: object): { sql: string; values: unknown[] } {
  const given = parameters as Record<string, unknown>;
  const values: unknown[] = [];
  for (const slot of slots) values.push(slot instanceof Placeholder ? required(given, slot.name) : slot);
  return { sql, values };
}

/** Without this check `undefined` would silently be bound as NULL. */
function required(parameters: Record<string, unknown>, name: string): unknown {
  const value = parameters[name];
  if (value === undefined) throw new TypeError(`The parameter ${name} of a statement is missing`);
  return value;
}

/** Compiles a query whose form varies, such as a list with filters. */
export function compileQuery<R>(build: (db: Builder) => Compilable<R>): CompiledQuery<R> {
  return build(queryBuilder).compile();
}
