/** The PDFs of a period or of some documents: the names of their files (docs/contract.md#pdf-files), and one ZIP archive of them. */
import type { Mode } from "../../storage/stored-values.ts";
import { listDocuments } from "../documents/list-documents.ts";
import { AppError } from "../foundation/errors.ts";
import { everyItem } from "../foundation/pages.ts";
import type { Context } from "../journal/context.ts";
import type { DocumentObject } from "../journal/document-object.ts";
import { getDocumentPdf } from "./document-pdf.ts";
import { pdfFileName, safeName } from "./paper.ts";
import { Zip, ZipPassThrough } from "fflate";
import { getMerchant } from "../merchants/merchants.ts";

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

export function createZipArchive() {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
  });
  return {
    /** Returns the next pieces of the archive. */
    add(name: string, bytes: Uint8Array): Uint8Array[] {
      const entry = new ZipPassThrough(name);
      zip.add(entry);
      entry.push(bytes, true);
      return pieces.splice(0);
    },
    /** Returns the last pieces. */
    end(): Uint8Array[] {
      zip.end();
      return pieces.splice(0);
    },
  };
}

/**
 * Documents with the same path, because they share series and number or differ only in characters that a path cannot have,
 * all get their id too. A file may be from an earlier run, so all documents that could have the same path are compared, not only
 * those that are written.
 */
export async function createPdfNames(
  context: Context,
  mode: Mode,
  template: string,
  period: { from: string; to: string },
) {
  const merchants = new Map<string, string>();
  const plainPath = async (document: DocumentObject): Promise<string> => {
    const { merchant } = document;
    const known = merchants.get(merchant) ?? (await getMerchant(context, merchant)).external_id;
    merchants.set(merchant, known);
    return pathOf(template, document, known);
  };
  const uses = new Map<string, number>();
  const comparable = template.includes("{year}") ? wholeYears(period) : {};
  const filters = { status: "issued" as const, ...comparable };
  for await (const document of everyItem((page) => listDocuments(context, mode, { ...filters, ...page }))) {
    const key = keyOf(await plainPath(document));
    uses.set(key, (uses.get(key) ?? 0) + 1);
  }
  return {
    /** Relative to the folder or archive. */
    async nameOf(document: DocumentObject): Promise<string> {
      const path = await plainPath(document);
      const isShared = (uses.get(keyOf(path)) ?? 0) > 1;
      return `${path}${isShared ? `-${document.id.replace("doc_", "")}` : ""}.pdf`;
    },
  };
}

/** Windows and macOS do not tell capital letters apart. */
function keyOf(path: string): string {
  return path.toLowerCase();
}

function wholeYears({ from, to }: { from: string; to: string }) {
  return { "issue_date[gte]": `${from.slice(0, 4)}-01-01`, "issue_date[lte]": `${to.slice(0, 4)}-12-31` };
}

export const PATH_TEMPLATE = "{merchant}/{year}/{series}-{number}";

type Parts = Pick<DocumentObject, "id" | "issue_date" | "mark" | "number" | "series" | "type">;

const VALUES = {
  merchant: (_document: Parts, merchant: string) => merchant,
  year: ({ issue_date: day }: Parts) => day.slice(0, 4),
  month: ({ issue_date: day }: Parts) => day.slice(5, 7),
  day: ({ issue_date: day }: Parts) => day.slice(8, 10),
  type: ({ type }: Parts) => type,
  series: ({ series }: Parts) => series ?? "",
  number: ({ number }: Parts) => String(number ?? ""),
  mark: ({ mark }: Parts) => mark ?? "",
  id: ({ id }: Parts) => id.replace("doc_", ""),
} as const;

export const PATH_WORDS = Object.keys(VALUES) as (keyof typeof VALUES)[];

const PLACE = /\{(\w*)\}/g;

/** The words in braces that are not known, and whether the others tell documents apart. */
export function checkTemplate(template: string): { unknown: string[]; isDistinct: boolean } {
  const words = [...template.matchAll(PLACE)].map(([, word = ""]) => word);
  const has = (word: keyof typeof VALUES) => words.includes(word);
  return {
    unknown: words.filter((word) => !(PATH_WORDS as string[]).includes(word)),
    isDistinct: has("id") || has("mark") || (has("series") && has("number")),
  };
}

/** The path without its ending, with `/` between names. Each name is safe, so that the path never leaves its folder. */
export function pathOf(template: string, document: Parts, merchant: string): string {
  const names = template.replace(/\.pdf$/i, "").split("/");
  return names
    .filter((name) => name.trim() !== "")
    .map((name) =>
      name.replace(PLACE, (_match, word: string) =>
        VALUES[word as keyof typeof VALUES](document, merchant).replaceAll("/", "-"),
      ),
    )
    .map(safeName)
    .join("/");
}
