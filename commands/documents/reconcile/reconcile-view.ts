/** Prints a comparison: a table or JSON on stdout, and what was not compared on stderr. */
import { providerName } from "../../../src/domain/document-codes.ts";
import type { NotCompared, Reconciliation } from "../../../src/books/reconcile/reconcile.ts";
import type { Difference, DifferenceKind } from "../../../src/domain/difference.ts";
import { joinTexts, sameInBoth, type Text } from "../../../src/foundation/text.ts";
import type { CommandContext } from "../../context.ts";
import { outputSettingsOf, printLine, printNote, printProblem } from "../../io.ts";
import type { Sheet } from "../../../src/books/report-sheets.ts";
import { withCommand } from "../../next-steps.ts";
import { printJson } from "../../ui/json.ts";
import { type Column, countText, dayText } from "../../../src/operations/view.ts";
import { printTable } from "../../ui/table.ts";

const KINDS: Readonly<Record<DifferenceKind, Text>> = {
  missing_here: { en: "missing here", el: "λείπει εδώ" },
  missing_there: { en: "missing there", el: "λείπει εκεί" },
  doubled: { en: "doubled", el: "διπλό" },
  cancelled_there: { en: "cancelled there", el: "ακυρώθηκε εκεί" },
  cancelled_here: { en: "cancelled here", el: "ακυρώθηκε εδώ" },
  differs: { en: "differs", el: "διαφέρει" },
};

const COLUMNS: readonly Column<Difference>[] = [
  { head: { en: "difference", el: "διαφορά" }, value: ({ kind }) => KINDS[kind] },
  { head: { en: "MARK", el: "ΜΑΡΚ" }, value: ({ mark }) => mark ?? "-" },
  { head: { en: "detail", el: "λεπτομέρειες" }, wraps: true, value: describeDifference },
];

/** With the document's id at the end, which is too long for a column of its own. */
function describeDifference({ detail, document }: Difference): Text {
  const id = document === null ? "" : ` [${document}]`;
  return joinTexts([withCommand(detail), sameInBoth(id)], "");
}

export async function printReconciliation(
  context: CommandContext,
  { from, through }: { from: string; through: string },
  { differences, compared }: Reconciliation,
): Promise<void> {
  const { io, options } = context;
  if (options.json === true)
    return printJson(io, {
      from,
      to: through,
      differences: differences.map(({ kind, document, mark, uid, detail }) => ({
        kind,
        document,
        mark,
        uid,
        detail: withCommand(detail).en,
      })),
      compared,
    });
  if (differences.length > 0) await printTable(io, COLUMNS, differences);
  await printLine(io, summaryOf({ differences, compared }));
  if (compared === 0)
    await printNote(io, {
      en: "There is no document in this period, neither here nor at a provider that was asked.",
      el: "Δεν υπάρχει παραστατικό σε αυτό το διάστημα, ούτε εδώ ούτε σε πάροχο που ερωτήθηκε.",
    });
}

export function summaryOf({ differences, compared }: Pick<Reconciliation, "differences" | "compared">): Text {
  const [count, found] = [countText(compared), countText(differences.length)];
  return {
    en: `documents compared: ${count.en}, differences: ${found.en}`,
    el: `παραστατικά που συγκρίθηκαν: ${count.el}, διαφορές: ${found.el}`,
  };
}

export function sheetOf({ io }: CommandContext, { differences }: Reconciliation): Sheet {
  const { language } = outputSettingsOf(io);
  return {
    name: "differences",
    heads: ["kind", "document", "mark", "uid", "detail"],
    rows: differences.map(({ kind, document, mark, uid, detail }) => [
      language === "el" ? KINDS[kind].el : kind,
      document,
      mark,
      uid,
      withCommand(detail)[language],
    ]),
  };
}

/** The parts of the period that were not compared. */
export async function printNotCompared(
  { io }: CommandContext,
  { notCompared }: Reconciliation,
): Promise<void> {
  for (const part of notCompared) await printProblem(io, describePart(part));
  if (notCompared.some(({ reason }) => reason === "unavailable"))
    await printNote(io, {
      en: "The rest was compared. Run the same command again: within an hour it does not ask again for what it has read.",
      el: "Τα υπόλοιπα συγκρίθηκαν. Δοκιμάστε ξανά την ίδια εντολή: μέσα σε μία ώρα δεν ζητά ξανά όσα έχει διαβάσει.",
    });
}

function describePart({ merchant, provider, from, through, message }: NotCompared): Text {
  const [start, end] = [dayText(from), dayText(through)];
  const part = {
    en: `Not compared: ${merchant}, ${providerName(provider)}, ${start.en} to ${end.en}`,
    el: `Δεν συγκρίθηκαν: ${merchant}, ${providerName(provider)}, ${start.el} έως ${end.el}`,
  };
  return joinTexts([part, message], ": ");
}
