/** Lists of documents within a range of issue dates: sorted if there are few, otherwise merged from the lists of single days. */
import Database from "better-sqlite3";
import { beforeAll, expect, test } from "vitest";
import { type DocumentFilters, listDocumentRows } from "../../storage/documents/document-lists.ts";
import { idBodyAt } from "../../storage/database/ids.ts";
import type { PageRequest } from "../../storage/database/lists.ts";
import { openBench } from "../helpers/appliance.ts";
import { forAllTests } from "../helpers/set-up.ts";

/** The days of the month of consecutive documents. Those of 1 to 3 are enough to be merged. */
const PATTERN = [3, 1, 2, 2, 1, 3, 3, 1, 1, 2];
const COPIES = 300;
const dayOf = (index: number) =>
  `2026-10-0${index % 100 === 7 ? 9 : (PATTERN[(index + (index >> 4)) % PATTERN.length] ?? 1)}`;

/** Oldest first. */
let documents: { id: string; day: string }[];
const bench = forAllTests(openBench);
beforeAll(async () => {
  const { appliance } = bench;
  const original = await bench.acceptFor(await bench.makeMerchant());
  documents = Array.from({ length: COPIES }, (_, index) => ({
    id: `doc_${idBodyAt(1_600_000_000_000 + index)}`,
    day: dayOf(index),
  }));
  const database = new Database(appliance.config.storage.database);
  const columns = (database.pragma("table_info(documents)") as { name: string }[]).map(({ name }) => name);
  const values = columns.map((name) => (name === "id" || name === "issue_date" ? "?" : name));
  const insert = database.prepare(
    `insert into documents (${columns.join()}) select ${values.join()} from documents where id = ?`,
  );
  database.transaction(() => {
    for (const { id, day } of documents) insert.run(id, day, original);
  })();
  database.close();
});

async function pageOf(filters: Partial<DocumentFilters>, page: PageRequest) {
  const { read } = bench.appliance.store;
  const found = await listDocumentRows(read, { mode: "test", created: {}, ...filters }, page);
  return { ids: found?.rows.map(({ id }) => id), hasMore: found?.hasMore };
}

const RANGES: [from: string, through: string][] = [
  ["2026-10-01", "2026-10-03"],
  ["2026-10-02", "2026-10-03"],
  ["2026-10-02", "2026-10-02"],
  ["2026-10-09", "2026-10-31"],
  ["2026-10-01", "2026-10-31"],
];

test.each(RANGES)(
  "pages of the issue dates from %s to %s contain every document once, newest first",
  async (issueDateFrom, issueDateThrough) => {
    const expected = documents
      .filter(({ day }) => day >= issueDateFrom && day <= issueDateThrough)
      .map(({ id }) => id)
      .reverse();
    const filters = { issueDateFrom, issueDateThrough };
    const limit = 37;
    for (let at = 0; at < expected.length; at += limit) {
      const cursor = at === 0 ? {} : { startingAfter: expected[at - 1]! };
      const end = at + limit;
      const after = { ids: expected.slice(at, end), hasMore: end < expected.length };
      expect(await pageOf(filters, { limit, ...cursor })).toEqual(after);
      const before = { ids: expected.slice(Math.max(0, at - limit), at), hasMore: at > limit };
      expect(await pageOf(filters, { limit, endingBefore: expected[at]! })).toEqual(before);
    }
  },
);

test("a page of issue dates is empty where no document was issued, and needs a cursor of its list", async () => {
  const june = { issueDateFrom: "2026-06-01", issueDateThrough: "2026-06-30" };
  expect(await pageOf(june, { limit: 2 })).toEqual({ ids: [], hasMore: false });
  const startingAfter = documents.find(({ day }) => day === "2026-10-01")!.id;
  const later = { issueDateFrom: "2026-10-02", issueDateThrough: "2026-10-03" };
  expect(await pageOf(later, { limit: 2, startingAfter })).toEqual({ ids: undefined, hasMore: undefined });
});

test("pages of issue dates keep to the other filters and to when the documents were created", async () => {
  const [first, last] = [40, 259];
  const expected = documents
    .slice(first, last + 1)
    .filter(({ day }) => day <= "2026-10-03")
    .map(({ id }) => id)
    .reverse();
  const filters = {
    issueDateFrom: "2026-10-01",
    issueDateThrough: "2026-10-03",
    provider: "sandbox",
    created: { fromMs: 1_600_000_000_000 + first, throughMs: 1_600_000_000_000 + last },
  } as const;
  const page = { ids: expected.slice(0, 50), hasMore: true };
  expect(await pageOf(filters, { limit: 50 })).toEqual(page);
  expect(await pageOf(filters, { limit: 500 })).toEqual({ ids: expected, hasMore: false });
  expect(await pageOf({ ...filters, status: "issued" }, { limit: 50 })).toEqual({ ids: [], hasMore: false });
});

test("a page of two filters contains the documents of both, newest first", async () => {
  const types = ["1.1", "2.1"];
  const database = new Database(bench.appliance.config.storage.database);
  const change = database.prepare("update documents set type = ?, status = ?, phase = ? where id = ?");
  for (const [index, { id }] of documents.entries()) {
    const status = index % 3 === 0 ? "failed" : "rejected";
    change.run(types[index % 2], status, status, id);
  }
  database.close();
  const expected = documents
    .filter((_, index) => index % 6 === 3)
    .map(({ id }) => id)
    .reverse();
  const filters = { type: "2.1", status: "failed" } as const;
  expect(await pageOf(filters, { limit: 60 })).toEqual({ ids: expected, hasMore: false });
  const page = { limit: 10, startingAfter: expected[9]! };
  expect(await pageOf(filters, page)).toEqual({ ids: expected.slice(10, 20), hasMore: true });
  const dated = { ...filters, issueDateFrom: "2026-10-01" };
  expect(await pageOf(dated, page)).toEqual({ ids: expected.slice(10, 20), hasMore: true });
  const ofType = documents
    .filter((_, index) => index % 2 === 1)
    .map(({ id }) => id)
    .reverse();
  expect(await pageOf({ type: "2.1" }, { limit: 70 })).toEqual({ ids: ofType.slice(0, 70), hasMore: true });
});
