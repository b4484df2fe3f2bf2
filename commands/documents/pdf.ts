/** What `fiscal documents pdf` does for one document. */
import { resolve } from "node:path";
import type { CommandContext } from "../context.ts";
import { documentNamed } from "./find-document.ts";
import { type ExitCode, UsageError } from "../exit.ts";
import { write } from "../io.ts";
import { isThere, writePdf } from "./pdf-file.ts";
import { printJson } from "../ui/json.ts";

export interface PdfOptions {
  /** A path, or `-`. */
  output?: string;
  from?: string;
  to?: string;
  out?: string;
  merchant?: string;
  force?: boolean;
}

export async function runPdf(
  context: CommandContext,
  name: string | undefined,
  options: PdfOptions,
): Promise<ExitCode | void> {
  const { output, from, to, out, merchant, force = false } = options;
  if (name !== undefined) {
    if (from !== undefined || to !== undefined || out !== undefined)
      throw new UsageError(
        "--from, --to and --out are for every document of a range: leave the document out",
      );
    return writeOne(context, name, { output, merchant, force });
  }
  if (output !== undefined) throw new UsageError("--output is for one document: name it, or use --out");
  if (from === undefined || to === undefined || out === undefined)
    throw new UsageError(
      "the document is missing: name one, or give --from, --to and --out for every one of a range",
    );
  if (from > to) throw new UsageError("--from is later than --to");
  const { writeRange } = await import("./pdf-range.ts");
  return writeRange(context, { from, to, out, merchant, force });
}

interface OneOptions {
  output: string | undefined;
  merchant: string | undefined;
  force: boolean;
}

async function writeOne(context: CommandContext, name: string, options: OneOptions): Promise<void> {
  const { io } = context;
  const { output, merchant, force } = options;
  const isJson = context.options.json === true;
  if (output === "-") refuseStdout(io.stdout.isTTY === true, isJson);
  const { getDocumentPdf } = await import("../../src/paper/document-pdf.ts");
  const { pdfFileName } = await import("../../src/paper/pdf-file-name.ts");
  await context.withAppliance(async (appliance, mode) => {
    const of = merchant === undefined ? {} : { merchant };
    const { id, series, number } = await documentNamed(appliance, mode, name, of);
    // Before the PDF is made: a provider may be asked for it.
    const isNumbered = series !== null && number !== null;
    const file = output ?? (isNumbered ? pdfFileName(series, number) : undefined);
    if (file !== undefined && file !== "-" && !force && (await isThere(resolve(io.cwd, file))))
      throw new UsageError(
        `${file} is there already; add --force to write over it, or give another --output`,
      );
    const pdf = await getDocumentPdf(appliance, mode, id);
    if (file === "-") return write(io.stdout, pdf.bytes);
    const target = file ?? pdf.fileName;
    await writePdf(resolve(io.cwd, target), target, pdf.bytes);
    if (isJson) return printJson(io.stdout, { document: id, file: target, bytes: pdf.bytes.length });
    return write(io.stdout, `${target}\n`);
  });
}

function refuseStdout(isTerminal: boolean, isJson: boolean): void {
  if (isJson) throw new UsageError("--json and --output - both want standard output; give a file");
  if (isTerminal)
    throw new UsageError("a PDF is not for a terminal: give a file with --output, or send it into a pipe");
}
