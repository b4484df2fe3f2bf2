/** Writes a PDF for each document that was issued in a range of days. */
import { join, resolve } from "node:path";
import type { Appliance } from "../../../src/appliance.ts";
import { listDocuments } from "../../../src/documents/list-documents.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import { joinTexts, sameInBoth, type Text } from "../../../src/foundation/text.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { getDocumentPdf } from "../../../src/paper/document-pdf.ts";
import { pdfFileName } from "../../../src/paper/pdf-file-name.ts";
import { makePath } from "../../../storage/folder.ts";
import type { Mode } from "../../../storage/stored-values.ts";
import type { CommandContext } from "../../context.ts";
import { EXIT, type ExitCode, InterruptedError } from "../../exit.ts";
import { asUsageError } from "../../input.ts";
import { listenForInterrupt, printLine, printNote, printProblem } from "../../io.ts";
import { everyItem } from "../../lists.ts";
import { merchantIdOf } from "../../merchants/find-merchant.ts";
import { printJson } from "../../ui/json.ts";
import { startProgress } from "../../ui/progress.ts";
import { countText } from "../../ui/values.ts";
import { formatNumber } from "../document-view.ts";
import { exists, writePdf } from "./pdf-file.ts";

interface RangeOptions {
  /** Issue dates, both included. */
  from: string;
  to: string;
  /** Created if it does not exist. */
  out: string;
  merchant: string | undefined;
  force: boolean;
}

interface Counts {
  written: number;
  /** Files that existed. */
  skipped: number;
  failed: number;
}

/** Reports and counts documents that fail, and continues with the others. */
export async function writeRange(context: CommandContext, options: RangeOptions): Promise<ExitCode> {
  const { io } = context;
  const counts: Counts = { written: 0, skipped: 0, failed: 0 };
  const failures: Text[] = [];
  const interrupt = listenForInterrupt(io);
  try {
    createFolder(resolve(io.cwd, options.out), options.out);
    await context.withAppliance(async (appliance, mode) => {
      const progress = await startProgress(io, { en: "writing", el: "εγγραφή" });
      try {
        for await (const document of await issuedDocuments(appliance, mode, options)) {
          if (interrupt.signal.aborted) break;
          const failure = await writeDocument(context, appliance, { document, mode, options, counts });
          if (failure !== undefined) failures.push(failure);
          progress.update(counts.written + counts.skipped + counts.failed);
        }
      } finally {
        progress.stop();
        for (const failure of failures) await printProblem(io, failure);
      }
    });
  } finally {
    interrupt.dispose();
  }
  if (interrupt.signal.aborted) throw interrupted(counts);
  await printCounts(context, counts);
  return counts.failed > 0 ? EXIT.failure : EXIT.done;
}

/** With the default permissions; only the files in it are private. */
function createFolder(path: string, name: string): void {
  try {
    makePath(path, 0o777);
  } catch (error) {
    throw asUsageError(error, name);
  }
}

async function issuedDocuments(
  appliance: Appliance,
  mode: Mode,
  options: RangeOptions,
): Promise<AsyncGenerator<DocumentObject>> {
  const filters = {
    merchant: await merchantIdOf(appliance, options.merchant),
    status: "issued" as const,
    "issue_date[gte]": options.from,
    "issue_date[lte]": options.to,
  };
  return everyItem((page) => listDocuments(appliance, mode, { ...filters, ...page }));
}

/** Returns the failure, for the person. */
async function writeDocument(
  context: CommandContext,
  appliance: Appliance,
  work: { document: DocumentObject; mode: Mode; options: RangeOptions; counts: Counts },
): Promise<Text | undefined> {
  const { document, mode, options, counts } = work;
  const name = join(options.out, fileNameOf(document));
  const path = resolve(context.io.cwd, name);
  if (!options.force && (await exists(path))) {
    counts.skipped += 1;
    return undefined;
  }
  try {
    const { bytes } = await getDocumentPdf(appliance, mode, document.id);
    await writePdf(path, name, bytes);
    counts.written += 1;
    return undefined;
  } catch (error) {
    // An error about the document concerns only this one; any other, such as a full disk, concerns all of them.
    if (!(error instanceof AppError)) throw error;
    counts.failed += 1;
    return joinTexts([sameInBoth(`fiscal: ${document.id} (${formatNumber(document)})`), error.text], ": ");
  }
}

/**
 * Includes the id, because merchants, types and modes may share series and numbers, and an existing file must never be
 * mistaken for that of another document.
 */
function fileNameOf({ id, series, number }: DocumentObject): string {
  // An issued document has both.
  const base = pdfFileName(series ?? "", number ?? 0).replace(/\.pdf$/, "");
  return `${base}-${id.replace("doc_", "")}.pdf`;
}

function countsText(counts: Counts): Text {
  const written = countText(counts.written);
  const skipped = countText(counts.skipped);
  const failed = countText(counts.failed);
  return {
    en: `${written.en} written, ${skipped.en} already there, ${failed.en} failed`,
    el: `${written.el} γράφτηκαν, ${skipped.el} υπήρχαν ήδη, ${failed.el} απέτυχαν`,
  };
}

function interrupted(counts: Counts): InterruptedError {
  const { en, el } = countsText(counts);
  return new InterruptedError({
    en: `interrupted: ${en}. Run the same command again to continue: existing files are skipped.`,
    el: `διακόπηκε: ${el}. Εκτελέστε ξανά την ίδια εντολή για τη συνέχεια: όσα αρχεία υπάρχουν προσπερνιούνται.`,
  });
}

async function printCounts(context: CommandContext, counts: Counts): Promise<void> {
  const { io } = context;
  if (context.options.json === true) return printJson(io, counts);
  await printLine(io, countsText(counts));
  if (counts.failed > 0)
    await printNote(io, {
      en: "Run the same command again to get the rest.",
      el: "Εκτελέστε ξανά την ίδια εντολή για τα υπόλοιπα.",
    });
}
