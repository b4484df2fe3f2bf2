/** Prints a comparison: a table or JSON on stdout, and what was not compared on stderr. */
import type { NotCompared, Reconciliation } from "../../../src/books/reconcile/reconcile.ts";
import type { Difference, DifferenceKind } from "../../../src/domain/difference.ts";
import type { Text } from "../../../src/foundation/text.ts";
import type { CommandContext } from "../../context.ts";
import { printLine, printNote, printProblem } from "../../io.ts";
import type { Sheet } from "../../reports/report-file.ts";
import { printJson } from "../../ui/json.ts";
import { type Column, printTable } from "../../ui/table.ts";
import { countText, dayText } from "../../ui/values.ts";

const KINDS: Readonly<Record<DifferenceKind, Text>> = {
  missing_here: { en: "missing here", el: "λείπει εδώ" },
  missing_there: { en: "missing there", el: "λείπει εκεί" },
  doubled: { en: "doubled", el: "διπλό" },
  cancelled_there: { en: "cancelled there", el: "ακυρώθηκε εκεί" },
  cancelled_here: { en: "cancelled here", el: "ακυρώθηκε εδώ" },
  differs: { en: "differs", el: "διαφέρει" },
};

const COLUMNS: readonly Column<Difference>[] = [
  { head: { en: "difference", el: "διαφορά" }, wraps: true, value: ({ kind }) => KINDS[kind] },
  { head: { en: "document", el: "παραστατικό" }, wraps: true, value: ({ document }) => document ?? "-" },
  { head: { en: "MARK", el: "ΜΑΡΚ" }, wraps: true, value: ({ mark }) => mark ?? "-" },
  { head: { en: "detail", el: "λεπτομέρειες" }, wraps: true, value: ({ detail }) => detail },
];

export async function printReconciliation(
  context: CommandContext,
  { from, through }: { from: string; through: string },
  { differences, compared }: Reconciliation,
): Promise<void> {
  const { io, options } = context;
  if (options.json === true)
    return printJson(io.stdout, {
      from,
      to: through,
      differences: differences.map(({ kind, document, mark, uid, detail }) => ({
        kind,
        document,
        mark,
        uid,
        detail: detail.en,
      })),
      compared,
    });
  if (differences.length > 0) await printTable(io, COLUMNS, differences);
  const [count, found] = [countText(compared), countText(differences.length)];
  await printLine(io, {
    en: `compared: ${count.en} documents, differences: ${found.en}`,
    el: `συγκρίθηκαν: ${count.el} παραστατικά, διαφορές: ${found.el}`,
  });
}

export function sheetOf({ differences }: Reconciliation): Sheet {
  return {
    name: "differences",
    heads: ["kind", "document", "mark", "uid", "detail"],
    rows: differences.map(({ kind, document, mark, uid, detail }) => [kind, document, mark, uid, detail.en]),
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
  return {
    en: `Not compared: ${merchant}, ${provider}, ${start.en} to ${end.en}: ${message.en}`,
    el: `Δεν συγκρίθηκαν: ${merchant}, ${provider}, ${start.el} έως ${end.el}: ${message.el}`,
  };
}
