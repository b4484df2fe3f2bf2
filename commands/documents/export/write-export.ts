/** Writes an export and its totals to their files. */
import type { DocumentExport } from "../../../src/books/export-documents.ts";
import type { Text } from "../../../src/foundation/text.ts";
import type { CommandContext } from "../../context.ts";
import { InterruptedError } from "../../exit.ts";
import type { Interrupt } from "../../io.ts";
import { type Output, startFile, startOutput } from "../../output-file.ts";
import type { Separator } from "../../../src/foundation/csv.ts";
import { startProgress } from "../../ui/progress.ts";
import type { Clients } from "../../../src/operations/greek-files.ts";
import { type ExportForm, exportForm } from "./export-columns.ts";
import { type CsvDialect, writeCsv, writeTotalsCsv } from "./export-csv.ts";
import { writeXlsx } from "./export-xlsx.ts";
import { printTotals } from "./print-totals.ts";
import type { DecimalWord, ExportFormat, SeparatorWord } from "./words.ts";
import { toJson } from "../../ui/json.ts";

interface FileOptions {
  /** A path, or `-`, which is the default. */
  output?: string;
  totals?: string;
  groups?: string;
  separator?: SeparatorWord;
  decimal?: DecimalWord;
}

/** `run` calls its argument with the documents. The files appear only once they are complete. */
export async function writeExport(
  context: CommandContext,
  options: FileOptions,
  {
    format,
    interrupt,
    clients,
  }: { format: ExportFormat; interrupt: Interrupt; clients: Clients | undefined },
  run: (use: (exported: DocumentExport) => Promise<void>) => Promise<void>,
): Promise<void> {
  const { io } = context;
  const started: Output[] = [];
  const start = async (path: string | undefined): Promise<Output | undefined> => {
    if (path === undefined) return undefined;
    const file = await startFile(io, path);
    started.push(file);
    return file;
  };
  try {
    const output = await startOutput(io, options.output);
    started.push(output);
    const totals = await start(options.totals);
    const groups = await start(options.groups);
    const dialect = dialectOf(options, exportForm(clients));
    await run(async (exported) => {
      const watched = withProgress(context, exported, interrupt, options);
      await writeAs(format, watched, { output, groups }, dialect);
      if (totals !== undefined) await writeTotalsCsv(exported, totals, dialect);
      for (const file of started) await file.finish();
      if (format !== "json") await printTotals(io, exported.totals());
    });
  } finally {
    for (const file of started) await file.discard();
  }
}

/** The same documents, with a progress bar. Throws when interrupted. */
function withProgress(
  context: CommandContext,
  exported: DocumentExport,
  { signal }: Interrupt,
  options: FileOptions,
): DocumentExport {
  async function* documents() {
    const progress = await startProgress(context.io, { en: "exporting", el: "εξαγωγή" });
    let count = 0;
    try {
      for await (const document of exported.documents) {
        if (signal.aborted) throw new InterruptedError(interruptedText(options));
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

function interruptedText({ output }: FileOptions): Text {
  return output === undefined || output === "-"
    ? {
        en: "interrupted: the printed export is incomplete",
        el: "διακόπηκε: όσα τυπώθηκαν δεν είναι ολόκληρη η εξαγωγή",
      }
    : { en: "interrupted: the file was not written", el: "διακόπηκε: το αρχείο δεν γράφτηκε" };
}

const SEPARATOR_OF: Record<SeparatorWord, Separator> = { semicolon: ";", comma: ",", tab: "\t" };

function dialectOf({ separator = "semicolon", decimal }: FileOptions, form: ExportForm): CsvDialect {
  return { form, separator: SEPARATOR_OF[separator], decimal: decimal === "point" ? "." : "," };
}

async function writeAs(
  format: ExportFormat,
  exported: DocumentExport,
  files: { output: Output; groups: Output | undefined },
  dialect: CsvDialect,
): Promise<void> {
  const { output } = files;
  if (format === "json") await writeJson(exported, output);
  else if (format === "xlsx") await writeXlsx(exported, output, dialect.form);
  else await writeCsv(exported, files, dialect);
}

/** Writes document by document, so that the whole object is never in memory. */
async function writeJson(exported: DocumentExport, output: Output): Promise<void> {
  let isEmpty = true;
  await output.write('{\n  "object": "export",\n  "documents": [');
  for await (const document of exported.documents) {
    const text = indented(toJson(document, 2), 4);
    await output.write(`${isEmpty ? "" : ","}\n    ${text}`);
    isEmpty = false;
  }
  const totals = indented(toJson(exported.totals(), 2), 2);
  await output.write(`${isEmpty ? "" : "\n  "}],\n  "totals": ${totals}\n}\n`);
}

/** Indents every line except the first. */
function indented(text: string, spaces: number): string {
  return text.replaceAll("\n", `\n${" ".repeat(spaces)}`);
}
