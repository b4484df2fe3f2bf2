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
import { createPdfNames, createZipArchive, PATH_TEMPLATE } from "../../../src/paper/pdf-files.ts";
import { makePath } from "../../../src/foundation/system.ts";
import { describeFileError } from "../../file-errors.ts";
import { exists, startFile, writePdf } from "../../output-files.ts";

/** Flags of `documents pdf`. */
interface RangeOptions {
  /** A folder, which is created if it does not exist; or else an archive. */
  out?: string;
  zip?: string;
  /** The template of the paths. */
  name?: string;
  merchant?: string;
  /** Receipts are retail documents only; the others stay A4. */
  format?: PaperFormat;
  force?: true;
}

/** Issue dates, both included; or the name of one document. */
type Which = { from: string; through: string } | string;

interface Counts {
  written: number;
  /** Files that existed. */
  skipped: number;
  failed: number;
}

/** Reports and counts documents that fail, and continues with the others. */
export async function writeRange(
  context: CommandContext,
  which: Which,
  options: RangeOptions,
): Promise<Outcome> {
  const { io } = context;
  const { out, zip = "", name: template = PATH_TEMPLATE, force = false } = options;
  const counts: Counts = { written: 0, skipped: 0, failed: 0 };
  const failures: Text[] = [];
  await using target = out === undefined ? await startArchive(io, zip) : startFolder(io, out, force);
  await context.interruptible(async (appliance, mode, signal) => {
    const { documents, period } = await chosenDocuments(appliance, mode, which, options);
    const names = await createPdfNames(appliance, mode, template, period);
    const writeDocument = async (document: DocumentObject) => {
      const name = await names.nameOf(document);
      if (await target.has(name)) {
        counts.skipped += 1;
        return;
      }
      try {
        const format = isRetail(document) ? options.format : undefined;
        const { bytes } = await getDocumentPdf(appliance, mode, document.id, format);
        await target.add(name, bytes);
        counts.written += 1;
      } catch (error) {
        // An error about the document concerns only this one; any other, such as a full disk, concerns all of them.
        if (!(error instanceof AppError)) throw error;
        const about = sameInBoth(`fiscal: ${document.id} (${formatNumber(document)})`);
        failures.push(joinTexts([about, error.text], ": "));
        counts.failed += 1;
      }
    };
    await withProgress(io, { en: "writing", el: "εγγραφή" }, async (progress) => {
      for await (const document of documents) {
        if (signal.aborted) break;
        await writeDocument(document);
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
  const notes = context.options.json === true ? [] : [AGAIN];
  return { object: counts, shown, notes, exitCode: EXIT.failure };
}

async function chosenDocuments(
  appliance: Appliance,
  mode: Mode,
  which: Which,
  { merchant: owner }: RangeOptions,
): Promise<{
  documents: AsyncIterable<DocumentObject> | Iterable<DocumentObject>;
  period: { from: string; to: string };
}> {
  if (typeof which === "string") {
    const document = await findDocument(appliance, mode, which, { merchant: owner });
    const { issue_date: day } = document;
    return { documents: [document], period: { from: day, to: day } };
  }
  const { from, through } = which;
  const merchant = await merchantIdOf(appliance, owner);
  const dates = { "issue_date[gte]": from, "issue_date[lte]": through };
  const filters = { merchant, status: "issued" as const, ...dates };
  const documents = everyItem((page) => listDocuments(appliance, mode, { ...filters, ...page }));
  return { documents, period: { from, to: through } };
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
