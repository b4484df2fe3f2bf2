/** `fiscal documents export`: the documents of a range of issue dates, with totals. */
import { CREDIT_NOTE_TYPES, DOCUMENT_TYPES } from "../../src/domain/document-types.ts";
import { resolve } from "node:path";
import { type ExportFilters, exportDocuments } from "../../src/books/export-documents.ts";
import type { Text } from "../../src/foundation/text.ts";
import { DOCUMENT_STATUSES, type DocumentStatus } from "../../src/domain/vocabulary.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { PERIOD, type PeriodOptions, readIssueDates } from "../common-flags.ts";
import { listenForInterrupt, outputSettingsOf } from "../io.ts";
import { readClients } from "../../src/operations/greek-files.ts";
import { MERCHANT_FILTER, type MerchantOption, merchantIdOf } from "../merchants/find-merchant.ts";
import { choice, choices } from "../options.ts";
import { FORMAT_FLAGS, chooseFormat } from "./export/export-format.ts";
import {
  DECIMALS,
  type DecimalWord,
  type ExportFormat,
  SEPARATORS,
  type SeparatorWord,
} from "./export/words.ts";
import { writeExport } from "./export/write-export.ts";
import { verb } from "../define.ts";

interface ExportOptions extends MerchantOption, PeriodOptions {
  type?: string;
  status?: DocumentStatus[];
  format?: ExportFormat;
  output?: string;
  totals?: string;
  groups?: string;
  separator?: SeparatorWord;
  decimal?: DecimalWord;
}

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

export const defineExport = verb({
  flags: {
    ...PERIOD,
    ...MERCHANT_FILTER,
    "--type <type>": {
      en: "only of this document type, for example 1.1",
      el: "αυτού του τύπου παραστατικού, για παράδειγμα 1.1",
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
      en: `separator of a CSV: ${SEPARATORS.join(", ")} (default semicolon)`,
      el: "διαχωριστικό του CSV: semicolon (;), comma (,), tab (αν λείπει: semicolon)",
      read: choice(SEPARATORS),
    },
    "--decimal <word>": {
      en: `decimal sign of a CSV: ${DECIMALS.join(", ")} (default comma)`,
      el: "υποδιαστολή του CSV: comma (,), point (.) (αν λείπει: comma)",
      read: choice(DECIMALS),
    },
  },
  notes: NOTES,
  examples: [
    "fiscal --live documents export --from 2025-10-01 --to 2025-10-31 --output october.csv",
    "fiscal --live documents export --from 2025-10-01 --to 2025-10-31 --output october.xlsx",
  ],
  run: exportToFile,
});

async function exportToFile(context: CommandContext, options: ExportOptions): Promise<void> {
  const format = formatOf(context, options);
  const range = readIssueDates(options);
  const type = options.type === undefined ? undefined : choice(DOCUMENT_TYPES)("--type")(options.type);
  const interrupt = listenForInterrupt(context.io);
  try {
    await context.withAppliance(async (appliance, mode) => {
      const merchantId = await merchantIdOf(appliance, options.merchant);
      const statuses = options.status ?? ["issued"];
      const filters: ExportFilters = { mode, ...range, statuses, merchantId, type };
      const isGreek = outputSettingsOf(context.io).language === "el";
      const clients = isGreek ? await readClients(appliance) : undefined;
      await writeExport(context, options, { format, interrupt, clients }, (use) =>
        exportDocuments(appliance, filters, use),
      );
    });
  } finally {
    interrupt.dispose();
  }
}

/** Rejects flags that would have no effect, and files that would overwrite each other. */
function formatOf(context: CommandContext, options: ExportOptions): ExportFormat {
  const format = chooseFormat({ ...options, isJson: context.options.json === true });
  const csvFlag = (["totals", "groups", "separator", "decimal"] as const).find(
    (flag) => options[flag] !== undefined,
  );
  if (format !== "csv" && csvFlag !== undefined)
    throw new UsageError({
      en: `--${csvFlag} is for --format csv, not for ${format}`,
      el: `η --${csvFlag} είναι για --format csv, όχι για ${format}`,
    });
  refuseSameFile(context, options);
  const toStdout = options.output === undefined || options.output === "-";
  if (format === "xlsx" && toStdout && context.io.stdout.isTTY === true)
    throw new UsageError({
      en: "--output is missing: a workbook cannot be shown on a terminal",
      el: "λείπει η --output: ένα βιβλίο εργασίας δεν εμφανίζεται σε τερματικό",
    });
  return format;
}

function refuseSameFile({ io }: CommandContext, options: ExportOptions): void {
  const pairs = [
    ["totals", "output"],
    ["groups", "output"],
    ["groups", "totals"],
  ] as const;
  for (const [one, other] of pairs)
    if (isSameFile(io.cwd, options[one], options[other]))
      throw new UsageError({
        en: `--${one} and --${other} name the same file`,
        el: `οι --${one} και --${other} ορίζουν το ίδιο αρχείο`,
      });
}

function isSameFile(cwd: string, left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && right !== undefined && resolve(cwd, left) === resolve(cwd, right);
}
