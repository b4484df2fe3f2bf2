/** `fiscal documents export`: the documents of a range of issue dates, with totals. */
import { CREDIT_NOTE_TYPES } from "../../src/domain/document-types.ts";
import { resolve } from "node:path";
import type { Command } from "commander";
import { type ExportFilters, exportDocuments } from "../../src/books/export-documents.ts";
import { DOCUMENT_TYPES } from "../../src/domain/document-types.ts";
import type { Text } from "../../src/foundation/text.ts";
import { DOCUMENT_STATUSES, type DocumentStatus } from "../../src/domain/vocabulary.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { readIssueDates } from "../issue-dates.ts";
import { listenForInterrupt } from "../io.ts";
import { addMerchantFilter, type MerchantOption, merchantIdOf } from "../merchants/find-merchant.ts";
import { addExamples, addNotes, choice, choices, day } from "../options.ts";
import { addFormatOptions, chooseFormat } from "./export/export-format.ts";
import {
  DECIMALS,
  type DecimalWord,
  type ExportFormat,
  SEPARATORS,
  type SeparatorWord,
} from "./export/words.ts";
import { writeExport } from "./export/write-export.ts";

interface ExportOptions extends MerchantOption {
  from?: string;
  to?: string;
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
  en: `Amounts are those of the documents. The column counts says how a row counts in the totals: 1, -1 for a credit note
(${CREDIT_NOTE_TYPES.join(", ")}), 0 for a document that is cancelled or was not issued.
The groups of a document are its lines by VAT category, exemption cause and income classification. A workbook has them on a
sheet of their own, JSON in each document.`,
  el: `Τα ποσά είναι όπως τα γράφουν τα παραστατικά. Η στήλη counts λέει πώς μετρά η γραμμή στα σύνολα: 1, -1 για πιστωτικό
(${CREDIT_NOTE_TYPES.join(", ")}), 0 για όποιο ακυρώθηκε ή δεν εκδόθηκε.
Οι ομάδες ενός παραστατικού είναι οι γραμμές του ανά κατηγορία ΦΠΑ, αιτία απαλλαγής και χαρακτηρισμό εσόδου. Στο βιβλίο
εργασίας έχουν δικό τους φύλλο, στο JSON είναι μέσα σε κάθε παραστατικό.`,
};

export function defineExport(command: Command, context: CommandContext): void {
  addFilterOptions(command, context);
  addFileOptions(command, context).action((options: ExportOptions) =>
    context.end(exportToFile(context, options)),
  );
  addNotes(command, context, NOTES);
  addExamples(
    command,
    context,
    "fiscal --live documents export --from 2025-10-01 --to 2025-10-31 --output october.csv",
    "fiscal --live documents export --from 2025-10-01 --to 2025-10-31 --output october.xlsx",
  );
}

function addFilterOptions(command: Command, context: CommandContext): Command {
  const { inLanguage } = context;
  const statuses = DOCUMENT_STATUSES.join(", ");
  command
    .option(
      "--from <day>",
      inLanguage({ en: "first issue date, in Athens", el: "πρώτη ημερομηνία έκδοσης, ώρα Αθήνας" }),
      day("--from"),
    )
    .option(
      "--to <day>",
      inLanguage({ en: "last issue date", el: "τελευταία ημερομηνία έκδοσης" }),
      day("--to"),
    );
  return addMerchantFilter(command, context)
    .option(
      "--type <type>",
      inLanguage({
        en: "only of this document type, for example 1.1",
        el: "αυτού του τύπου παραστατικού, για παράδειγμα 1.1",
      }),
    )
    .option(
      "--status <status>",
      inLanguage({
        en: `${statuses}; several with commas (default issued, including cancelled documents)`,
        el: `${statuses}· πολλές με κόμμα (αν λείπει: issued, μαζί με όσα ακυρώθηκαν)`,
      }),
      choices("--status", DOCUMENT_STATUSES),
    );
}

function addFileOptions(command: Command, context: CommandContext): Command {
  const { inLanguage } = context;
  return addFormatOptions(command, context)
    .option(
      "--totals <file>",
      inLanguage({
        en: "also write the totals of a CSV to this file",
        el: "γράφει και τα σύνολα ενός CSV, σε αυτό το αρχείο",
      }),
    )
    .option(
      "--groups <file>",
      inLanguage({
        en: "also write the groups of lines of a CSV to this file",
        el: "γράφει και τις ομάδες γραμμών ενός CSV, σε αυτό το αρχείο",
      }),
    )
    .option(
      "--separator <word>",
      inLanguage({
        en: `separator of a CSV: ${SEPARATORS.join(", ")} (default semicolon)`,
        el: "διαχωριστικό του CSV: semicolon (;), comma (,), tab (αν λείπει: semicolon)",
      }),
      choice("--separator", SEPARATORS),
    )
    .option(
      "--decimal <word>",
      inLanguage({
        en: `decimal sign of a CSV: ${DECIMALS.join(", ")} (default comma)`,
        el: "υποδιαστολή του CSV: comma (,), point (.) (αν λείπει: comma)",
      }),
      choice("--decimal", DECIMALS),
    );
}

async function exportToFile(context: CommandContext, options: ExportOptions): Promise<void> {
  const format = formatOf(context, options);
  const range = readIssueDates(options);
  const type = options.type === undefined ? undefined : choice("--type", DOCUMENT_TYPES)(options.type);
  const interrupt = listenForInterrupt(context.io);
  try {
    await context.withAppliance(async (appliance, mode) => {
      const merchantId = await merchantIdOf(appliance, options.merchant);
      const statuses = options.status ?? ["issued"];
      const filters: ExportFilters = { mode, ...range, statuses, merchantId, type };
      await writeExport(context, options, { format, interrupt }, (use) =>
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
