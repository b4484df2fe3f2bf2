/** What `fiscal documents pdf --from --to --out` does: a file for each document that was issued in a range of days. */
import { join, resolve } from "node:path";
import type { Appliance } from "../../src/appliance.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { makePath } from "../../storage/folder.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { CommandContext } from "../context.ts";
import { formatNumber } from "./document-view.ts";
import { EXIT, type ExitCode, InterruptedError } from "../exit.ts";
import { asUsageError } from "../input.ts";
import { listenForInterrupt, say, tell, tellTrouble } from "../io.ts";
import { everyItem } from "../lists.ts";
import { merchantIdOf } from "../merchants/find-merchant.ts";
import { isThere, writePdf } from "./pdf-file.ts";
import { printJson } from "../ui/json.ts";
import { startProgress } from "../ui/progress.ts";

export interface RangeOptions {
  /** Issue dates, both included. */
  from: string;
  to: string;
  /** The folder; made where it is not there. */
  out: string;
  merchant: string | undefined;
  force: boolean;
}

interface Counts {
  written: number;
  /** Files that were there already. */
  skipped: number;
  failed: number;
}

/** One that fails is told and counted, and the others go on. */
export async function writeRange(context: CommandContext, options: RangeOptions): Promise<ExitCode> {
  const { io } = context;
  const counts: Counts = { written: 0, skipped: 0, failed: 0 };
  const failures: string[] = [];
  const interrupt = listenForInterrupt(io);
  try {
    makeFolder(resolve(io.cwd, options.out), options.out);
    await context.withAppliance(async (appliance, mode) => {
      const progress = await startProgress(io, "writing");
      try {
        for await (const document of await documentsOf(appliance, mode, options)) {
          if (interrupt.signal.aborted) break;
          const failure = await writeDocument(context, appliance, { document, mode, options, counts });
          if (failure !== undefined) failures.push(failure);
          progress.update(counts.written + counts.skipped + counts.failed);
        }
      } finally {
        progress.stop();
        for (const failure of failures) await tellTrouble(io, failure);
      }
    });
  } finally {
    interrupt.dispose();
  }
  if (interrupt.signal.aborted) throw interrupted(counts);
  await printCounts(context, counts);
  return counts.failed > 0 ? EXIT.failure : EXIT.done;
}

/** As open as the person's own folders are: the files in it are not. */
function makeFolder(path: string, name: string): void {
  try {
    makePath(path, 0o777);
  } catch (error) {
    throw asUsageError(error, name);
  }
}

/** Those of the range that have a MARK. */
async function documentsOf(
  appliance: Appliance,
  mode: Mode,
  options: RangeOptions,
): Promise<AsyncGenerator<DocumentObject>> {
  const { listDocuments } = await import("../../src/documents/list-documents.ts");
  const filters = {
    merchant: await merchantIdOf(appliance, options.merchant),
    status: "issued" as const,
    "issue_date[gte]": options.from,
    "issue_date[lte]": options.to,
  };
  return everyItem((page) => listDocuments(appliance, mode, { ...filters, ...page }));
}

/** Answers what went wrong, in a line for the person. */
async function writeDocument(
  context: CommandContext,
  appliance: Appliance,
  work: { document: DocumentObject; mode: Mode; options: RangeOptions; counts: Counts },
): Promise<string | undefined> {
  const { document, mode, options, counts } = work;
  const { getDocumentPdf } = await import("../../src/paper/document-pdf.ts");
  const name = join(options.out, await nameOf(document));
  const path = resolve(context.io.cwd, name);
  if (!options.force && (await isThere(path))) {
    counts.skipped += 1;
    return undefined;
  }
  try {
    const { bytes } = await getDocumentPdf(appliance, mode, document.id);
    await writePdf(path, name, bytes);
    counts.written += 1;
    return undefined;
  } catch (error) {
    // What the document's provider says is about this one; a disk that is full is about all of them.
    if (!(error instanceof AppError)) throw error;
    counts.failed += 1;
    return `fiscal: ${document.id} (${formatNumber(document)}): ${error.message}`;
  }
}

/**
 * With the id behind series and number: merchants, types and modes may each have the same ones, and a file that is there
 * must never be taken for another document's.
 */
async function nameOf({ id, series, number }: DocumentObject): Promise<string> {
  const { pdfFileName } = await import("../../src/paper/pdf-file-name.ts");
  // An issued document has both.
  const base = pdfFileName(series ?? "", number ?? 0).replace(/\.pdf$/, "");
  return `${base}-${id.replace("doc_", "")}.pdf`;
}

function sentenceOf({ written, skipped, failed }: Counts): string {
  return `${written} written, ${skipped} there already, ${failed} failed`;
}

function interrupted(counts: Counts): InterruptedError {
  return new InterruptedError(
    `interrupted: ${sentenceOf(counts)}. Run the same command again to go on: files that are there are skipped.`,
  );
}

async function printCounts(context: CommandContext, counts: Counts): Promise<void> {
  const { io } = context;
  if (context.options.json === true) return printJson(io.stdout, counts);
  await say(io, sentenceOf(counts));
  if (counts.failed > 0) await tell(io, "Run the same command again to get the rest.");
}
