/** `fiscal documents export`: the documents of a range of issue dates, with totals. */
import { CREDIT_NOTE_TYPES, DOCUMENT_TYPES } from "../../src/domain/document-types.ts";
import {
  type DocumentExport,
  exportDocuments,
  type ExportFilters,
} from "../../src/books/export-documents.ts";
import type { Text } from "../../src/foundation/text.ts";
import { DOCUMENT_STATUSES } from "../../src/domain/vocabulary.ts";
import type { CommandContext } from "../context.ts";
import { InterruptedError, UsageError } from "../exit.ts";
import { PERIOD, readIssueDates } from "../common-flags.ts";
import { outputSettingsOf, type ProgramIo } from "../io.ts";
import { type Clients, readClients } from "../../src/operations/greek-files.ts";
import { MERCHANT_FILTER, merchantIdOf } from "../merchants/find-merchant.ts";
import { choice, choices } from "../options.ts";
import { chooseFormat, type ExportFormat, FORMAT_FLAGS } from "./export/export-format.ts";
import { type Flags, type OptionsOf, verb } from "../define.ts";
import { isSameFile, startFile, startOutput } from "../output-files.ts";
import { withProgress } from "../ui/progress.ts";
import { printTotals, writeCsv, writeJson, writeXlsx } from "./export/export-files.ts";

const NOTES: Text = {
  en: `In CSV and XLSX files credit notes (${CREDIT_NOTE_TYPES.join(", ")}) are negative, and documents that are cancelled or were
not issued have 0, so the sum of a column is right; counts says which: -1, 0, otherwise 1. JSON has the documents' own amounts.
The groups of a document are its lines by VAT category, exemption cause and income classification. A workbook has them on a
sheet of their own, JSON in each document.`,
  el: `Σε CSV και XLSX τα πιστωτικά (${CREDIT_NOTE_TYPES.join(", ")}) είναι αρνητικά, και όσα ακυρώθηκαν ή δεν εκδόθηκαν έχουν 0,
ώστε το άθροισμα μιας στήλης να είναι σωστό. Η στήλη «μετρά ως» λέει ποιο είναι ποιο: -1, 0, αλλιώς 1. Το JSON έχει τα
ποσά όπως τα γράφουν τα παραστατικά.
Οι ομάδες ενός παραστατικού είναι οι γραμμές του ανά κατηγορία ΦΠΑ, αιτία εξαίρεσης και χαρακτηρισμό εσόδου. Στο βιβλίο
εργασίας έχουν δικό τους φύλλο, στο JSON είναι μέσα σε κάθε παραστατικό.`,
};

const STATUSES = DOCUMENT_STATUSES.join(", ");

/** By words, because `;` ends a command in a shell. */
const SEPARATORS = { semicolon: ";", comma: ",", tab: "\t" } as const;
const SEPARATOR_WORDS = Object.keys(SEPARATORS) as (keyof typeof SEPARATORS)[];
const DECIMALS = ["comma", "point"] as const;

const FLAGS = {
  ...PERIOD,
  ...MERCHANT_FILTER,
  "--type <type>": {
    en: "only of this document type, for example 1.1",
    el: "αυτού του τύπου παραστατικού, για παράδειγμα 1.1",
    read: choice(DOCUMENT_TYPES),
  },
  "--status <status>": {
    en: `${STATUSES}; several with commas (default issued, including cancelled documents)`,
    el: `${STATUSES}· πολλές με κόμμα (αν λείπει: issued, μαζί με όσα ακυρώθηκαν)`,
    read: choices(DOCUMENT_STATUSES),
  },
  ...FORMAT_FLAGS,
  "--totals <file>": {
    en: "also write the totals of a CSV to this file",
    el: "γράφει και τα σύνολα ενός CSV, σε αυτό το αρχείο",
  },
  "--groups <file>": {
    en: "also write the groups of lines of a CSV to this file",
    el: "γράφει και τις ομάδες γραμμών ενός CSV, σε αυτό το αρχείο",
  },
  "--separator <word>": {
    en: `separator of a CSV: ${SEPARATOR_WORDS.join(", ")} (default semicolon)`,
    el: "διαχωριστικό του CSV: semicolon (;), comma (,), tab (αν λείπει: semicolon)",
    read: choice(SEPARATOR_WORDS),
  },
  "--decimal <word>": {
    en: `decimal sign of a CSV: ${DECIMALS.join(", ")} (default comma)`,
    el: "υποδιαστολή του CSV: comma (,), point (.) (αν λείπει: comma)",
    read: choice(DECIMALS),
  },
} satisfies Flags;

type ExportOptions = OptionsOf<typeof FLAGS>;

export const defineExport = verb({
  flags: FLAGS,
  notes: NOTES,
  examples: [
    "fiscal --live documents export --from 2025-10-01 --to 2025-10-31 --output october.csv",
    "fiscal --live documents export --from 2025-10-01 --to 2025-10-31 --output october.xlsx",
  ],
  async run(context, options) {
    const format = formatOf(context, options);
    await refuseSameFile(context, options);
    const range = readIssueDates(options);
    await context.interruptible(async (appliance, mode, signal) => {
      const merchantId = await merchantIdOf(appliance, options.merchant);
      const statuses = options.status ?? ["issued"];
      const filters: ExportFilters = { mode, ...range, statuses, merchantId, type: options.type };
      const isGreek = outputSettingsOf(context.io).language === "el";
      const clients = isGreek ? await readClients(appliance) : undefined;
      await exportDocuments(appliance, filters, async (exported) => {
        await withProgress(context.io, { en: "exporting", el: "εξαγωγή" }, ({ update }) =>
          writeExport(context.io, options, format, clients, watched(exported, signal, update)),
        );
        if (format !== "json") await printTotals(context.io, exported.totals());
      });
    });
  },
});

/** Rejects flags that would have no effect. */
function formatOf(context: CommandContext, options: ExportOptions): ExportFormat {
  const format = chooseFormat(context, options);
  const csvFlag = (["totals", "groups", "separator", "decimal"] as const).find(
    (flag) => options[flag] !== undefined,
  );
  if (format !== "csv" && csvFlag !== undefined)
    throw new UsageError({
      en: `--${csvFlag} is for --format csv, not for ${format}`,
      el: `η --${csvFlag} είναι για --format csv, όχι για ${format}`,
    });
  return format;
}

/** Rejects files that would overwrite each other. */
async function refuseSameFile({ io }: CommandContext, options: ExportOptions): Promise<void> {
  const pairs = [
    ["totals", "output"],
    ["groups", "output"],
    ["groups", "totals"],
  ] as const;
  for (const [one, other] of pairs) {
    const [left, right] = [options[one], options[other]];
    if (left !== undefined && right !== undefined && (await isSameFile(io, left, right)))
      throw new UsageError({
        en: `--${one} and --${other} name the same file`,
        el: `οι --${one} και --${other} ορίζουν το ίδιο αρχείο`,
      });
  }
}

/** The files appear only once they are complete. */
async function writeExport(
  io: ProgramIo,
  options: ExportOptions,
  format: ExportFormat,
  clients: Clients | undefined,
  exported: DocumentExport,
): Promise<void> {
  const start = async (path: string | undefined) => (path === undefined ? undefined : startFile(io, path));
  await using output = await startOutput(io, options.output);
  await using totals = await start(options.totals);
  await using groups = await start(options.groups);
  const separator = SEPARATORS[options.separator ?? "semicolon"];
  const decimal = options.decimal === "point" ? "." : ",";
  if (format === "json") await writeJson(exported, output);
  else if (format === "xlsx") await writeXlsx(exported, output, clients);
  else await writeCsv(exported, { output, groups, totals }, { clients, separator, decimal });
  for (const file of [output, totals, groups]) await file?.finish();
}

/** The same documents, counted as they are taken. Throws when interrupted. */
function watched(
  { documents, totals }: DocumentExport,
  signal: AbortSignal,
  onCount: (count: number) => void,
): DocumentExport {
  async function* counted() {
    let count = 0;
    for await (const document of documents) {
      if (signal.aborted) throw new InterruptedError(INTERRUPTED);
      yield document;
      onCount((count += 1));
    }
  }
  return { documents: counted(), totals };
}

const INTERRUPTED: Text = {
  en: "interrupted: no file was written, and anything printed is incomplete",
  el: "διακόπηκε: κανένα αρχείο δεν γράφτηκε, και όσα τυπώθηκαν δεν είναι ολόκληρη η εξαγωγή",
};
