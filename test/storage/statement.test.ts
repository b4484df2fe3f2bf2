/** SQLite prepares the statements of the queues once, and not again at each run. */
import { expect, test } from "vitest";
import Database from "better-sqlite3";
import { findDueSends } from "../../storage/documents/send-claims.ts";
import { textsIn } from "../../storage/database/dialect.ts";
import { SQLITE } from "../../storage/sqlite/sqlite-session.ts";
import { type Statement, statement } from "../../storage/database/session.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { openBench } from "../helpers/appliance.ts";
import { forAllTests } from "../helpers/set-up.ts";

const bench = forAllTests(openBench);

test("a statement has its constants as literals, and values of callers only as parameters", () => {
  const select = statement<{ mode: "test"; limit: number }>()((db, p) =>
    db
      .selectFrom("documents")
      .select("id")
      .where("mode", "=", p.mode)
      .where("phase", "in", ["queued", "issued"])
      .where("supplier", "=", "it's")
      .limit(p.limit),
  );
  expect(select.bind({ mode: "test", limit: 5 }, SQLITE)).toEqual({
    sql:
      'select "id" from "documents" where "mode" = +? and "phase" in (\'queued\', \'issued\')' +
      " and \"supplier\" = 'it''s' limit +? + 0",
    values: ["test", 5],
  });
});

test("a list of texts is one parameter, however many there are", () => {
  const select = statement<{ ids: readonly string[] }>()((db, p) =>
    db.selectFrom("documents").select("id").where("id", "in", textsIn(p.ids)),
  );
  expect(select.bind({ ids: ["doc_1", "it's"] }, SQLITE)).toEqual({
    sql: 'select "id" from "documents" where "id" in (select value from json_each(+?))',
    values: ['["doc_1","it\'s"]'],
  });
});

test.each([false, true])(
  "a claim finds due documents and busy counters by their indexes",
  async (readsAll) => {
    const database = new Database(bench.appliance.config.storage.database, { readonly: true });
    let plan = "";
    const explain = async <P>(select: Statement<P, unknown>, parameters: P) => {
      const { sql, values } = select.bind(parameters, SQLITE);
      const steps = database.prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[];
      plan = steps.map(({ detail }) => detail).join("; ");
      return [];
    };
    const now = "2026-11-02T10:00:00.000Z";
    const due = {
      provider: "sandbox",
      limit: 64,
      due: now,
      excluded: [],
      mayReadAll: () => readsAll,
    } as const;
    await findDueSends({ all: explain } as unknown as Transaction, due);
    database.close();
    expect(plan).toContain("SEARCH due USING INDEX documents_due (provider=? AND phase=? AND next_at<?)");
    expect(plan).toContain("SCAN documents USING COVERING INDEX documents_in_flight");
  },
);
