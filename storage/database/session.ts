/**
 * Sessions, which run statements on one connection, and the statements: SQL written with kysely and compiled at first use, once for each
 * engine. Building and compiling takes 13 to 17 µs and preparing 29 to 40 µs, longer than most of them run, so both are done once.
 */
import type { Compilable, CompiledQuery, Insertable, RawBuilder } from "kysely";
import type { Cipher } from "../encryption/cipher.ts";
import type { Builder, Dialect } from "./dialect.ts";
import type { Tables } from "./schema.ts";

/** Built with kysely, or written in SQL. */
export type Query<R> = Compilable<R> | RawBuilder<R>;

/** All methods return promises, because only SQLite answers at once. */
export interface Session {
  all<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R[]>;
  first<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<R | undefined>;
  /** Returns the number of rows changed. */
  run<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<number>;
  /** Returns the rows of a query whose form varies, such as a list with filters. */
  query<R>(build: (db: Builder) => Query<R>): Promise<R[]>;
}

/** Rows to insert, by table. */
export type NewRows = { [Table in keyof Tables]?: readonly Insertable<Tables[Table]>[] };

/** Rows of some tables that are still being collected. */
export type RowLists<Table extends keyof Tables> = { [Name in Table]: Insertable<Tables[Name]>[] };

/** The session of a transaction. */
export interface WritingSession extends Session {
  /** See `Transaction.insertRows`. */
  insertRows(rows: NewRows): Promise<void>;
  /** Runs a statement, and does not wait for a server's answer: if it fails, so does the commit. */
  send<P extends object, R>(statement: Statement<P, R>, parameters: P): Promise<void>;
}

/** A session that can also decrypt what it reads. */
export interface KeyedSession extends Session {
  readonly cipher: Cipher;
}

export function withCipher<Plain extends Session>(session: Plain, cipher: Cipher): Plain & KeyedSession {
  return Object.assign(session, { cipher });
}

/** Represents a parameter while a statement is built; each call looks its name up in its parameters. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const placeholders = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) });

export interface Statement<P, R> {
  /** Returns the SQL in `dialect`, and its values in order. */
  bind(parameters: P, dialect: Dialect): { sql: string; values: unknown[] };
  /** Only for the type of a row; never set. */
  readonly row?: R;
}

/**
 * A statement with parameters of type `P`, an object: `statement<{ id: string }>()((db, p) => db.selectFrom(…).where("id", "=", p.id))`.
 * While it is built, the parameters are placeholders: they can be passed on as values, but not inspected. An array is bound as JSON,
 * for `textsIn` and `elementsOf`.
 */
export function statement<P extends object>() {
  return <R>(build: (db: Builder, parameters: P) => Query<R>): Statement<P, R> => {
    const compiled = createForms(build);
    return {
      bind: (parameters, dialect) =>
        bind(
          compiled(dialect, "", () => placeholders as P),
          parameters,
        ),
    };
  };
}

/**
 * A statement over a whole row: its placeholders have the keys of the row that it receives, so that no column is listed, as
 * in `rowStatement<NewRow>()((db, row) => db.insertInto(…).values(row))`. Compiled once for each set of keys and each engine.
 */
export function rowStatement<P extends object>() {
  return <R>(build: (db: Builder, row: P) => Query<R>): Statement<P, R> => {
    const compiled = createForms(build);
    return {
      bind(row, dialect) {
        const keys = Object.keys(row);
        const named = () => Object.fromEntries(keys.map((key) => [key, new Placeholder(key)])) as P;
        return bind(compiled(dialect, keys.join(), named), row);
      },
    };
  };
}

/** Compiles a statement at the first use of each of its forms in each dialect. */
function createForms<P>(build: (db: Builder, parameters: P) => Query<unknown>) {
  const compiled = new Map<Dialect, Map<string, Compiled>>();
  return (dialect: Dialect, form: string, named: () => P): Compiled => {
    let forms = compiled.get(dialect);
    if (forms === undefined) compiled.set(dialect, (forms = new Map()));
    let known = forms.get(form);
    if (known === undefined) {
      const query = compile(dialect.statements, (db) => build(db, named()));
      forms.set(form, (known = { sql: query.sql, slots: query.parameters }));
    }
    return known;
  };
}

interface Compiled {
  sql: string;
  /** Values and placeholders in the order of the SQL. */
  slots: readonly unknown[];
}

function bind({ sql, slots }: Compiled, parameters: object): { sql: string; values: unknown[] } {
  const given = parameters as Record<string, unknown>;
  const values: unknown[] = [];
  for (const slot of slots) {
    const value = slot instanceof Placeholder ? required(given, slot.name) : slot;
    values.push(Array.isArray(value) ? JSON.stringify(value) : value);
  }
  return { sql, values };
}

/** Without this check `undefined` would silently be bound as NULL. */
function required(parameters: Record<string, unknown>, name: string): unknown {
  const value = parameters[name];
  if (value === undefined) throw missingParameter(name);
  return value;
}

function missingParameter(name: string): TypeError {
  return new TypeError(`The parameter ${name} of a statement is missing`);
}

/** The values of a row in the order of `columns`. Throws if it has other columns. */
export function valuesOf(row: object, columns: readonly string[]): unknown[] {
  const given = row as Record<string, unknown>;
  const names = Object.keys(row);
  if (names.length !== columns.length) throw new TypeError("The rows of a table have other columns");
  // A row nearly always has its columns in the order of the first one, and looking each up by its name takes twice as long.
  const isInOrder = names.every((name, place) => name === columns[place]);
  const values = isInOrder ? Object.values(given) : columns.map((column) => given[column]);
  const missing = values.indexOf(undefined);
  if (missing !== -1) throw missingParameter(columns[missing]!);
  return values;
}

/** Compiles a query whose form varies, such as a list with filters. */
export function compileQuery<R>(build: (db: Builder) => Query<R>, dialect: Dialect): CompiledQuery<R> {
  return compile(dialect.queries, build);
}

function compile<R>(db: Builder, build: (db: Builder) => Query<R>): CompiledQuery<R> {
  const query = build(db);
  return "isRawBuilder" in query ? query.compile(db) : query.compile();
}
