/** The outcome of a run: the state of each document, the counts and the exit code. */
import type { Appliance } from "../../../src/appliance.ts";
import { getDocuments } from "../../../src/documents/list-documents.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { type ErrorCode, listProblems } from "../../../src/foundation/errors.ts";
import { textOfError } from "../../../src/foundation/stored-texts.ts";
import { joinTexts, sameInBoth, type Text } from "../../../src/foundation/text.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import { EXIT, type ExitCode, exitOfErrorObject } from "../../exit.ts";
import { withCommand } from "../../next-steps.ts";
import { countText } from "../../../src/operations/view.ts";
import type { Verdict } from "../../../src/intake/accept-items.ts";
import type { ReportRow } from "./report-sheet.ts";

export interface Outcome {
  verdict: Verdict;
  /** Its current state; null if it was not accepted. */
  document: DocumentObject | null;
  /** The same document was earlier in the files: it is reported again, but counted and shown once. */
  isRepeated: boolean;
}

/** Documents that are read together. */
const BLOCK_SIZE = 256;

/** Reads the current state of the documents, a block at a time and in order. */
export async function* outcomesOf(
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

/** Counts `outcome`. If the run `waited`, a document that is still pending counts as not delivered. */
export function count(tally: Tally, { verdict, document, isRepeated }: Outcome, waited: boolean): void {
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
export function summaryOf(tally: Tally): Text {
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

export function errorOf({ verdict, document }: Outcome): OutcomeError | null {
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
    error: error === null ? null : withCommand(describeError(verdict, withAllProblems(verdict, error))).en,
  };
}

/** An error's own text lists only the first problems. */
function withAllProblems(verdict: Verdict, error: OutcomeError): OutcomeError {
  const problems = verdict.outcome === "refused" ? verdict.error.problems : [];
  return problems.length === 0 ? error : { ...error, text: listProblems(problems) };
}

/** `documents.csv, line 12 (2026-003): validation_failed: …`, with the provider's own error in brackets if there is one. */
export function describeError(verdict: Verdict, error: OutcomeError): Text {
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
