/** `fiscal documents reconcile`: compares a period with what the authority or the provider has. */
import type { NotCompared, Reconciliation } from "../../src/books/reconcile/reconcile.ts";
import { joinTexts, sameInBoth, type Text } from "../../src/foundation/text.ts";
import { YES } from "../confirmation.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode, InterruptedError, UsageError } from "../exit.ts";
import { outputSettingsOf, printLine, printNote, printProblem } from "../io.ts";
import { PERIOD, readIssueDates } from "../common-flags.ts";
import { MERCHANT_FILTER, merchantIdOf } from "../merchants/find-merchant.ts";
import { pacingFor } from "./waiting.ts";
import { REPORT_FILE, startReportFile } from "../reports/report-file.ts";
import { withProgress } from "../ui/progress.ts";
import { requireYes } from "../ui/prompt.ts";
import { settleDifferences } from "./reconcile/settle-differences.ts";
import { verb } from "../define.ts";
import { providerName } from "../../src/domain/document-codes.ts";
import type { Difference, DifferenceKind } from "../../src/domain/difference.ts";
import type { Sheet } from "../../src/books/report-sheets.ts";
import { withCommand } from "../next-steps.ts";
import { printJson } from "../ui/json.ts";
import { type Column, countText, dayText } from "../../src/operations/view.ts";
import { printTable } from "../ui/table.ts";

const NOTES: Text = {
  en: `Differences: missing_here (the provider has it), missing_there (the provider does not), doubled, cancelled_there,
cancelled_here, differs. Nothing is changed without --adopt or --cancel-surplus.
It exits with 0 if there is no difference, with 4 if there is any, and with 5 if a list could not be read: run it again,
it continues where it stopped.`,
  el: `Διαφορές: missing_here (το έχει ο πάροχος), missing_there (δεν το έχει), doubled (διπλό), cancelled_there (ακυρώθηκε
εκεί), cancelled_here (ακυρώθηκε εδώ), differs (διαφέρει). Τίποτα δεν αλλάζει χωρίς --adopt ή --cancel-surplus.
Κωδικός εξόδου: 0 χωρίς διαφορές, 4 με διαφορές, 5 αν κάποιος κατάλογος δεν διαβάστηκε· δοκιμάστε τότε ξανά την ίδια
εντολή, συνεχίζει από εκεί που σταμάτησε.`,
};

export const defineReconcile = verb({
  flags: {
    ...PERIOD,
    ...MERCHANT_FILTER,
    "--adopt": {
      en: "take over MARKs that the provider has for failed or reconciling documents; asks first",
      el: "παίρνει τα ΜΑΡΚ που έχει ο πάροχος για όσα απέτυχαν ή είναι σε reconciling· ρωτά πρώτα",
    },
    "--cancel-surplus": {
      en: "cancel MARKs below the highest one of the same document; asks first",
      el: "ακυρώνει τα ΜΑΡΚ κάτω από το μεγαλύτερο του ίδιου παραστατικού· ρωτά πρώτα",
    },
    ...REPORT_FILE,
    ...YES,
  },
  notes: NOTES,
  examples: [
    "fiscal documents reconcile --from 2025-10-01 --to 2025-10-31",
    "fiscal documents reconcile --from 2025-10-01 --to 2025-10-31 --output october.xlsx",
    "fiscal documents reconcile --from 2025-10-01 --to 2025-10-31 --adopt --yes",
  ],
  fields: ["from", "to", "differences", "compared"],
  async run(context, flags) {
    const dates = readIssueDates(flags);
    // Before anything is read: a question could not be asked afterwards.
    if (flags.adopt === true || flags.cancelSurplus === true) requireYes(context.io, flags.yes);
    else if (flags.yes === true)
      throw new UsageError({
        en: "--yes belongs to --adopt or --cancel-surplus",
        el: "η --yes πηγαίνει με --adopt ή --cancel-surplus",
      });
    return context.interruptible(async (appliance, mode, signal) => {
      const merchantId = await merchantIdOf(appliance, flags.merchant);
      await using file = await startReportFile(context, flags.output);
      const { reconcile } = await import("../../src/books/reconcile/reconcile.ts");
      const period = { mode, merchantId, ...dates };
      const label = { en: "comparing", el: "σύγκριση" };
      const result = await withProgress(context.io, label, ({ update: onProgress }) =>
        reconcile(appliance, { ...period, ...pacingFor(context.io, signal), onProgress }),
      );
      if (file === undefined) await printReconciliation(context, dates, result);
      else {
        await file.write(appliance, [sheetOf(context, result)]);
        await printNote(context.io, summaryOf(result));
      }
      await printNotCompared(context, result);
      if (signal.aborted) throw interrupted();
      await settleDifferences(context, appliance, { mode, flags, result, signal });
      return exitOf(result);
    });
  },
});

function interrupted(): InterruptedError {
  return new InterruptedError({
    en: "interrupted; within an hour, the same command continues with what is still to be read",
    el: "διακόπηκε· μέσα σε μία ώρα η ίδια εντολή συνεχίζει με όσα δεν διαβάστηκαν ακόμη",
  });
}

/** What could not be read comes before what differs: an accountant must not take the rest for compared. */
function exitOf({ differences, notCompared }: Reconciliation): ExitCode {
  const reasons = new Set(notCompared.map(({ reason }) => reason));
  if (reasons.has("unavailable")) return EXIT.unavailable;
  if (reasons.has("refused") || reasons.has("disconnected") || differences.length > 0) return EXIT.refused;
  return reasons.has("no_list") ? EXIT.failure : EXIT.done;
}

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

async function printReconciliation(
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

function summaryOf({ differences, compared }: Pick<Reconciliation, "differences" | "compared">): Text {
  const [count, found] = [countText(compared), countText(differences.length)];
  return {
    en: `documents compared: ${count.en}, differences: ${found.en}`,
    el: `παραστατικά που συγκρίθηκαν: ${count.el}, διαφορές: ${found.el}`,
  };
}

function sheetOf({ io }: CommandContext, { differences }: Reconciliation): Sheet {
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
async function printNotCompared({ io }: CommandContext, { notCompared }: Reconciliation): Promise<void> {
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
