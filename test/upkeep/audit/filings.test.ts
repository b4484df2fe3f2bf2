/** The audit misses what filed a document (docs/contract.md#document-substance). */
import Database from "better-sqlite3";
import { beforeAll, expect, test } from "vitest";
import { audit } from "../../../src/upkeep/audit/audit-journal.ts";
import { SqliteSession } from "../../../storage/sqlite/sqlite-session.ts";
import { openRegistryBench } from "../../helpers/registry-bench.ts";
import { forAllTests } from "../../helpers/set-up.ts";

let ids: string[];
let found: string;
let rejected: string;
const bench = forAllTests(openRegistryBench);
beforeAll(async () => {
  ids = [await bench.accept(), await bench.accept()];
  await bench.processAll(ids);
  bench.registry.next("SendInvoices", "cut after filing");
  found = await bench.accept();
  await bench.processAll([found]);
  bench.registry.refuse("BAD", "223", "Refused");
  rejected = await bench.accept({}, { series: "BAD" });
  await bench.processAll([rejected]);
});

/** Audits the database with `change`, which is then rolled back. */
async function problemsAfter(change: string) {
  const { config, store } = bench.appliance;
  const database = new Database(config.storage.database);
  try {
    database.exec(`begin; ${change}`);
    const { problems } = await audit(new SqliteSession(database), store.cipher);
    return problems.map(({ id, message }) => [id, message.en]);
  } finally {
    database.close();
  }
}

const LOST = "has lost the XML or JSON that filed it";
const drop = (id: string) => `delete from filings where document_id = '${id}';`;

test("a document that was filed, found again or rejected is intact", async () => {
  expect(await problemsAfter("")).toEqual([]);
});

test("the filing of an issued document that was deleted is reported", async () => {
  expect(await problemsAfter(drop(ids[0]!))).toEqual([[ids[0], `${ids[0]} ${LOST}.`]]);
});

test("so is that of a document whose MARK was found by a lookup", async () => {
  expect(await problemsAfter(drop(found))).toEqual([[found, `${found} ${LOST}.`]]);
});

test("a deletion cannot be hidden by saying that nothing was filed", async () => {
  const hide = `update documents set has_filing = 0 where id = '${ids[0]}'`;
  expect(await problemsAfter(drop(ids[0]!) + hide)).toEqual([
    [ids[0], `${ids[0]} is not as its newest event left it.`],
  ]);
});

test("a filing that belongs to another document is reported", async () => {
  const [one, other] = ids;
  const copy = `update filings set sealed = (select sealed from filings where document_id = '${other}')
    where document_id = '${one}'`;
  expect(await problemsAfter(copy)).toEqual([
    [one, expect.stringMatching(/cannot be decrypted: it was changed, or belongs to another document/)],
  ]);
});
