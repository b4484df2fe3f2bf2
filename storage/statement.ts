/**
 * Statements: SQL written with kysely, compiled at their first use and kept. Building and compiling costs 13 to 17 µs a
 * query and preparing 29 to 40 µs, more than most of these take to run, so both are done once.
 */
import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Tables } from "./schema.ts";

export type Builder = Kysely<Tables>;

/** Compiles only: it never runs anything. */
const builder: Builder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** Stands for a parameter while a statement is built; its name is looked up in the parameters of each call. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const placeholders = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) });

export interface Statement<P, R> {
  /** The SQL and the values in its order. */
  bind(parameters: P): { sql: string; values: unknown[] };
  /** Carries the type of a row; never set. */
  readonly row?: R;
}

/**
 * A statement with parameters of type `P`, an object: `statement<{ id: string }>()((db, p) => db.selectFrom(…).where("id", "=", p.id))`.
 * The parameters are placeholders while it is built: they can be passed on as values, not looked at.
 */
export function statement<P extends object>() {
  return <R>(build: (db: Builder, parameters: P) => Compilable<R>): Statement<P, R> => {
    let compiled: { sql: string; slots: readonly unknown[] } | undefined;
    return {
      bind(parameters) {
        if (compiled === undefined) {
          const query = build(builder, placeholders as P).compile();
          compiled = { sql: query.sql, slots: query.parameters };
        }
        const given = parameters as Record<string, unknown>;
        const { sql, slots } = compiled;
        const values: unknown[] = [];
        for (const slot of slots)
          values.push(slot instanceof Placeholder ? required(given, slot.name) : slot);
        return { sql, values };
      },
    };
  };
}

/** `undefined` would be bound as NULL without a word. */
function required(parameters: Record<string, unknown>, name: string): unknown {
  const value = parameters[name];
  if (value === undefined) throw new TypeError(`The parameter ${name} of a statement is missing`);
  return value;
}

/** A query whose form depends on what is asked, such as a list with filters: built and compiled at each call. */
export function compileQuery<R>(build: (db: Builder) => Compilable<R>): CompiledQuery<R> {
  return build(builder).compile();
}
