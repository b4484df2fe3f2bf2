/** `fiscal documents reconcile`: compares a period with what the authority or the provider has. */
import type { Appliance } from "../../src/appliance.ts";
import type { Reconciliation } from "../../src/books/reconcile/reconcile.ts";
import type { Text } from "../../src/foundation/text.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import { type YesOption, YES } from "../confirmation.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode, InterruptedError, UsageError } from "../exit.ts";
import { type Interrupt, listenForInterrupt, printNote } from "../io.ts";
import { PERIOD, type PeriodOptions, readIssueDates } from "../common-flags.ts";
import { type MerchantOption, merchantIdOf, MERCHANT_FILTER } from "../merchants/find-merchant.ts";
import { pacingFor } from "../pacing.ts";
import { type ReportFile, startReportFile } from "../reports/report-file.ts";
import { startProgress } from "../ui/progress.ts";
import { canPrompt } from "../ui/prompt.ts";
import { settleDifferences } from "./reconcile/settle-differences.ts";
import { printNotCompared, printReconciliation, sheetOf, summaryOf } from "./reconcile/reconcile-view.ts";
import { verb } from "../define.ts";

interface ReconcileFlags extends MerchantOption, PeriodOptions, YesOption {
  output?: string;
  adopt?: boolean;
  cancelSurplus?: boolean;
}

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
    "--output <file>": {
      en: "write a .csv or .xlsx file instead of a table",
      el: "γράφει αρχείο .csv ή .xlsx αντί για πίνακα",
    },
    ...YES,
  },
  notes: NOTES,
  examples: [
    "fiscal documents reconcile --from 2025-10-01 --to 2025-10-31",
    "fiscal documents reconcile --from 2025-10-01 --to 2025-10-31 --output october.xlsx",
    "fiscal documents reconcile --from 2025-10-01 --to 2025-10-31 --adopt --yes",
  ],
  run: reconcileDocuments,
});

async function reconcileDocuments(context: CommandContext, flags: ReconcileFlags): Promise<ExitCode> {
  const dates = readIssueDates(flags);
  refuseSilentChange(context, flags);
  const interrupt = listenForInterrupt(context.io);
  try {
    return await context.withAppliance(async (appliance, mode) => {
      const merchantId = await merchantIdOf(appliance, flags.merchant);
      const file = await startReportFile(context, flags.output);
      try {
        const result = await compare(context, appliance, { mode, merchantId, ...dates }, interrupt);
        if (file === undefined) await printReconciliation(context, dates, result);
        else await writeReconciliation(context, appliance, file, result);
        await printNotCompared(context, result);
        if (interrupt.signal.aborted) throw interrupted();
        const settle = { ...flags, isSurplusCancelled: flags.cancelSurplus === true };
        await settleDifferences(context, appliance, { mode, settle, result, signal: interrupt.signal });
        return exitOf(result);
      } finally {
        await file?.discard();
      }
    });
  } finally {
    interrupt.dispose();
  }
}

/** Before anything is read: a question could not be asked afterwards. */
function refuseSilentChange({ io }: CommandContext, { adopt, cancelSurplus, yes }: ReconcileFlags): void {
  if (adopt !== true && cancelSurplus !== true) {
    if (yes === true)
      throw new UsageError({
        en: "--yes belongs to --adopt or --cancel-surplus",
        el: "η --yes πηγαίνει με --adopt ή --cancel-surplus",
      });
    return;
  }
  if (yes === true || canPrompt(io)) return;
  throw new UsageError({
    en: "--yes is missing: --adopt and --cancel-surplus ask for confirmation, and there is no terminal to ask on",
    el: "λείπει η --yes: οι --adopt και --cancel-surplus ζητούν επιβεβαίωση και δεν υπάρχει τερματικό για την ερώτηση",
  });
}

async function writeReconciliation(
  context: CommandContext,
  appliance: Appliance,
  file: ReportFile,
  result: Reconciliation,
): Promise<void> {
  await file.write(appliance, [sheetOf(context, result)]);
  await printNote(context.io, summaryOf(result));
}

async function compare(
  context: CommandContext,
  appliance: Appliance,
  period: { mode: Mode; merchantId: string | undefined; from: string; through: string },
  { signal }: Interrupt,
): Promise<Reconciliation> {
  const { reconcile } = await import("../../src/books/reconcile/reconcile.ts");
  const { io } = context;
  const progress = await startProgress(io, { en: "comparing", el: "σύγκριση" });
  try {
    return await reconcile(appliance, {
      ...period,
      ...pacingFor(io, signal),
      onProgress: (done, total) => progress.update(done, total),
    });
  } finally {
    progress.stop();
  }
}

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
