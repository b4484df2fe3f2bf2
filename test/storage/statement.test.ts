/** SQLite prepares the statements of the queues once, and not again at each run. */
import { expect, test } from "vitest";
import { textsIn } from "../../storage/database/dialect.ts";
import { SQLITE } from "../../storage/sqlite/sqlite-session.ts";
import { statement } from "../../storage/database/session.ts";

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
