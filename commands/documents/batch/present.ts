/** Prints the outcome of a batch: documents to stdout, errors and counts to stderr, and every row to the report. */
import { textsOfWarnings } from "../../../src/foundation/stored-texts.ts";
import type { Appliance } from "../../../src/appliance.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import type { RowProblem } from "../../../src/intake/table-header.ts";
import type { Problem } from "../../../src/foundation/errors.ts";
import type { Text } from "../../../src/foundation/text.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import type { CommandContext } from "../../context.ts";
import { documentColumns } from "../../../src/operations/document-view.ts";
import { type ProgramIo, printNote, printProblem } from "../../io.ts";
import { printJsonList } from "../../ui/json.ts";
import { type Column, countText, moneyText } from "../../../src/operations/view.ts";
import { printTable } from "../../ui/table.ts";
import type { Verdict } from "../../../src/intake/accept-items.ts";
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

/** Nobody reads a longer table. Larger runs print only the counts; `--json` and `--report` list every document. */
const TABLE_ROWS_MAX = 40;
const ERRORS_SHOWN_MAX = 20;

export interface Presentation {
  batch: Batch;
  report: Report;
  /** Whether the run waited for its documents, so pending ones count as not delivered. */
  waited: boolean;
  /** Prints the results of the checks instead of documents. */
  dryRun?: boolean;
  columns?: readonly Column<DocumentObject>[];
}

/** Reads each document's current state only once, for all outputs. Returns the counts. */
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
  async function* recordOutcomes(): AsyncGenerator<Outcome> {
    for await (const outcome of outcomesOf(appliance, mode, batch.verdicts)) {
      count(tally, outcome, waited);
      errors.add(outcome);
      await report.add(reportRowOf(outcome));
      yield outcome;
    }
  }
  if (context.options.json === true) {
    await printJsonList(
      io,
      dryRun ? verdictsOf(recordOutcomes()) : documentsOf(recordOutcomes()),
      () => false,
    );
  } else {
    for await (const { verdict, document, isRepeated } of recordOutcomes()) {
      if (dryRun && verdicts.length <= TABLE_ROWS_MAX) verdicts.push(verdict);
      if (document !== null && !isRepeated && documents.length <= TABLE_ROWS_MAX) documents.push(document);
    }
    await printRows(io, presentation.columns ?? (await documentColumns(appliance, documents)), documents);
    await printRows(io, VERDICT_COLUMNS, verdicts);
  }
  await report.finish();
  await errors.print(io);
  await printNote(io, summaryOf(tally));
  return tally;
}

async function printRows<T>(io: ProgramIo, columns: readonly Column<T>[], rows: readonly T[]): Promise<void> {
  if (rows.length > TABLE_ROWS_MAX) {
    await printNote(io, {
      en: `The table is omitted for more than ${TABLE_ROWS_MAX} documents; use --report or --json to see all of them.`,
      el: `Πάνω από ${TABLE_ROWS_MAX} παραστατικά δεν τυπώνονται: τα έχουν όλα οι --report και --json.`,
    });
  } else if (rows.length > 0) {
    await printTable(io, columns, rows);
  }
}

const VALIDITY: readonly [valid: Text, invalid: Text] = [
  { en: "valid", el: "έγκυρο" },
  { en: "invalid", el: "μη έγκυρο" },
];

const VERDICT_COLUMNS: readonly Column<Verdict>[] = [
  { head: { en: "place", el: "θέση" }, value: ({ place }) => place },
  { head: { en: "reference", el: "αναφορά" }, value: ({ reference }) => reference ?? "-" },
  {
    head: { en: "type", el: "τύπος" },
    leaveOut: 2,
    value: (verdict) => (verdict.outcome === "valid" ? verdict.check.type : "-"),
  },
  {
    head: { en: "gross", el: "σύνολο" },
    align: "right",
    value: (verdict) => (verdict.outcome === "valid" ? moneyText(verdict.check.totals.gross) : "-"),
  },
  { head: { en: "verdict", el: "έλεγχος" }, value: ({ outcome }) => VALIDITY[outcome === "valid" ? 0 : 1] },
  {
    head: { en: "warnings", el: "προειδοποιήσεις" },
    leaveOut: 1,
    align: "right",
    value: (verdict) =>
      verdict.outcome === "valid"
        ? countText(textsOfWarnings(verdict.check.classification.warnings).length)
        : "-",
  },
];

async function* documentsOf(outcomes: AsyncIterable<Outcome>): AsyncGenerator<DocumentObject> {
  for await (const { document, isRepeated } of outcomes) {
    if (document !== null && !isRepeated) yield document;
  }
}

async function* verdictsOf(outcomes: AsyncIterable<Outcome>): AsyncGenerator<unknown> {
  for await (const { verdict } of outcomes) {
    const { reference } = verdict;
    const place = verdict.place.en;
    if (verdict.outcome === "valid")
      yield { object: "verdict", place, reference, valid: true, ...verdict.check, error: null, problems: [] };
    if (verdict.outcome === "refused") {
      const problems = verdict.error.problems.map(problemObject);
      const error = verdict.error.toObject();
      yield { object: "verdict", place, reference, valid: false, error, problems };
    }
  }
}

/** A problem of a table has its cell; one of a JSON body has only its path. */
function problemObject(problem: Problem | RowProblem): object {
  const { path, message } = problem;
  const isPlaced = "row" in problem;
  return {
    path,
    row: isPlaced ? problem.row : null,
    column: isPlaced ? problem.column : null,
    message: message.en,
  };
}

/** Prints the first errors, one per line, and the number of the others. */
function createErrorLines(): { add(outcome: Outcome): void; print(io: ProgramIo): Promise<void> } {
  const lines: Text[] = [];
  let more = 0;
  return {
    add(outcome) {
      const error = errorOf(outcome);
      if (error === null || outcome.isRepeated) return;
      if (lines.length < ERRORS_SHOWN_MAX) lines.push(describeError(outcome.verdict, error));
      else more += 1;
    },
    async print(io) {
      for (const line of lines) await printProblem(io, line);
      if (more > 0)
        await printProblem(io, {
          en: `… and ${more} more; use --report to list all of them.`,
          el: `… και άλλα ${more}· η --report τα γράφει όλα.`,
        });
    },
  };
}
