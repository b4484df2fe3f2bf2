/**
 * A page of a filtered list reads the index of the filter, also with a range of creation times, and looking for a MARK reads no
 * other documents, however much is stored.
 */
import Database from "better-sqlite3";
import { findDeliveryOfEvent } from "../../storage/webhooks/deliveries.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  creditedLinesOfMark,
  creditsOfMark,
  findMarksInUse,
  findOtherDocumentWithMark,
} from "../../storage/documents/documents.ts";
import { findMarksForPerson } from "../../storage/documents/surplus-marks.ts";
import {
  type CallFilters,
  findCallSlice,
  findRequestSlice,
  type RequestFilters,
} from "../../storage/logs/logs.ts";
import { type DocumentFilters, listDocumentRows } from "../../storage/documents/document-lists.ts";
import { listSortedRows } from "../../storage/documents/sorted-documents.ts";
import { type EventFilters, findEventSlice } from "../../storage/journal/events.ts";
import { findDueSends } from "../../storage/documents/send-claims.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { compileQuery, type Session, type Statement } from "../../storage/database/session.ts";
import { SQLITE } from "../../storage/sqlite/sqlite-session.ts";
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

function planOf(sql: string, parameters: readonly unknown[]): string {
  const steps = database.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[];
  return steps.map(({ detail }) => detail).join("; ");
}

interface Stored {
  /** What a query finds; nothing by default. */
  rows?: (sql: string) => readonly object[];
  /** The status of its documents, which are of one kind. */
  status?: "pending" | "failed" | "issued";
  /** Leaves out the plans of other queries than those of `all`. */
  onlyAll?: boolean;
}

/** How SQLite would run each query of `list`. */
async function plansOf(
  list: (session: Session) => Promise<unknown>,
  { rows = () => [], status = "pending", onlyAll = false }: Stored = {},
): Promise<string[]> {
  const plans: string[] = [];
  const kind = { type: "1.1", provider: "sandbox", status };
  const bind = (select: Statement<Record<string, unknown>, unknown>, parameters: Record<string, unknown>) => {
    const { sql, values } = select.bind(parameters, SQLITE);
    return planOf(sql, values);
  };
  const session = {
    async query(build: Parameters<typeof compileQuery>[0]) {
      const { sql, parameters } = compileQuery(build, SQLITE);
      if (!onlyAll) plans.push(planOf(sql, parameters));
      return rows(sql);
    },
    async first(...asked: Parameters<typeof bind>) {
      if (!onlyAll) plans.push(bind(...asked));
      return asked[1]["type"] === "" ? kind : undefined;
    },
    async all(...asked: Parameters<typeof bind>) {
      plans.push(bind(...asked));
      return asked[1]["type"] === "" ? [kind] : [];
    },
  };
  await list(session as unknown as Session);
  return plans;
}

const PAGE = { limit: 20 };
const SLICE = { direction: "desc", limit: 11 } as const;
const CREATED = [
  {},
  { fromMs: 1_700_000_000_000 },
  { throughMs: 1_800_000_000_000 },
  { fromMs: 1_700_000_000_000, throughMs: 1_800_000_000_000 },
];

/** With any range of creation times, every plan must use the index, and need no sorting. */
function testIndexes<F>(
  what: string,
  list: (session: Session, filters: F) => Promise<unknown>,
  table: readonly (readonly [index: string, filters: Omit<F, "mode" | "created">])[],
): void {
  test.each(table)(`${what} use %s for %o`, async (index, filters) => {
    for (const created of CREATED)
      for (const plan of await plansOf((session) =>
        list(session, { mode: "test", ...filters, created } as F),
      )) {
        expect(plan).toMatch(new RegExp(` USING (COVERING )?INDEX ${index} `));
        expect(plan).not.toContain("TEMP B-TREE");
        // The next kind is found past all documents of the one before.
        expect(plan).not.toContain("(type,provider,status)>");
      }
  });
}

const listDocuments = (session: Session, filters: DocumentFilters) =>
  listDocumentRows(session, filters, PAGE);

testIndexes("documents", listDocuments, [
  ["documents_by_mode", {}],
  ["documents_by_status", { status: "failed" }],
  ["documents_by_merchant", { merchantId: "mer_1" }],
  ["documents_by_kind", { type: "1.1" }],
  ["documents_by_kind", { provider: "sandbox" }],
  ["documents_by_kind", { status: "pending", type: "1.1" }],
  ["documents_by_kind", { type: "1.1", provider: "sandbox" }],
  ["documents_by_merchant_kind", { status: "pending", merchantId: "mer_1" }],
  ["documents_by_merchant_kind", { type: "1.1", merchantId: "mer_1" }],
  [
    "documents_by_merchant_kind",
    { status: "pending", type: "1.1", provider: "sandbox", merchantId: "mer_1" },
  ],
  ["documents_by_customer", { customers: [{ customerHash: "h", customerCountry: "GR" }], status: "failed" }],
  [
    "documents_by_customer",
    { customers: [{ customerHash: "h" }, { customerHash: "i" }], merchantId: "mer_1" },
  ],
  ["documents_by_number", { number: 7, merchantId: "mer_1", type: "1.1" }],
  ["documents_by_gross", { gross: 1240, status: "issued" }],
  ["documents_by_merchant_gross", { gross: 1240, merchantId: "mer_1", status: "issued" }],
  ["documents_by_reference", { externalReference: "order-1", merchantId: "mer_1", type: "1.1" }],
]);

test.each<[string, Partial<DocumentFilters>]>([
  ["documents_by_status", { status: "failed" }],
  ["documents_by_merchant_kind", { merchantId: "mer_1", type: "1.1" }],
  ["documents_by_reference", { externalReference: "order-1" }],
])("the documents of a customer who has very many use %s for %o", async (index, filters) => {
  const customers = [{ customerHash: "h", customerCountry: "GR" }];
  const plans = await plansOf(
    (session) => listDocuments(session, { mode: "test", customers, ...filters, created: {} }),
    {
      rows: (sql) => [{ id: "doc_5", documents: sql.includes("customer_hash") ? 10_000 : 9999 }],
      status: "failed",
    },
  );
  expect(plans.at(-1)).toContain(`USING INDEX ${index} (`);
  expect(plans.at(-1)).not.toContain("TEMP B-TREE");
});

const PAGES = [PAGE, { ...PAGE, startingAfter: "doc_5" }, { ...PAGE, endingBefore: "doc_5" }];

test.each([
  ["documents_by_issue_date", "issue_date", {}],
  ["documents_by_issue_date", "issue_date", { issueDateFrom: "2026-10-01", issueDateThrough: "2026-10-31" }],
  ["documents_by_merchant_date", "issue_date", { merchantId: "mer_1", issueDateFrom: "2026-10-01" }],
  ["documents_by_gross", "gross", {}],
  ["documents_by_merchant_gross", "gross", { merchantId: "mer_1" }],
] as const)("sorted documents use %s in the order of %s for %o", async (index, by, filters) => {
  for (const page of PAGES)
    for (const direction of ["asc", "desc"] as const) {
      const sorted = { order: { by, direction }, page };
      const plans = await plansOf(
        (session) => listSortedRows(session, { mode: "test", created: {}, ...filters }, sorted),
        { rows: () => [{ id: "doc_5", [by]: 1 }] },
      );
      // The cursor is found by its id.
      if (plans.length > 2) expect(plans.shift()).toContain("(id=?)");
      expect(plans).toHaveLength(2);
      for (const plan of plans) {
        expect(plan).toMatch(new RegExp(`SEARCH documents USING (COVERING )?INDEX ${index} \\(`));
        expect(plan).not.toContain("TEMP B-TREE");
      }
    }
});

test.each<Partial<DocumentFilters>>([
  {},
  { status: "issued" },
  { merchantId: "mer_1", status: "issued", type: "1.1", provider: "sandbox" },
])(
  "very many documents in a range of issue dates use the index of a day for each, and sort nothing, for %o",
  async (filters) => {
    for (const created of CREATED)
      for (const page of PAGES) {
        const range = { mode: "test", issueDateFrom: "2026-10-01", ...filters, created } as const;
        const plans = await plansOf((session) => listDocumentRows(session, range, page), {
          rows: () => [{ day: "2026-10-02", documents: 1_000_000, id: "doc_9" }],
          status: "issued",
          onlyAll: true,
        });
        expect(plans).toEqual([
          "SEARCH documents USING INDEX documents_by_issue_date (mode=? AND issue_date=? AND id>? AND id<?)",
        ]);
      }
  },
);

test("documents with a MARK are found by it, and the few found are sorted", async () => {
  const filters = { mode: "test", mark: "400000000000001", status: "issued", created: {} } as const;
  const [plan] = await plansOf((session) => listDocuments(session, filters));
  expect(plan).toMatch(/^SEARCH documents USING INDEX documents_by_mark \(mark=\?\); USE TEMP B-TREE/);
});

testIndexes("events", (session, filters: EventFilters) => findEventSlice(session, filters, SLICE), [
  ["events_by_mode", {}],
  ["events_by_type", { types: ["document.failed", "document.rejected"] }],
  ["events_by_document", { documentId: "doc_1" }],
  ["events_by_document", { documentId: "doc_1", types: ["document.failed"] }],
  ["events_by_document", { documentId: "doc_1", merchantId: "mer_1" }],
  ["events_by_merchant", { merchantId: "mer_1" }],
  ["events_by_merchant_type", { merchantId: "mer_1", types: ["document.failed"] }],
]);

testIndexes(
  "logged requests",
  (session, filters: RequestFilters) => findRequestSlice(session, filters, SLICE),
  [
    ["requests_by_mode", {}],
    ["requests_by_status", { status: 422 }],
    ["requests_by_operation", { operationId: "issueDocument" }],
    ["requests_by_operation_status", { operationId: "issueDocument", status: 201 }],
    ["requests_by_document", { documentId: "doc_1", status: 201, operationId: "issueDocument" }],
    ["requests_by_request_id", { requestId: "req_1" }],
  ],
);

testIndexes(
  "logged provider calls",
  (session, filters: CallFilters) => findCallSlice(session, filters, SLICE),
  [
    ["provider_calls_by_mode", {}],
    ["provider_calls_by_document", { documentId: "doc_1" }],
  ],
);

const MARK = "400000000000001";
test.each<[what: string, query: (session: Session) => Promise<unknown>, plan: RegExp]>([
  [
    "the check of a reported MARK",
    (session) => findOtherDocumentWithMark(session, { mark: MARK, mode: "test", id: "doc_1" }),
    /^SEARCH documents USING INDEX documents_by_mark \(mark=\?\)$/,
  ],
  [
    "the check of the MARKs of a batch",
    (session) => findMarksInUse(session, { marks: [MARK] }),
    /^SEARCH documents USING INDEX documents_by_mark \(mark=\?\)/,
  ],
  [
    "the last delivery of an event to an endpoint",
    (session) => findDeliveryOfEvent(session, { endpointId: "we_1", eventId: "evt_1" }),
    /^SEARCH deliveries USING INDEX deliveries_of_event \(event_id=\?\)/,
  ],
  [
    "the MARKs that a person must see to",
    (session) => findMarksForPerson(session, { mode: "test", limit: 5 }),
    /^SCAN surplus_marks USING INDEX surplus_marks_for_person; SEARCH documents USING (?!.*TEMP B-TREE)/,
  ],
  [
    "the credit notes of a MARK",
    (session) => creditsOfMark(session, { mark: MARK, merchantId: "mer_1", mode: "test" }),
    /^SEARCH o USING PRIMARY KEY \(mark=\?\); SEARCH d USING INDEX \S+ \(id=\?\)$/,
  ],
  [
    "the lines that credits of a MARK take",
    (session) => creditedLinesOfMark(session, { mark: MARK }),
    /^SEARCH o USING PRIMARY KEY \(mark=\?\); SEARCH l USING PRIMARY KEY \(document_id=\?\)$/,
  ],
])("%s use an index of MARKs", async (_what, query, plan) => {
  expect((await plansOf(query)).join("; ")).toMatch(plan);
});

test.each([false, true])(
  "a claim finds due documents and busy counters by their indexes",
  async (readsAll) => {
    const due = { provider: "sandbox", limit: 64, due: "2026-11-02T10:00:00.000Z", excluded: [] } as const;
    const plans = await plansOf((session) =>
      findDueSends(session as Transaction, { ...due, mayReadAll: () => readsAll }),
    );
    expect(plans.at(-1)).toContain(
      "SEARCH due USING INDEX documents_due (provider=? AND phase=? AND next_at<?)",
    );
    expect(plans.at(-1)).toContain("SCAN documents USING COVERING INDEX documents_in_flight");
  },
);
