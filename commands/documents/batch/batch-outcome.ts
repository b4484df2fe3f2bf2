/** Presents a run: documents on stdout, warnings, errors and counts on stderr, and every row in the report. */
import type { Appliance } from "../../../src/appliance.ts";
import { getDocuments } from "../../../src/documents/list-documents.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import {
  type AppError,
  describeProblem,
  listProblems,
  type Problem,
} from "../../../src/foundation/errors.ts";
import { textOfError, textsOfWarnings } from "../../../src/foundation/stored-texts.ts";
import { joinTexts, sameInBoth, SEMICOLON, type Text } from "../../../src/foundation/text.ts";
import type { Verdict } from "../../../src/intake/accept-items.ts";
import type { RowProblem } from "../../../src/intake/table-header.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { type Column, countText, moneyText } from "../../../src/operations/view.ts";
import { documentColumns } from "../../../src/operations/document-view.ts";
import type { CommandContext } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { printNote, printProblem, type ProgramIo } from "../../io.ts";
import { withCommand } from "../../next-steps.ts";
import { printJsonList } from "../../ui/json.ts";
import { printTable } from "../../ui/table.ts";
import { warningLine } from "../document-view.ts";
import { count, type DocumentOutcome, summaryOf, type Tally } from "./batch-tally.ts";
import type { Report } from "./report.ts";
import type { Batch } from "./run-batch.ts";

/** Nobody reads a longer table. Larger runs print only the counts; `--json` and `--report` list every document. */
const TABLE_ROWS_MAX = 40;
const LINES_SHOWN_MAX = 20;

interface Presentation {
  batch: Batch;
  report: Report;
  /** Whether the run waited for its documents, so pending ones count as not delivered. */
  waited: boolean;
  /** Prints the results of the checks instead of documents. */
  dryRun?: boolean;
  /** False leaves them out. With `--json` they are only in the objects. */
  warns?: boolean;
  columns?: readonly Column<DocumentObject>[];
}

/** Reads each document's current state only once, for all outputs. Returns the counts. */
export async function presentBatch(
  context: CommandContext,
  appliance: Appliance,
  mode: Mode,
  { batch, report, waited, dryRun = false, warns = context.options.json !== true, columns }: Presentation,
): Promise<Tally> {
  const { io } = context;
  const tally: Tally = { counts: {}, exitCode: EXIT.done };
  const [warnings, errors] = [createLines(), createLines()];
  async function* recorded(): AsyncGenerator<DocumentOutcome> {
    for await (const outcome of outcomesOf(appliance, mode, batch.verdicts)) {
      count(tally, outcome, waited);
      if (!outcome.isRepeated) {
        if (warns) warnings.add(describeWarnings(outcome));
        errors.add(describeError(outcome));
      }
      await report.add(reportRowOf(outcome));
      yield outcome;
    }
  }
  if (context.options.json === true)
    await printJsonList(io, (dryRun ? verdictsOf : documentsOf)(recorded()), () => false);
  else {
    const documents: DocumentObject[] = [];
    const verdicts: Verdict[] = [];
    // One more than the table may show, which says that there are too many.
    for await (const { verdict, document, isRepeated } of recorded()) {
      if (dryRun && verdicts.length <= TABLE_ROWS_MAX) verdicts.push(verdict);
      if (document !== null && !isRepeated && documents.length <= TABLE_ROWS_MAX) documents.push(document);
    }
    await printRows(io, columns ?? (await documentColumns(appliance, documents)), documents);
    await printRows(io, VERDICT_COLUMNS, verdicts);
  }
  await report.finish();
  for (const line of warnings.shown) await printNote(io, line);
  if (warnings.others() > 0)
    await printNote(io, {
      en: `… and ${warnings.others()} more with warnings; use --json to list all of them.`,
      el: `… και άλλα ${warnings.others()} με προειδοποιήσεις· η --json τα γράφει όλα.`,
    });
  for (const line of errors.shown) await printProblem(io, line);
  if (errors.others() > 0)
    await printProblem(io, {
      en: `… and ${errors.others()} more; use --report to list all of them.`,
      el: `… και άλλα ${errors.others()}· η --report τα γράφει όλα.`,
    });
  await printNote(io, summaryOf(tally));
  return tally;
}

/** Builds and keeps the first lines, and counts the others. */
function createLines() {
  const shown: Text[] = [];
  let others = 0;
  return {
    shown,
    others: () => others,
    add(build: (() => Text) | undefined): void {
      if (build === undefined) return;
      if (shown.length < LINES_SHOWN_MAX) shown.push(build());
      else others += 1;
    },
  };
}

/** Documents that are read together. */
const BLOCK_SIZE = 256;

/** Reads the current state of the documents, a block at a time and in order. */
async function* outcomesOf(
  appliance: Appliance,
  mode: Mode,
  verdicts: readonly Verdict[],
): AsyncGenerator<DocumentOutcome> {
  const seen = new Set<string>();
  for (let start = 0; start < verdicts.length; start += BLOCK_SIZE) {
    const block = verdicts.slice(start, start + BLOCK_SIZE);
    const ids = block.flatMap((verdict) => ("id" in verdict ? [verdict.id] : []));
    const documents = await getDocuments(appliance, mode, ids);
    for (const verdict of block) {
      const document = "id" in verdict ? (documents.get(verdict.id) ?? null) : null;
      yield { verdict, document, isRepeated: document !== null && seen.has(document.id) };
      if (document !== null) seen.add(document.id);
    }
  }
}

function reportRowOf(outcome: DocumentOutcome) {
  const { verdict, document } = outcome;
  const error = describeError(outcome, listAllProblems)?.();
  return {
    reference: verdict.reference,
    id: document?.id ?? null,
    status: document?.status ?? verdict.outcome,
    series: document?.series ?? null,
    number: document?.number ?? null,
    mark: document?.mark ?? null,
    error: error === undefined ? null : withCommand(error).en,
  };
}

/** An error's own text lists only the first problems. */
function listAllProblems({ problems, text }: AppError): Text {
  return problems.length === 0 ? text : listProblems(problems);
}

/** What is wrong with the header of a table has a line for each problem. */
function textWithLines({ problems, text }: AppError): Text {
  const isOfHeader = problems.every((problem) => problem.place !== undefined && !("row" in problem));
  return isOfHeader && problems.length > 1 ? joinTexts(problems.map(describeProblem), NEXT_LINE) : text;
}

const NEXT_LINE: Text = sameInBoth("\n  ");

/**
 * Builds the error that refused the document, or the one it ended with; undefined without any:
 * `documents.csv, line 12 (2026-003): validation_failed: …`, with the provider's own error in brackets if there is one.
 */
function describeError(
  { verdict, document }: DocumentOutcome,
  textOfRefusal = textWithLines,
): (() => Text) | undefined {
  const error = verdict.outcome === "refused" ? verdict.error.toObject() : document?.error;
  if (error === undefined || error === null) return undefined;
  return () => {
    const text = verdict.outcome === "refused" ? textOfRefusal(verdict.error) : textOfError(error);
    const { code, provider_code: providerCode, provider_message: message } = error;
    const words = message === null ? NO_MESSAGE : sameInBoth(message);
    const provider =
      providerCode === null
        ? []
        : [{ en: `[${providerCode}: ${words.en}]`, el: `[${providerCode}: ${words.el}]` }];
    return joinTexts([placeOf(verdict), sameInBoth(code), joinTexts([text, ...provider], " ")], ": ");
  };
}

/** Builds those of a document that was accepted in this run, or checked: `documents.csv, line 12 (2026-003): warning: …`. */
function describeWarnings({ verdict, document }: DocumentOutcome): (() => Text) | undefined {
  const { outcome } = verdict;
  const object = outcome === "valid" ? verdict.check : outcome === "accepted" ? document : null;
  const warnings = object?.classification.warnings ?? [];
  if (warnings.length === 0) return undefined;
  return () =>
    joinTexts([placeOf(verdict), warningLine(joinTexts(textsOfWarnings(warnings), SEMICOLON))], ": ");
}

function placeOf({ place, reference }: Verdict): Text {
  return joinTexts([place, sameInBoth(reference === null ? "" : ` (${reference})`)], "");
}

const NO_MESSAGE: Text = { en: "no message", el: "χωρίς μήνυμα" };

async function printRows<T>(io: ProgramIo, columns: readonly Column<T>[], rows: readonly T[]): Promise<void> {
  if (rows.length > TABLE_ROWS_MAX)
    await printNote(io, {
      en: `The table is omitted for more than ${TABLE_ROWS_MAX} documents; use --report or --json to see all of them.`,
      el: `Πάνω από ${TABLE_ROWS_MAX} παραστατικά δεν τυπώνονται: τα έχουν όλα οι --report και --json.`,
    });
  else if (rows.length > 0) await printTable(io, columns, rows);
}

const VALID: Text = { en: "valid", el: "έγκυρο" };
const INVALID: Text = { en: "invalid", el: "μη έγκυρο" };

/** The value of a valid document. */
const ofValid =
  (value: (check: Extract<Verdict, { outcome: "valid" }>["check"]) => Text | string) => (verdict: Verdict) =>
    verdict.outcome === "valid" ? value(verdict.check) : "-";

const VERDICT_COLUMNS: readonly Column<Verdict>[] = [
  { head: { en: "place", el: "θέση" }, value: ({ place }) => place },
  { head: { en: "reference", el: "αναφορά" }, value: ({ reference }) => reference ?? "-" },
  { head: { en: "type", el: "τύπος" }, leaveOut: 2, value: ofValid(({ type }) => type) },
  {
    head: { en: "gross", el: "σύνολο" },
    align: "right",
    value: ofValid(({ totals }) => moneyText(totals.gross)),
  },
  {
    head: { en: "verdict", el: "έλεγχος" },
    value: ({ outcome }) => (outcome === "valid" ? VALID : INVALID),
  },
  {
    head: { en: "warnings", el: "προειδοποιήσεις" },
    leaveOut: 1,
    align: "right",
    value: ofValid(({ classification }) => countText(textsOfWarnings(classification.warnings).length)),
  },
];

async function* documentsOf(outcomes: AsyncIterable<DocumentOutcome>): AsyncGenerator<DocumentObject> {
  for await (const { document, isRepeated } of outcomes) {
    if (document !== null && !isRepeated) yield document;
  }
}

/** Of a dry run. */
export const VERDICT_FIELDS =
  "object place reference valid provider type totals classification error problems".split(" ");

async function* verdictsOf(outcomes: AsyncIterable<DocumentOutcome>): AsyncGenerator<unknown> {
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
  const { row = null, column = null } = problem as Partial<RowProblem>;
  return { path: problem.path, row, column, message: problem.message.en };
}
