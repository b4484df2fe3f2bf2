/** The outcome of a run: documents on stdout, errors and counts on stderr, every row in the report, and the exit code. */
import type { Appliance } from "../../../src/appliance.ts";
import { getDocuments } from "../../../src/documents/list-documents.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { type ErrorCode, listProblems, type Problem } from "../../../src/foundation/errors.ts";
import { textOfError, textsOfWarnings } from "../../../src/foundation/stored-texts.ts";
import { joinTexts, sameInBoth, type Text } from "../../../src/foundation/text.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import { EXIT, type ExitCode, exitOfErrorObject } from "../../exit.ts";
import { withCommand } from "../../next-steps.ts";
import { type Column, countText, moneyText } from "../../../src/operations/view.ts";
import type { Verdict } from "../../../src/intake/accept-items.ts";
import type { Report, ReportRow } from "./report.ts";
import type { RowProblem } from "../../../src/intake/table-header.ts";
import type { CommandContext } from "../../context.ts";
import { documentColumns } from "../../../src/operations/document-view.ts";
import { printNote, printProblem, type ProgramIo } from "../../io.ts";
import { printJsonList } from "../../ui/json.ts";
import { printTable } from "../../ui/table.ts";
import type { Batch } from "./run-batch.ts";

interface Outcome {
  verdict: Verdict;
  /** Its current state; null if it was not accepted. */
  document: DocumentObject | null;
  /** The same document was earlier in the files: it is reported again, but counted and shown once. */
  isRepeated: boolean;
}

/** Documents that are read together. */
const BLOCK_SIZE = 256;

/** Reads the current state of the documents, a block at a time and in order. */
async function* outcomesOf(
  appliance: Appliance,
  mode: Mode,
  verdicts: readonly Verdict[],
): AsyncGenerator<Outcome> {
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

export interface Tally {
  accepted: number;
  acceptedBefore: number;
  valid: number;
  refused: number;
  issued: number;
  rejected: number;
  failed: number;
  pending: number;
  /** The worst so far; see `worse`. */
  exitCode: ExitCode;
}

function createTally(): Tally {
  return {
    accepted: 0,
    acceptedBefore: 0,
    valid: 0,
    refused: 0,
    issued: 0,
    rejected: 0,
    failed: 0,
    pending: 0,
    exitCode: EXIT.done,
  };
}

/** Counts `outcome`. If the run `waited`, a document that is still pending counts as not delivered. */
function count(tally: Tally, { verdict, document, isRepeated }: Outcome, waited: boolean): void {
  if (verdict.outcome === "accepted_before") tally.acceptedBefore += 1;
  else tally[verdict.outcome] += 1;
  if (document !== null && !isRepeated) tally[document.status] += 1;
  if (verdict.outcome === "refused") tally.exitCode = worse(tally.exitCode, exitOfErrorObject(verdict.error));
  if (document?.status === "rejected") tally.exitCode = worse(tally.exitCode, EXIT.refused);
  if (document?.status === "failed") tally.exitCode = worse(tally.exitCode, EXIT.unavailable);
  if (document?.status === "pending" && waited) tally.exitCode = worse(tally.exitCode, EXIT.unavailable);
}

/** From worst to best: errors in the file, then refusals by the provider, then what a later run may deliver. */
const FROM_WORST: readonly ExitCode[] = [
  EXIT.usage,
  EXIT.notFound,
  EXIT.failure,
  EXIT.refused,
  EXIT.unavailable,
];

function worse(left: ExitCode, right: ExitCode): ExitCode {
  return FROM_WORST.find((code) => code === left || code === right) ?? EXIT.done;
}

/** `10 accepted, 2 already accepted before, 1 refused before sending: 11 issued, 1 rejected.` */
function summaryOf(tally: Tally): Text {
  const verdicts = joinTexts(
    SUMMARY.verdicts.flatMap((words) => countOf(tally, words)),
    ", ",
  );
  const states = joinTexts(
    SUMMARY.states.flatMap((words) => countOf(tally, words)),
    ", ",
  );
  if (verdicts.en === "") return { en: "No documents.", el: "Κανένα παραστατικό." };
  const parts = states.en === "" ? [verdicts] : [verdicts, states];
  return joinTexts([joinTexts(parts, ": "), sameInBoth(".")], "");
}

interface CountWords {
  of: Exclude<keyof Tally, "exitCode">;
  en: string;
  /** Greek for one and for several. */
  el: readonly [one: string, several: string];
}

const SUMMARY: Record<"verdicts" | "states", readonly CountWords[]> = {
  verdicts: [
    { of: "valid", en: "valid", el: ["σωστό", "σωστά"] },
    { of: "accepted", en: "accepted", el: ["δεκτό", "δεκτά"] },
    { of: "acceptedBefore", en: "already accepted before", el: ["δεκτό από πριν", "δεκτά από πριν"] },
    {
      of: "refused",
      en: "refused before sending",
      el: ["απορρίφθηκε πριν σταλεί", "απορρίφθηκαν πριν σταλούν"],
    },
  ],
  states: [
    { of: "issued", en: "issued", el: ["εκδόθηκε", "εκδόθηκαν"] },
    { of: "rejected", en: "rejected", el: ["απορρίφθηκε", "απορρίφθηκαν"] },
    { of: "failed", en: "failed", el: ["απέτυχε", "απέτυχαν"] },
    { of: "pending", en: "pending", el: ["εκκρεμεί", "εκκρεμούν"] },
  ],
};

/** Nothing for a count of zero. */
function countOf(tally: Tally, { of, en, el: [one, several] }: CountWords): Text[] {
  const number = tally[of];
  if (number === 0) return [];
  const text = countText(number);
  return [{ en: `${text.en} ${en}`, el: `${text.el} ${number === 1 ? one : several}` }];
}

/** The error that refused the document, or the one it ended with. */
interface OutcomeError {
  code: ErrorCode;
  text: Text;
  providerCode: string | null;
  providerMessage: string | null;
}

function errorOf({ verdict, document }: Outcome): OutcomeError | null {
  if (verdict.outcome === "refused") return verdict.error;
  const error = document?.error ?? null;
  if (error === null) return null;
  return {
    code: error.code,
    text: textOfError(error),
    providerCode: error.provider_code,
    providerMessage: error.provider_message,
  };
}

function reportRowOf(outcome: Outcome): ReportRow {
  const { verdict, document } = outcome;
  const error = errorOf(outcome);
  return {
    reference: verdict.reference,
    id: document?.id ?? null,
    status: document?.status ?? verdict.outcome,
    series: document?.series ?? null,
    number: document?.number ?? null,
    mark: document?.mark ?? null,
    error: error === null ? null : withCommand(describeError(verdict, withAllProblems(verdict, error))).en,
  };
}

/** An error's own text lists only the first problems. */
function withAllProblems(verdict: Verdict, error: OutcomeError): OutcomeError {
  const problems = verdict.outcome === "refused" ? verdict.error.problems : [];
  return problems.length === 0 ? error : { ...error, text: listProblems(problems) };
}

/** `documents.csv, line 12 (2026-003): validation_failed: …`, with the provider's own error in brackets if there is one. */
function describeError(verdict: Verdict, error: OutcomeError): Text {
  const { code, text, providerCode, providerMessage } = error;
  const reference = verdict.reference === null ? "" : ` (${verdict.reference})`;
  const place = joinTexts([verdict.place, sameInBoth(reference)], "");
  const provider = providerCode === null ? [] : [providerText(providerCode, providerMessage)];
  return joinTexts([place, sameInBoth(code), joinTexts([text, ...provider], " ")], ": ");
}

function providerText(code: string, message: string | null): Text {
  const words = message === null ? NO_MESSAGE : sameInBoth(message);
  return { en: `[${code}: ${words.en}]`, el: `[${code}: ${words.el}]` };
}

const NO_MESSAGE: Text = { en: "no message", el: "χωρίς μήνυμα" };

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
