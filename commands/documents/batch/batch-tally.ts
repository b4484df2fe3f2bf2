/** Counts what became of the documents of a run, sums the counts up in a sentence, and finds the exit code. */
import type { Verdict } from "../../../src/intake/accept-items.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { joinTexts, sameInBoth, type Text } from "../../../src/foundation/text.ts";
import { countText } from "../../../src/operations/view.ts";
import { EXIT, type ExitCode, exitOfDocument, exitOfErrorObject } from "../../exit.ts";

export interface DocumentOutcome {
  verdict: Verdict;
  /** Its current state; null if it was not accepted. */
  document: DocumentObject | null;
  /** The same document was earlier in the files: it is reported again, but counted and shown once. */
  isRepeated: boolean;
}

export interface Tally {
  /** By the outcomes of verdicts and the statuses of documents; none is 0. */
  counts: Partial<Record<Verdict["outcome"] | DocumentObject["status"], number>>;
  /** The worst so far; see `worse`. */
  exitCode: ExitCode;
}

/** Counts `outcome`. If the run `waited`, a document that is still pending counts as not delivered. */
export function count(
  tally: Tally,
  { verdict, document, isRepeated }: DocumentOutcome,
  waited: boolean,
): void {
  const { counts } = tally;
  counts[verdict.outcome] = (counts[verdict.outcome] ?? 0) + 1;
  if (verdict.outcome === "refused") tally.exitCode = worse(tally.exitCode, exitOfErrorObject(verdict.error));
  if (document === null) return;
  if (!isRepeated) counts[document.status] = (counts[document.status] ?? 0) + 1;
  tally.exitCode = worse(tally.exitCode, exitOfDocument(document, waited));
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
export function summaryOf({ counts }: Tally): Text {
  const [verdicts, states] = [OUTCOMES, STATES].map((words) =>
    joinTexts(
      words.flatMap(([of, en, one, several]) => {
        const number = counts[of] ?? 0;
        const text = countText(number);
        return number === 0
          ? []
          : [{ en: `${text.en} ${en}`, el: `${text.el} ${number === 1 ? one : several}` }];
      }),
      ", ",
    ),
  ) as [Text, Text];
  if (verdicts.en === "") return { en: "No documents.", el: "Κανένα παραστατικό." };
  const parts = states.en === "" ? [verdicts] : [verdicts, states];
  return joinTexts([joinTexts(parts, ": "), sameInBoth(".")], "");
}

/** The words of a count: in English, and in Greek for one and for several. */
type CountWords = readonly [of: keyof Tally["counts"], en: string, one: string, several: string];

const OUTCOMES: readonly CountWords[] = [
  ["valid", "valid", "σωστό", "σωστά"],
  ["accepted", "accepted", "δεκτό", "δεκτά"],
  ["accepted_before", "already accepted before", "δεκτό από πριν", "δεκτά από πριν"],
  ["refused", "refused before sending", "απορρίφθηκε πριν σταλεί", "απορρίφθηκαν πριν σταλούν"],
];

const STATES: readonly CountWords[] = [
  ["issued", "issued", "εκδόθηκε", "εκδόθηκαν"],
  ["rejected", "rejected", "απορρίφθηκε", "απορρίφθηκαν"],
  ["failed", "failed", "απέτυχε", "απέτυχαν"],
  ["pending", "pending", "εκκρεμεί", "εκκρεμούν"],
];
