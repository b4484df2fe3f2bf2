/** What a run shows: the documents on stdout, refusals and counts on stderr, every row in the report. */
import type { Appliance } from "../../../src/appliance.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import type { RowProblem } from "../../../src/intake/table-problem.ts";
import type { Problem } from "../../../src/foundation/errors.ts";
import { textOf } from "../../../src/foundation/text.ts";
import type { Mode } from "../../../storage/stored-values.ts";
import type { CommandContext } from "../../context.ts";
import { DOCUMENT_COLUMNS, formatAmount } from "../document-view.ts";
import { catalogueOf, type ProgramIo, tell, tellTrouble } from "../../io.ts";
import { printJsonList } from "../../ui/json.ts";
import { type Column, printTable } from "../../ui/table.ts";
import type { Verdict } from "./accept-batch.ts";
import {
  count,
  createTally,
  describeError,
  errorOf,
  type Outcome,
  outcomesOf,
  reportRowOf,
  summaryOf,
  type Tally,
} from "./batch-outcome.ts";
import type { Report } from "./report.ts";
import type { Batch } from "./run-batch.ts";

/** As many rows as a person still reads. Of more, the counts are shown; the rest is in `--json` and `--report`. */
const TABLE_ROWS_MAX = 40;
const ERRORS_SHOWN_MAX = 20;

export interface Presentation {
  batch: Batch;
  report: Report;
  /** Whether the run waited for its documents: one that is still pending is then a disappointment. */
  waited: boolean;
  /** What the run did was checking: verdicts are shown, valid or not. */
  dryRun?: boolean;
  columns?: readonly Column<DocumentObject>[];
}

/** Reads every document once, as it is now, and shows it wherever it belongs. Returns the counts. */
export async function presentBatch(
  context: CommandContext,
  appliance: Appliance,
  mode: Mode,
  presentation: Presentation,
): Promise<Tally> {
  const { io } = context;
  const { batch, report, waited } = presentation;
  const dryRun = presentation.dryRun === true;
  const tally = createTally();
  const errors = createErrorLines();
  const documents: DocumentObject[] = [];
  const verdicts: Verdict[] = [];
  async function* watched(): AsyncGenerator<Outcome> {
    for await (const outcome of outcomesOf(appliance, mode, batch.verdicts)) {
      count(tally, outcome, waited);
      errors.note(outcome);
      await report.add(reportRowOf(outcome));
      yield outcome;
    }
  }
  if (context.options.json === true) {
    await printJsonList(io.stdout, dryRun ? verdictsOf(watched()) : documentsOf(watched()), () => false);
  } else {
    for await (const { verdict, document, isRepeated } of watched()) {
      if (dryRun && verdicts.length <= TABLE_ROWS_MAX) verdicts.push(verdict);
      if (document !== null && !isRepeated && documents.length <= TABLE_ROWS_MAX) documents.push(document);
    }
    await printRows(io, presentation.columns ?? DOCUMENT_COLUMNS, documents);
    await printRows(io, VERDICT_COLUMNS, verdicts);
  }
  await report.finish();
  await errors.print(io);
  await tell(io, summaryOf(tally, catalogueOf(io)));
  return tally;
}

async function printRows<T>(io: ProgramIo, columns: readonly Column<T>[], rows: readonly T[]): Promise<void> {
  if (rows.length > TABLE_ROWS_MAX) {
    await tell(io, `More than ${TABLE_ROWS_MAX} documents are not printed: --report and --json have each.`);
  } else if (rows.length > 0) {
    await printTable(io, columns, rows);
  }
}

const VERDICT_COLUMNS: readonly Column<Verdict>[] = [
  { head: "place", value: ({ place }) => place },
  { head: "reference", value: ({ reference }) => reference ?? "-" },
  { head: "type", value: (verdict) => (verdict.outcome === "valid" ? verdict.check.type : "-") },
  {
    head: "gross",
    align: "right",
    value: (verdict) => (verdict.outcome === "valid" ? formatAmount(verdict.check.totals.gross) : "-"),
  },
  { head: "verdict", value: ({ outcome }) => (outcome === "valid" ? "valid" : "invalid") },
  {
    head: "warnings",
    align: "right",
    value: (verdict) =>
      verdict.outcome === "valid" ? String(verdict.check.classification.warnings.length) : "-",
  },
];

async function* documentsOf(outcomes: AsyncIterable<Outcome>): AsyncGenerator<DocumentObject> {
  for await (const { document, isRepeated } of outcomes) {
    if (document !== null && !isRepeated) yield document;
  }
}

async function* verdictsOf(outcomes: AsyncIterable<Outcome>): AsyncGenerator<unknown> {
  for await (const { verdict } of outcomes) {
    const { place, reference } = verdict;
    if (verdict.outcome === "valid")
      yield { object: "verdict", place, reference, valid: true, ...verdict.check, error: null, problems: [] };
    if (verdict.outcome === "refused") {
      const problems = verdict.problems.map(problemObject);
      yield { object: "verdict", place, reference, valid: false, error: verdict.error, problems };
    }
  }
}

/** A problem of a table tells its cell; one of a JSON body has its path alone. */
function problemObject(problem: Problem | RowProblem): object {
  const { path, message } = problem;
  const isPlaced = "row" in problem;
  return {
    path,
    row: isPlaced ? problem.row : null,
    column: isPlaced ? problem.column : null,
    message: textOf(message).en,
  };
}

/** The first errors, a line each, and how many more there were. */
function createErrorLines(): { note(outcome: Outcome): void; print(io: ProgramIo): Promise<void> } {
  const lines: string[] = [];
  let more = 0;
  return {
    note(outcome) {
      const error = errorOf(outcome);
      if (error === null || outcome.isRepeated) return;
      if (lines.length < ERRORS_SHOWN_MAX) lines.push(describeError(outcome.verdict, error));
      else more += 1;
    },
    async print(io) {
      for (const line of lines) await tellTrouble(io, line);
      if (more > 0) await tellTrouble(io, `… and ${more} more; --report writes them all.`);
    },
  };
}
