/**
 * Checks the tests against the contract: every row of a table in docs/contract.md that a test file here cites is named by a
 * test. A file cites a section with a line such as `// docs/contract.md#pagination`. A row is named by its first cell, at the
 * beginning of a test's name or of a row of a table of tests, or as a field of an expected object; where first cells repeat, by the first two, joined by a colon.
 */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

/** Tables that must stay covered. */
const REQUIRED = [
  "document-object",
  "document-status",
  "canonical-document",
  "parties",
  "lines",
  "payments",
  "totals",
  "merchant-object",
  "connections",
  "connection-status",
  "events",
  "event-types",
  "error-object",
  "provider-calls",
  "request-log",
  "tax-number-lookup",
  "pagination",
  "limits",
  "identifiers",
  "error-codes",
];

/** Rows that other tests cover: the file, and a string in it. */
const TESTED_ELSEWHERE: Readonly<Record<string, Readonly<Record<string, readonly [string, string]>>>> = {
  "canonical-document": {
    taxes: ["test/server/taxes.test.ts", "taxes"],
    notes: ["test/server/taxes.test.ts", "notes"],
    due_date: ["test/server/taxes.test.ts", "due_date"],
    delivery_date: ["test/server/taxes.test.ts", "delivery_date"],
  },
  "document-object": {
    series: ["test/server/documents.test.ts", "series:"],
    number: ["test/server/documents.test.ts", "number:"],
    cancellation_mark: ["test/server/documents.test.ts", "cancellation_mark"],
    cancelled_at: ["test/issuing/foreign-changes.test.ts", "cancelled_at"],
    external_reference: ["test/spec/resources/document.ts", "external_reference"],
    metadata: ["test/server/documents.test.ts", "metadata"],
  },
  "error-codes": {
    invalid_state: ["test/spec/wire/errors.ts", "invalid_state"],
    regime_mismatch: ["test/spec/wire/errors.ts", "regime_mismatch"],
    provider_rejected: ["test/spec/resources/error-object.ts", "provider_rejected"],
    balance_exceeded: ["test/spec/resources/error-object.ts", "balance_exceeded"],
    provider_unavailable: ["test/spec/resources/error-object.ts", "provider_unavailable"],
    provider_credentials_invalid: ["test/spec/resources/error-object.ts", "provider_credentials_invalid"],
    pdf_not_ready: ["test/server/documents-pdf.test.ts", "pdf_not_ready"],
  },
  "event-types": {
    "document.cancelled": ["test/server/documents.test.ts", "document.cancelled"],
    "merchant.updated": ["test/server/merchants.test.ts", "merchant.updated"],
  },
  identifiers: {
    "webhook delivery": ["test/server/examples.test.ts", "whd"],
    mail: ["test/commands/documents/send.test.ts", "eml_"],
  },
  pagination: {
    limit: ["test/server/list-walks.test.ts", "LIMIT_DEFAULT"],
    starting_after: ["test/server/list-walks.test.ts", '"starting_after"'],
    ending_before: ["test/server/list-walks.test.ts", '"ending_before"'],
  },
  limits: {
    "Idempotency-Key": ["test/spec/wire/idempotency.ts", '"k".repeat(256)'],
    "Lines per document": ["test/spec/canonical/canonical-document.ts", "lines(1000)"],
    "Payments per document": ["test/spec/canonical/payments-totals.ts", "parts(11)"],
    "original_marks per document": ["test/spec/canonical/canonical-document.ts", "credit(1001)"],
    unit_price: ["test/spec/canonical/line.ts", "100_000_000_001"],
    "Net amount of a line": ["test/spec/canonical/line.ts", '"10000.001"'],
    "Payment amount": ["test/spec/canonical/payments-totals.ts", "GROSS_MAX + 1"],
    "Totals net, vat": ["test/spec/canonical/payments-totals.ts", '["vat", NET_MAX]'],
    "Total gross": ["test/spec/canonical/payments-totals.ts", '["gross", GROSS_MAX]'],
    quantity: ["test/spec/canonical/line.ts", '"999999999.999"'],
    Description: ["test/spec/canonical/line.ts", '"ώ".repeat(301)'],
    "Party name": ["test/spec/canonical/party.ts", 'expectLength(["name"], 200)'],
    "Street, city": ["test/spec/canonical/party.ts", '["city", 150]'],
    "Street number, postal code": ["test/spec/canonical/party.ts", '["postal_code", 20]'],
    "Tax number as sent": ["test/spec/canonical/party.ts", "padded(61)"],
    Branch: ["test/spec/canonical/party.ts", "10_000"],
    Metadata: ["test/spec/resources/merchant.ts", "pairs(51)"],
    provider_raw: ["test/spec/resources/error-object.ts", "bytes: 4097"],
    "Page size": ["test/server/list-walks.test.ts", "LIMIT_DEFAULT"],
    "Event type filter": ["test/spec/operations/endpoints-events.ts", "many(21)"],
    Timeline: ["test/spec/operations/states.ts", "toHaveLength(100)"],
    "Reuse of a lookup's result": ["test/tax-ids/lookup.test.ts", "24 * HOUR_MS - 1"],
    "Disconnected connection": ["test/upkeep/retention/retention.test.ts", "30 days after the disconnection"],
    "Connect session": ["test/server/connect-sessions.test.ts", "advance(30 * 60_000)"],
    "Webhook signature": ["test/webhooks/signature.test.ts", "300"],
    external_reference: ["test/server/console-new.test.ts", '["reference", 200]'],
    "series, number": ["test/domain/series.test.ts", '"x".repeat(21), false'],
    "Stored webhook response": ["test/webhooks/retrying.test.ts", '"α".repeat(2048)'],
    "Problems in a validation_failed": ["test/domain/canonical-document.test.ts", '"and 5 more"'],
  },
};

/** The cells of a table row, without backticks; undefined for any other line. */
function cellsOf(line: string): string[] | undefined {
  if (!line.startsWith("|")) return undefined;
  const cells = line.split("|").slice(1, -1);
  return cells.map((cell) => cell.trim().replaceAll("`", ""));
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** The names of the table rows under each heading of the contract, by anchor. */
function readContract(): Map<string, string[]> {
  const sections = new Map<string, string[][]>();
  let anchor = "";
  let before = "";
  for (const line of readFileSync(resolve(ROOT, "docs/contract.md"), "utf8").split("\n")) {
    const heading = /^#{1,6} (.*)$/.exec(line)?.[1];
    if (heading !== undefined) {
      anchor = anchorOf(heading);
      sections.set(anchor, []);
    }
    const cells = cellsOf(line);
    const isRule = cells?.every((cell) => /^:?-+:?$/.test(cell)) ?? false;
    // A table's first line names its columns; the separator line follows.
    if (cells !== undefined && !isRule && cellsOf(before) !== undefined) sections.get(anchor)?.push(cells);
    before = line;
  }
  return new Map([...sections].map(([name, rows]) => [name, namesOf(rows)]));
}

function namesOf(rows: readonly string[][]): string[] {
  return rows.map(([first = "", second = ""]) =>
    rows.filter(([other]) => other === first).length > 1 ? `${first}: ${second}` : first,
  );
}

/** The text of the test files that cite each anchor. */
function readTests(): Map<string, string> {
  const texts = new Map<string, string>();
  for (const file of readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .concat("../server/list-walks.test.ts")) {
    const text = readFileSync(resolve(import.meta.dirname, file), "utf8");
    for (const [, anchor = ""] of text.matchAll(/^\/\/ docs\/contract\.md#(\S+)$/gm))
      texts.set(anchor, `${texts.get(anchor) ?? ""}${text}`);
  }
  return texts;
}

/** Whether the name of a test, or a row of a table of tests, begins with `name`, or an expected object has it. */
function isNamed(name: string, text: string): boolean {
  const begins = "(?:\\btest\\(|\\)\\(|[\\[,]\\s*\\[)\\s*";
  const literal = name.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const isField = new RegExp(`[{,]\\s*${literal}(?:: |,)`).test(text);
  return isField || new RegExp(`${begins}(["'\`])${literal}(?:\\1|: )`).test(text);
}

/** Sections whose tables are tested as a whole, through the OpenAPI description or by behaviour. */
const WITHOUT_ROWS: ReadonlySet<string> = new Set(["statuses-by-operation", "wire-format", "request-ids"]);

const contract = readContract();
const texts = readTests();

describe("the contract", () => {
  test("has every cited section", () => {
    expect([...texts.keys()].filter((anchor) => !contract.has(anchor))).toEqual([]);
  });

  test.each(REQUIRED)("%s has a table and tests that cite it", (anchor) => {
    expect(contract.get(anchor)?.length).toBeGreaterThan(0);
    expect(texts.has(anchor)).toBe(true);
  });

  test.each([...texts].filter(([anchor]) => !WITHOUT_ROWS.has(anchor)))(
    "every row of %s is named by a test",
    (anchor, text) => {
      const elsewhere = TESTED_ELSEWHERE[anchor] ?? {};
      const rows = contract.get(anchor) ?? [];
      expect(rows.filter((row) => !isNamed(row, text) && elsewhere[row] === undefined)).toEqual([]);
      for (const [row, [file, needle]] of Object.entries(elsewhere))
        expect([row, readFileSync(resolve(ROOT, file), "utf8").includes(needle)]).toEqual([row, true]);
    },
  );
});
