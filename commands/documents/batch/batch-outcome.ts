/** How a run ended: the state of each document, the counts, and the exit code. */
import type { Appliance } from "../../../src/appliance.ts";
import { getDocument } from "../../../src/documents/list-documents.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { type ErrorObject, listProblems } from "../../../src/foundation/errors.ts";
import type { Mode } from "../../../storage/stored-values.ts";
import { EXIT, type ExitCode, exitOfErrorObject } from "../../exit.ts";
import { ENGLISH, type Catalogue } from "../../language/language.ts";
import type { Verdict } from "./accept-batch.ts";
import type { ReportRow } from "./report-sheet.ts";

export interface Outcome {
  verdict: Verdict;
  /** As it is now; null where none was accepted. */
  document: DocumentObject | null;
  /** The same document stood in the files before: it is reported again, and counted and shown once. */
  isRepeated: boolean;
}

/** Reads the documents of `verdicts` as they are now, one at a time, in their order. */
export async function* outcomesOf(
  appliance: Appliance,
  mode: Mode,
  verdicts: readonly Verdict[],
): AsyncGenerator<Outcome> {
  const seen = new Set<string>();
  for (const verdict of verdicts) {
    const document = "id" in verdict ? await getDocument(appliance, mode, verdict.id) : null;
    yield { verdict, document, isRepeated: document !== null && seen.has(document.id) };
    if (document !== null) seen.add(document.id);
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
  /** The worst that was met; see `worse`. */
  exitCode: ExitCode;
}

export function createTally(): Tally {
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

/** Counts `outcome`. `waited` tells whether a document that is still pending is a disappointment. */
export function count(tally: Tally, { verdict, document, isRepeated }: Outcome, waited: boolean): void {
  if (verdict.outcome === "accepted_before") tally.acceptedBefore += 1;
  else tally[verdict.outcome] += 1;
  if (document !== null && !isRepeated) tally[document.status] += 1;
  if (verdict.outcome === "refused") tally.exitCode = worse(tally.exitCode, exitOfErrorObject(verdict.error));
  if (document?.status === "rejected") tally.exitCode = worse(tally.exitCode, EXIT.refused);
  if (document?.status === "failed") tally.exitCode = worse(tally.exitCode, EXIT.unavailable);
  if (document?.status === "pending" && waited) tally.exitCode = worse(tally.exitCode, EXIT.unavailable);
}

/**
 * From worst to best. What the person must mend in the file comes first, then what the provider refused, then what a
 * later try may bring.
 */
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

/** In the language of the reader: `10 accepted, 2 already accepted before, 1 refused before sending: 11 issued, 1 rejected.` */
export function summaryOf(tally: Tally, { text } = ENGLISH): string {
  const said = wordsOf(text, [
    [tally.valid, `${tally.valid} valid`],
    [tally.accepted, `${tally.accepted} accepted`],
    [tally.acceptedBefore, `${tally.acceptedBefore} already accepted before`],
    [tally.refused, `${tally.refused} refused before sending`],
  ]);
  const became = wordsOf(text, [
    [tally.issued, `${tally.issued} issued`],
    [tally.rejected, `${tally.rejected} rejected`],
    [tally.failed, `${tally.failed} failed`],
    [tally.pending, `${tally.pending} pending`],
  ]);
  if (said === "") return "No documents.";
  return became === "" ? `${said}.` : `${said}: ${became}.`;
}

function wordsOf(text: Catalogue["text"], counts: readonly (readonly [number, string])[]): string {
  return counts
    .filter(([number]) => number > 0)
    .map(([, words]) => text(words))
    .join(", ");
}

/** The error that stands against the document: that of accepting, or the one it ended with. */
export function errorOf({ verdict, document }: Outcome): ErrorObject | null {
  return verdict.outcome === "refused" ? verdict.error : (document?.error ?? null);
}

export function reportRowOf(outcome: Outcome): ReportRow {
  const { verdict, document } = outcome;
  const error = errorOf(outcome);
  return {
    reference: verdict.reference,
    id: document?.id ?? null,
    status: document?.status ?? verdict.outcome,
    series: document?.series ?? null,
    number: document?.number ?? null,
    mark: document?.mark ?? null,
    error: error === null ? null : describeError(verdict, withAllProblems(verdict, error)),
  };
}

/** An error lists the first problems only. */
function withAllProblems(verdict: Verdict, error: ErrorObject): ErrorObject {
  const problems = verdict.outcome === "refused" ? verdict.problems : [];
  return problems.length === 0 ? error : { ...error, message: listProblems(problems).en };
}

/** `documents.csv, line 12 (2026-003): validation_failed: …`, with the provider's own code where there is one. */
export function describeError(verdict: Verdict, error: ErrorObject): string {
  const reference = verdict.reference === null ? "" : ` (${verdict.reference})`;
  const provider =
    error.provider_code === null
      ? ""
      : ` [${error.provider_code}: ${error.provider_message ?? "no message"}]`;
  return `${verdict.place}${reference}: ${error.code}: ${error.message}${provider}`;
}
