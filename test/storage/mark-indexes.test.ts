/** Looking for a MARK costs the same however many documents are stored. */
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { creditedLinesOfMark, creditsOfMark } from "../../storage/documents/credits.ts";
import { findMarksInUse, findOtherDocumentWithMark } from "../../storage/documents/documents.ts";
import type { Session } from "../../storage/database/session.ts";
import { SQLITE } from "../../storage/sqlite/sqlite-session.ts";
import type { Statement } from "../../storage/database/statement.ts";
import { findMarksForPerson } from "../../storage/documents/surplus-marks.ts";
import { openBench } from "../helpers/appliance.ts";
import { forAllTests } from "../helpers/set-up.ts";

let database: Database.Database;
const bench = forAllTests(openBench);
beforeAll(async () => {
  database = new Database(bench.appliance.config.storage.database, { readonly: true });
});
afterAll(async () => {
  database.close();
});

/** How SQLite would run the statement that `query` uses. */
async function planOf(query: (session: Session) => Promise<unknown>): Promise<string> {
  let plan = "";
  const explain = async <P>(statement: Statement<P, unknown>, parameters: P) => {
    const { sql, values } = statement.bind(parameters, SQLITE);
    const steps = database.prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[];
    plan = steps.map(({ detail }) => detail).join("; ");
    return [];
  };
  await query({ first: explain, all: explain } as unknown as Session);
  return plan;
}

test("the check of a reported MARK uses the index of MARKs", async () => {
  const plan = await planOf((session) =>
    findOtherDocumentWithMark(session, { mark: "400000000000001", mode: "test", id: "doc_1" }),
  );
  expect(plan).toBe("SEARCH documents USING INDEX documents_by_mark (mark=?)");
});

test("the check of the MARKs of a batch uses the index of MARKs", async () => {
  const plan = await planOf((session) => findMarksInUse(session, ["400000000000001"], "test"));
  expect(plan).toMatch(/^SEARCH documents USING INDEX documents_by_mark \(mark=\?\)/);
});

test("the MARKs that a person must see to are found without reading other documents", async () => {
  const plan = await planOf((session) => findMarksForPerson(session, { mode: "test", limit: 5 }));
  expect(plan).toMatch(/^SCAN surplus_marks USING INDEX surplus_marks_for_person; SEARCH documents USING /);
  expect(plan).not.toContain("TEMP B-TREE");
});

test("the credit notes of a MARK are found without reading other documents", async () => {
  const plan = await planOf((session) => creditsOfMark(session, "400000000000001", "mer_1", "test"));
  expect(plan).toMatch(/^SEARCH o USING PRIMARY KEY \(mark=\?\); SEARCH d USING INDEX \S+ \(id=\?\)$/);
});

test("the lines that credits of a MARK take are found without reading other credits", async () => {
  const plan = await planOf((session) => creditedLinesOfMark(session, "400000000000001"));
  expect(plan).toBe("SEARCH o USING PRIMARY KEY (mark=?); SEARCH l USING PRIMARY KEY (document_id=?)");
});
