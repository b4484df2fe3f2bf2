/** Writes a PDF for each document that was issued in a range of days, or for one document, below a folder or into an archive. */
import type { Appliance } from "../../../src/appliance.ts";
import { listDocuments } from "../../../src/documents/list-documents.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import { everyItem } from "../../../src/foundation/pages.ts";
import { joinTexts, sameInBoth, type Text } from "../../../src/foundation/text.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { getDocumentPdf, isRetail } from "../../../src/paper/document-pdf.ts";
import type { PaperFormat } from "../../../src/paper/paper.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import type { CommandContext } from "../../context.ts";
import { EXIT, InterruptedError } from "../../exit.ts";
import { printProblem, type ProgramIo } from "../../io.ts";
import { merchantIdOf } from "../../merchants/find-merchant.ts";
import type { Outcome } from "../../define.ts";
import { withProgress } from "../../ui/progress.ts";
import { countText } from "../../../src/operations/view.ts";
import { formatNumber } from "../../../src/operations/document-view.ts";
import { findDocument } from "../find-document.ts";
import { dirname, join, resolve } from "node:path";
import { createPdfNames, createZipArchive, type PdfNames } from "../../../src/paper/pdf-files.ts";
import { makePath } from "../../../src/foundation/system.ts";
import { describeFileError } from "../../file-errors.ts";
import { exists, startFile, writePdf } from "../../output-files.ts";

interface RangeOptions {
  /** Issue dates, both included; or one document. */
  which: { from: string; to: string } | { reference: string };
  /** A folder, which is created if it does not exist, or an archive. */
  to: { folder: string } | { archive: string };
  template: string;
  merchant: string | undefined;
  /** Receipts are retail documents only; the others stay A4. */
  format: PaperFormat | undefined;
  force: boolean;
}

interface Counts {
  written: number;
  /** Files that existed. */
  skipped: number;
  failed: number;
}

/** Reports and counts documents that fail, and continues with the others. */
export async function writeRange(context: CommandContext, options: RangeOptions): Promise<Outcome> {
  const { io } = context;
  const { format } = options;
  const counts: Counts = { written: 0, skipped: 0, failed: 0 };
  const failures: Text[] = [];
  await using target =
    "archive" in options.to
      ? await startArchive(io, options.to.archive)
      : startFolder(io, options.to.folder, options.force);
  await context.interruptible(async (appliance, mode, signal) => {
    const { documents, period } = await chosenDocuments(appliance, mode, options);
    const names = await createPdfNames(appliance, mode, options.template, period);
    await withProgress(io, { en: "writing", el: "εγγραφή" }, async (progress) => {
      for await (const document of documents) {
        if (signal.aborted) break;
        const failure = await writeDocument(appliance, { document, mode, names, target, counts, format });
        if (failure !== undefined) failures.push(failure);
        progress.update(counts.written + counts.skipped + counts.failed);
      }
    }).finally(async () => {
      for (const failure of failures) await printProblem(io, failure);
    });
    if (signal.aborted) throw interrupted(counts);
  });
  await target.finish();
  const shown = countsText(counts);
  if (counts.failed === 0) return { object: counts, shown };
  return {
    object: counts,
    shown,
    notes: context.options.json === true ? [] : [AGAIN],
    exitCode: EXIT.failure,
  };
}

async function chosenDocuments(
  appliance: Appliance,
  mode: Mode,
  { which, merchant }: RangeOptions,
): Promise<{
  documents: AsyncIterable<DocumentObject> | Iterable<DocumentObject>;
  period: { from: string; to: string };
}> {
  if ("reference" in which) {
    const document = await findDocument(appliance, mode, which.reference, { merchant });
    const { issue_date: day } = document;
    return { documents: [document], period: { from: day, to: day } };
  }
  const filters = {
    merchant: await merchantIdOf(appliance, merchant),
    status: "issued" as const,
    "issue_date[gte]": which.from,
    "issue_date[lte]": which.to,
  };
  const documents = everyItem((page) => listDocuments(appliance, mode, { ...filters, ...page }));
  return { documents, period: which };
}

/** Returns the failure, for the person. */
async function writeDocument(
  appliance: Appliance,
  work: {
    document: DocumentObject;
    mode: Mode;
    names: PdfNames;
    target: PdfTarget;
    counts: Counts;
    format: PaperFormat | undefined;
  },
): Promise<Text | undefined> {
  const { document, mode, names, target, counts } = work;
  const format = isRetail(document) ? work.format : undefined;
  const name = await names.nameOf(document);
  if (await target.has(name)) {
    counts.skipped += 1;
    return undefined;
  }
  try {
    const { bytes } = await getDocumentPdf(appliance, mode, document.id, format);
    await target.add(name, bytes);
    counts.written += 1;
    return undefined;
  } catch (error) {
    // An error about the document concerns only this one; any other, such as a full disk, concerns all of them.
    if (!(error instanceof AppError)) throw error;
    counts.failed += 1;
    return joinTexts([sameInBoth(`fiscal: ${document.id} (${formatNumber(document)})`), error.text], ": ");
  }
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

const AGAIN: Text = {
  en: "Run the same command again to get the rest.",
  el: "Εκτελέστε ξανά την ίδια εντολή για τα υπόλοιπα.",
};

interface PdfTarget extends AsyncDisposable {
  /** Whether the file is there already, so that it need not be written. */
  has(name: string): Promise<boolean>;
  add(name: string, bytes: Uint8Array): Promise<void>;
  finish(): Promise<void>;
}

/** The files of an interrupted run stay, and are skipped by the next one. */
function startFolder(io: ProgramIo, folder: string, force: boolean): PdfTarget {
  createFolder(resolve(io.cwd, folder), folder);
  return {
    has: async (name) => !force && (await exists(resolve(io.cwd, folder, name))),
    async add(name, bytes) {
      const path = join(folder, name);
      createFolder(dirname(resolve(io.cwd, path)), dirname(path));
      await writePdf(io, path, bytes);
    },
    async finish() {},
    async [Symbol.asyncDispose]() {},
  };
}

/** With the default permissions; only the files in it are private. */
function createFolder(path: string, name: string): void {
  try {
    makePath(path, 0o777);
  } catch (error) {
    throw describeFileError(error, name);
  }
}

/** Written as it grows. */
async function startArchive(io: ProgramIo, path: string): Promise<PdfTarget> {
  const file = await startFile(io, path);
  const archive = createZipArchive();
  const write = async (pieces: readonly Uint8Array[]) => {
    for (const piece of pieces) await file.write(piece);
  };
  return {
    has: async () => false,
    add: (name, bytes) => write(archive.add(name, bytes)),
    async finish() {
      await write(archive.end());
      await file.finish();
    },
    [Symbol.asyncDispose]: file[Symbol.asyncDispose],
  };
}
