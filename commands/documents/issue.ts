/** `fiscal documents issue`: issues the documents in files. See docs/contract.md#batches. */
import { access, constants } from "node:fs/promises";
import { resolve } from "node:path";
import type { Text } from "../../src/foundation/text.ts";
import { DocumentObjectSchema } from "../../src/journal/document-object.ts";
import { PROVIDERS } from "../../src/domain/vocabulary.ts";
import type { CommandContext } from "../context.ts";
import { YES } from "../confirmation.ts";
import { EXIT, UsageError } from "../exit.ts";
import { describeFileError } from "../file-errors.ts";
import { isSameFile } from "../output-files.ts";
import type { ProgramIo } from "../io.ts";
import { chooseMerchant, findMerchant } from "../merchants/find-merchant.ts";
import { choice } from "../options.ts";
import { chooseNames, FILE_FLAGS, readMapFile } from "./batch/batch-map.ts";
import { type Format, formatOf, hasTable, isTable } from "./batch/file-format.ts";
import { presentBatch, VERDICT_FIELDS } from "./batch/batch-outcome.ts";
import { startReport } from "./batch/report.ts";
import { canPrompt, requireYes } from "../ui/prompt.ts";
import { confirmLive, interruptedError, runBatch } from "./batch/run-batch.ts";
import { timeoutOf, WAIT_FLAGS } from "./waiting.ts";
import { type Flags, type OptionsOf, verb } from "../define.ts";

const NOTES: Text = {
  en: `On a terminal it asks once what unknown columns mean, and remembers it for the merchant.
Running the same files again issues nothing twice. In live mode it shows merchant, count and sum, and asks first.
Exit: 2 if a document is invalid, 1 if its reference was already used for a different document, 4 if the provider refused
one, 5 if one could not be delivered; of several the first in the order 2, 3, 1, 4, 5. Otherwise 0.`,
  el: `Στο τερματικό ρωτά μία φορά τι σημαίνουν οι άγνωστες στήλες και το κρατά για την επιχείρηση.
Δεύτερη εκτέλεση με τα ίδια αρχεία δεν εκδίδει τίποτα δύο φορές. Στην παραγωγική λειτουργία δείχνει πρώτα επιχείρηση,
πλήθος και σύνολο, και ρωτά.
Κωδικός εξόδου: 2 όταν ένα παραστατικό δεν είναι σωστό, 1 όταν η αναφορά του δόθηκε ήδη σε άλλο, 4 όταν ο πάροχος απέρριψε
ένα, 5 όταν ένα δεν παραδόθηκε· από πολλούς ο πρώτος με τη σειρά 2, 3, 1, 4, 5. Αλλιώς 0.`,
};

const FOR_OTHERS: Text = { en: "for documents that do not name one", el: "για όσα παραστατικά δεν ορίζουν" };

const FLAGS = {
  ...FILE_FLAGS,
  "--remember-map": {
    en: "store what --map, --column and --default say for later files of the merchant",
    el: "κρατά όσα ορίζουν οι --map, --column και --default για τα επόμενα αρχεία της επιχείρησης",
  },
  "--provider <provider>": { ...FOR_OTHERS, read: choice(PROVIDERS) },
  "--series <series>": FOR_OTHERS,
  "--transmission-failure": {
    en: "declare that the documents are sent late because the connection was lost (transmissionFailure 3)",
    el: "δηλώνει ότι τα παραστατικά στέλνονται καθυστερημένα λόγω απώλειας σύνδεσης (transmissionFailure 3)",
  },
  "--dry-run": { en: "only check the documents, issue nothing", el: "μόνο έλεγχος, χωρίς έκδοση" },
  "--report <file>": {
    en: "write a row for each document (CSV, or a workbook if the name ends in .xlsx): reference, id, status, series, number, mark, error",
    el: "γράφει μια γραμμή για κάθε παραστατικό (CSV, ή βιβλίο εργασίας αν το όνομα τελειώνει σε .xlsx): reference, id, status, series, number, mark, error",
  },
  ...YES,
  ...WAIT_FLAGS,
} satisfies Flags;

type IssueOptions = OptionsOf<typeof FLAGS>;

export const defineIssue = verb({
  flags: FLAGS,
  notes: NOTES,
  examples: [
    "fiscal documents issue documents.csv --merchant shop --report report.csv",
    "fiscal documents issue document.json --merchant shop --dry-run",
  ],
  fields: [...Object.keys(DocumentObjectSchema.entries), ...VERDICT_FIELDS],
  async run(context, options, files: string[]) {
    const { io } = context;
    const { format, provider, series, sheet, transmissionFailure } = options;
    const timeoutSeconds = timeoutOf(options);
    const dryRun = options.dryRun === true;
    const mustConfirm = !dryRun && (await context.mode()) === "live";
    // Before the first file is read, which may be standard input: then nobody can answer.
    if (mustConfirm) requireYes(io, options.yes, canPrompt(io) && !files.includes("-"));
    await checkFiles(io, files, format);
    await refuseReportOver(io, files, options);
    checkTableFlags(files, options);
    const given = await readMapFile(io, options);
    const merchantName = await merchantNameFor(context, files, options);
    const wait = options.wait === true && !dryRun;
    await using report = await startReport(io, options.report);
    return await context.withAppliance(async (appliance, mode) => {
      const merchant = merchantName === undefined ? undefined : await findMerchant(appliance, merchantName);
      const defaults = { merchant, provider, series, transmissionFailure };
      const names = await chooseNames(io, appliance, merchant, { ...options, files, given });
      if (names === undefined) return EXIT.failure;
      const batchOptions = { files, format, defaults, names, sheet, dryRun, wait, timeoutSeconds };
      if (mustConfirm && !(await confirmLive(context, appliance, batchOptions, options))) return EXIT.failure;
      const batch = await runBatch(io, appliance, mode, batchOptions);
      const tally = await presentBatch(context, appliance, mode, { batch, report, waited: wait, dryRun });
      if (batch.wasInterrupted) throw interruptedError(tally.counts.pending);
      return tally.exitCode;
    });
  },
});

/** Checks that every file exists, is readable and has a known format, before the first document is accepted. */
async function checkFiles(io: ProgramIo, files: readonly string[], given: Format | undefined): Promise<void> {
  for (const file of files) {
    formatOf(file, given);
    if (file === "-") continue;
    try {
      await access(resolve(io.cwd, file), constants.R_OK);
    } catch (error) {
      throw describeFileError(error, file);
    }
  }
}

/** Rejects a report that would replace a file which the run reads. */
async function refuseReportOver(
  io: ProgramIo,
  files: readonly string[],
  { report, map }: IssueOptions,
): Promise<void> {
  if (report === undefined) return;
  for (const file of [...files, ...(typeof map === "string" ? [map] : [])])
    if (file !== "-" && (await isSameFile(io, report, file)))
      throw new UsageError({
        en: `--report names a file that is read: ${file}`,
        el: `η --report ορίζει αρχείο που διαβάζεται: ${file}`,
      });
}

/** Rejects flags that would have no effect. */
function checkTableFlags(files: readonly string[], options: IssueOptions): void {
  const columns = options.column !== undefined || options.default !== undefined;
  if (options.rememberMap === true && typeof options.map !== "string" && !columns)
    throw new UsageError({
      en: "--map or --column is missing: --remember-map stores what they say",
      el: "λείπει η --map ή η --column: η --remember-map κρατά όσα ορίζουν",
    });
  const flags = {
    "--map": typeof options.map === "string",
    "--column": options.column !== undefined,
    "--default": options.default !== undefined,
    "--sheet": options.sheet !== undefined,
  };
  const flag = Object.entries(flags).find(([, isGiven]) => isGiven)?.[0];
  if (flag !== undefined && !hasTable(files, options.format))
    throw new UsageError({
      en: `${flag} is for tables, and none of the files is .csv or .xlsx`,
      el: `η ${flag} είναι για πίνακες, και κανένα από τα αρχεία δεν είναι .csv ή .xlsx`,
    });
}

/** Asks for the merchant if a file is a table, because tables, unlike JSON, cannot name it. */
async function merchantNameFor(
  context: CommandContext,
  files: readonly string[],
  options: IssueOptions,
): Promise<string | undefined> {
  const needsMerchant = files.some((file) => isTable(formatOf(file, options.format)));
  if (!needsMerchant || options.merchant !== undefined) return options.merchant;
  return chooseMerchant(context, undefined);
}
