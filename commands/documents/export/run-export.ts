/** What `fiscal documents export` does. */
import { resolve } from "node:path";
import { DOCUMENT_TYPES } from "../../../src/domain/canonical-document.ts";
import {
  exportDocuments,
  type DocumentExport,
  type ExportFilters,
} from "../../../src/books/export-documents.ts";
import type { DocumentStatus } from "../../../storage/stored-values.ts";
import type { CommandContext } from "../../context.ts";
import { InterruptedError, UsageError } from "../../exit.ts";
import { type Interrupt, listenForInterrupt } from "../../io.ts";
import { merchantIdOf } from "../../merchants/find-merchant.ts";
import { choice } from "../../options.ts";
import { type Output, startFile, startOutput } from "../../output-file.ts";
import { startProgress } from "../../ui/progress.ts";
import type { Separator } from "../../ui/csv.ts";
import { writeCsv, writeTotalsCsv } from "./export-csv.ts";
import { writeJson } from "./export-json.ts";
import { tellTotals } from "./print-totals.ts";
import type { DecimalWord, ExportFormat, SeparatorWord } from "./words.ts";
import { writeXlsx } from "./export-xlsx.ts";

export interface ExportOptions {
  from?: string;
  to?: string;
  merchant?: string;
  type?: string;
  status?: DocumentStatus[];
  format?: ExportFormat;
  output?: string;
  totals?: string;
  separator?: SeparatorWord;
  decimal?: DecimalWord;
}

const SEPARATOR_OF: Record<SeparatorWord, Separator> = {
  semicolon: ";",
  comma: ",",
  tab: "\t",
};

export async function runExport(context: CommandContext, options: ExportOptions): Promise<void> {
  const { io } = context;
  const format = formatOf(context, options);
  const span = spanOf(options);
  const type = options.type === undefined ? undefined : choice("--type", DOCUMENT_TYPES)(options.type);
  const interrupt = listenForInterrupt(io);
  try {
    await context.withAppliance(async (appliance, mode) => {
      const merchantId = await merchantIdOf(appliance, options.merchant);
      const statuses = options.status ?? ["issued"];
      const filters: ExportFilters = { mode, ...span, statuses, merchantId, type };
      const output = await startOutput(io, options.output);
      const totals = await startTotals(context, options, output);
      try {
        await exportDocuments(appliance, filters, async (exported) => {
          const watched = await watch(context, options, exported, interrupt);
          await writeAs(format, watched, output, options);
          if (totals !== undefined) await writeTotalsCsv(exported, totals, dialectOf(options));
          await output.finish();
          await totals?.finish();
          if (format !== "json") await tellTotals(io, exported.totals());
        });
      } finally {
        await output.discard();
        await totals?.discard();
      }
    });
  } finally {
    interrupt.dispose();
  }
}

/** `--json` asks for JSON, as everywhere. A workbook is not for a terminal. */
function formatOf(context: CommandContext, options: ExportOptions): ExportFormat {
  const format = options.format ?? (context.options.json === true ? "json" : "csv");
  if (context.options.json === true && format !== "json")
    throw new UsageError(`--json and --format ${format} ask for two things; leave one out`);
  if (format !== "csv") {
    const only = (["totals", "separator", "decimal"] as const).find((flag) => options[flag] !== undefined);
    if (only !== undefined) throw new UsageError(`--${only} is for --format csv; ${format} needs none`);
  }
  if (options.totals !== undefined && isSameFile(context.io.cwd, options.totals, options.output))
    throw new UsageError("--totals and --output name the same file");
  const toStdout = options.output === undefined || options.output === "-";
  if (format === "xlsx" && toStdout && context.io.stdout.isTTY === true)
    throw new UsageError("--output is missing: a workbook cannot be shown on a terminal");
  return format;
}

function isSameFile(cwd: string, left: string, right: string | undefined): boolean {
  return right !== undefined && resolve(cwd, left) === resolve(cwd, right);
}

function spanOf(options: ExportOptions): { from: string; through: string } {
  const { from, to } = options;
  if (from === undefined) throw new UsageError("--from is missing: the first issue date, like 2026-10-01");
  if (to === undefined) throw new UsageError("--to is missing: the last issue date, like 2026-10-31");
  if (to < from) throw new UsageError("--to is before --from");
  return { from, through: to };
}

/** Where it cannot be written, what was begun of the documents goes away with it. */
async function startTotals(
  context: CommandContext,
  options: ExportOptions,
  output: Output,
): Promise<Output | undefined> {
  try {
    return options.totals === undefined ? undefined : await startFile(context.io, options.totals);
  } catch (error) {
    await output.discard();
    throw error;
  }
}

/** The same documents, with a count on the terminal, and an end where the person stops it. */
async function watch(
  context: CommandContext,
  options: ExportOptions,
  exported: DocumentExport,
  interrupt: Interrupt,
): Promise<DocumentExport> {
  async function* documents() {
    const progress = await startProgress(context.io, "exporting");
    let count = 0;
    try {
      for await (const document of exported.documents) {
        if (interrupt.signal.aborted) throw new InterruptedError(interruptedMessage(options));
        yield document;
        count += 1;
        progress.update(count);
      }
    } finally {
      progress.stop();
    }
  }
  return { documents: documents(), totals: exported.totals };
}

function interruptedMessage({ output }: ExportOptions): string {
  return output === undefined || output === "-"
    ? "interrupted: what was printed is not the whole export"
    : "interrupted: the file was not written";
}

function dialectOf(options: ExportOptions): { separator: Separator; decimal: "." | "," } {
  return {
    separator: SEPARATOR_OF[options.separator ?? "semicolon"],
    decimal: options.decimal === "point" ? "." : ",",
  };
}

async function writeAs(
  format: ExportFormat,
  exported: DocumentExport,
  output: Output,
  options: ExportOptions,
): Promise<void> {
  if (format === "json") await writeJson(exported, output);
  else if (format === "xlsx") await writeXlsx(exported, output);
  else await writeCsv(exported, output, dialectOf(options));
}
