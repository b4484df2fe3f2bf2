/** The PDFs of a period, or of some documents, as one ZIP archive, made while it is sent. */
import type { Mode } from "../../storage/stored-values.ts";
import { listDocuments } from "../documents/list-documents.ts";
import { AppError } from "../foundation/errors.ts";
import { everyItem } from "../foundation/pages.ts";
import type { Context } from "../journal/context.ts";
import type { DocumentObject } from "../journal/document-object.ts";
import { getDocumentPdf } from "./document-pdf.ts";
import { createPdfNames, PATH_TEMPLATE, pdfFileName } from "./pdf-names.ts";
import { Zip, ZipPassThrough } from "fflate";

/** Issue dates, both inclusive. */
interface ArchivePeriod {
  mode: Mode;
  from: string;
  through: string;
  merchantId?: string | undefined;
}

/** Names the documents without a PDF, such as those whose provider has not made it yet. */
const MISSING_FILE = "missing.txt";

/** The archive's bytes. One document is read at a time, only when the bytes before it were taken. */
export async function* archivePdfs(
  context: Context,
  { mode, from, through, merchantId }: ArchivePeriod,
): AsyncGenerator<Uint8Array> {
  const names = await createPdfNames(context, mode, PATH_TEMPLATE, { from, to: through });
  const filters = {
    merchant: merchantId,
    status: "issued" as const,
    "issue_date[gte]": from,
    "issue_date[lte]": through,
  };
  const documents = everyItem((page) => listDocuments(context, mode, { ...filters, ...page }));
  yield* archiveOf(context, mode, documents, (document) => names.nameOf(document));
}

/** The archive of these documents, each under its series and number. */
export function archiveChosen(
  context: Context,
  mode: Mode,
  documents: readonly DocumentObject[],
): AsyncGenerator<Uint8Array> {
  const used = new Set<string>();
  return archiveOf(context, mode, documents, async ({ id, series, number }) => {
    const name = pdfFileName(series ?? "", number ?? 0);
    const isUsed = used.has(name.toLowerCase());
    used.add(name.toLowerCase());
    return isUsed ? `${id}-${name}` : name;
  });
}

async function* archiveOf(
  context: Context,
  mode: Mode,
  documents: AsyncIterable<DocumentObject> | Iterable<DocumentObject>,
  nameOf: (document: DocumentObject) => Promise<string>,
): AsyncGenerator<Uint8Array> {
  const archive = createZipArchive();
  const missing: string[] = [];
  for await (const document of documents) {
    try {
      const { bytes } = await getDocumentPdf(context, mode, document.id);
      yield* archive.add(await nameOf(document), bytes);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      missing.push(`${document.id}: ${error.message}\n`);
    }
  }
  if (missing.length > 0) yield* archive.add(MISSING_FILE, new TextEncoder().encode(missing.join("")));
  yield* archive.end();
}

export interface ZipArchive {
  /** Returns the next pieces of the archive. */
  add(name: string, bytes: Uint8Array): Uint8Array[];
  /** Returns the last pieces. */
  end(): Uint8Array[];
}

export function createZipArchive(): ZipArchive {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
  });
  return {
    add(name, bytes) {
      const entry = new ZipPassThrough(name);
      zip.add(entry);
      entry.push(bytes, true);
      return pieces.splice(0);
    },
    end() {
      zip.end();
      return pieces.splice(0);
    },
  };
}
