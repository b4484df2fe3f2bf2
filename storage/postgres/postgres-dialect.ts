/** PostgreSQL's dialect. */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawNode,
} from "kysely";
import { type Builder, type Dialect, formFor } from "../database/dialect.ts";
import type { Tables } from "../database/schema.ts";

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

function createBuilder(createQueryCompiler: () => PostgresQueryCompiler): Builder {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler,
    },
  });
}

export const POSTGRES: Dialect = {
  statements: createBuilder(() => new StatementCompiler()),
  queries: createBuilder(() => new QueryCompiler()),
};
