/** SQLite's dialect. */
import {
  DummyDriver,
  Kysely,
  type LimitNode,
  type RawNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { type Builder, type Dialect, formFor } from "../database/dialect.ts";
import type { Tables } from "../database/schema.ts";

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

export const SQLITE: Dialect = {
  statements: createBuilder(() => new StatementCompiler()),
  queries: createBuilder(() => new QueryCompiler()),
};
