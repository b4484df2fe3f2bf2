/**
 * The SQL dialects of the two engines. Statements are written once; the few expressions that the engines write differently
 * have a form for each, from which the compiler of an engine takes its own.
 */
import {
  type Dialect as KyselyDialect,
  DummyDriver,
  Kysely,
  type OperationNode,
  type OperationNodeSource,
  type QueryCompiler,
  type RawBuilder,
  RawNode,
  sql,
} from "kysely";
import type { Tables } from "./schema.ts";

export type Engine = "sqlite" | "postgres";

/** Compiles only; it cannot run queries. */
export type Builder = Kysely<Tables>;

export interface Dialect {
  /** Constants are literals, and placeholders are parameters. */
  readonly statements: Builder;
  /** For queries whose form varies: their values come from callers, so they stay parameters. */
  readonly queries: Builder;
}

export function createBuilder(
  engine: Pick<KyselyDialect, "createAdapter" | "createIntrospector">,
  createQueryCompiler: () => QueryCompiler,
): Builder {
  return new Kysely<Tables>({
    dialect: { ...engine, createDriver: () => new DummyDriver(), createQueryCompiler },
  });
}

type Forms = Readonly<Record<Engine, OperationNode>>;

export function perEngine<T>(forms: Readonly<Record<Engine, RawBuilder<T>>>): RawBuilder<T> {
  const nodes: Forms = { sqlite: forms.sqlite.toOperationNode(), postgres: forms.postgres.toOperationNode() };
  const source: OperationNodeSource = {
    toOperationNode: () => ({ ...RawNode.create([], []), forms: nodes }),
  };
  return sql<T>`${source}`;
}

/** The form of `node` for `engine`; undefined if it has only one. */
export function formFor(node: RawNode, engine: Engine): OperationNode | undefined {
  return "forms" in node ? (node.forms as Forms)[engine] : undefined;
}

export function greatest<T>(one: RawBuilder<T>, other: RawBuilder<T>): RawBuilder<T> {
  return perEngine({ sqlite: sql<T>`max(${one}, ${other})`, postgres: sql<T>`greatest(${one}, ${other})` });
}

/** The texts in an array, which a statement binds as JSON, for `in`. */
export function textsIn(json: readonly string[]): RawBuilder<string> {
  return perEngine({
    sqlite: sql<string>`(select value from json_each(${json}))`,
    postgres: sql<string>`(select value from json_array_elements_text(${json}::json))`,
  });
}

/** A table of the elements of an array, in its column `value`. */
export function elementsOf(json: readonly unknown[]): RawBuilder<{ value: string }> {
  return perEngine({
    sqlite: sql<{ value: string }>`json_each(${json})`,
    postgres: sql<{ value: string }>`json_array_elements(${json}::json)`,
  });
}

/** A column whose index SQLite must not use, because it would choose that one over a better one. */
export function unindexed<T>(column: string): RawBuilder<T> {
  return perEngine({ sqlite: sql<T>`+${sql.ref(column)}`, postgres: sql<T>`${sql.ref(column)}` });
}
