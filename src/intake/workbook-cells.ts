/** Reads the cells of a sheet. Runs in the thread that reads files, because a large or hostile workbook takes seconds. */
import { AppError } from "../foundation/errors.ts";
import { unzipSync, zipSync } from "fflate";

export type Cell = string | number | boolean | Date | null;

/** Rows in each part that is passed on. */
const PART_ROWS = 1000;

/** Yields the rows of the sheet in parts. Throws `validation_failed` where the workbook cannot be read or has no such sheet. */
export async function* readCells(bytes: Buffer, sheet: string | undefined): AsyncGenerator<Cell[][]> {
  const rows = await readAllCells(bytes, sheet);
  for (let start = 0; start < rows.length; start += PART_ROWS) yield rows.slice(start, start + PART_ROWS);
}

async function readAllCells(bytes: Buffer, sheet: string | undefined): Promise<Cell[][]> {
  const files = unpackWorkbook(bytes);
  for (const [name, content] of files) {
    if (/worksheets\/[^/]+\.xml$/i.test(name)) files.set(name, prepareSheet(content));
  }
  const { readSheet, SheetNotFoundError } = await import("read-excel-file/node");
  try {
    // read-excel-file has no size limits of its own, so it gets only files unpacked within ours.
    return (await readSheet(packWorkbook(files), sheet ?? 1)) as unknown as Cell[][];
  } catch (error) {
    if (error instanceof SheetNotFoundError) throw noSuchSheet(sheetNames(files));
    throw damaged(error);
  }
}

/** As in the XML: the few characters that XML escapes are shown escaped. */
function sheetNames(files: ReadonlyMap<string, Buffer>): string[] {
  const workbook = files.get("xl/workbook.xml")?.toString("utf8") ?? "";
  return [...workbook.matchAll(/<sheet\b[^<>]*?\sname="([^"]*)"/g)].map(([, name = ""]) => name);
}

function noSuchSheet(sheets: readonly string[]): AppError {
  const names = sheets.join(", ");
  return new AppError("validation_failed", {
    en: `The workbook has no sheet of that name; it has: ${names}`,
    el: `Το βιβλίο εργασίας δεν έχει φύλλο με αυτό το όνομα· έχει: ${names}`,
  });
}

/** Largest packed workbook; the file is read into memory. */
export const WORKBOOK_BYTES_MAX = 16 * 1024 * 1024;
/** Unpacked: about 60,000 rows of documents. Reading them briefly takes several times as much memory. */
const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;
/** A workbook with a hundred sheets contains about 300 files. */
const FILES_MAX = 2000;

/**
 * Returns the XML files of a workbook by name. Throws `validation_failed` for a file that is not an archive, and for one above
 * the limits: declared sizes are checked before anything is unpacked, and no file may unpack to more than it declares.
 */
function unpackWorkbook(bytes: Buffer): Map<string, Buffer> {
  if (bytes.length > WORKBOOK_BYTES_MAX) throw tooLarge();
  let count = 0;
  let packed = 0;
  let unpacked = 0;
  const files = unzip(bytes, ({ name, size, originalSize }) => {
    count += 1;
    if (count > FILES_MAX) throw tooLarge();
    packed += size;
    // Entries that share bytes of the archive unpack to many times its size.
    if (packed > bytes.length) throw damaged();
    if (!/\.(?:xml|rels)$/i.test(name)) return false;
    // A stored entry is as long as its bytes in the archive, whatever it declares.
    unpacked += Math.max(size, originalSize);
    if (unpacked > UNPACKED_BYTES_MAX) throw tooLarge();
    return true;
  });
  return new Map(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)]));
}

type Filter = (file: { name: string; size: number; originalSize: number }) => boolean;

function unzip(bytes: Buffer, filter: Filter): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    throw error instanceof AppError ? error : damaged(error);
  }
}

/** Packs `files` into an archive without compression. */
export function packWorkbook(files: ReadonlyMap<string, Buffer>): Buffer {
  return Buffer.from(zipSync(Object.fromEntries(files), { level: 0 }));
}

function tooLarge(): AppError {
  return new AppError("validation_failed", {
    en: "The workbook is larger than allowed (16 MB, or 64 MB unpacked); save the sheet as CSV UTF-8, which may be of any size",
    el: "Το βιβλίο εργασίας υπερβαίνει το επιτρεπτό μέγεθος (16 MB, ή 64 MB αποσυμπιεσμένο)· αποθηκεύστε το φύλλο ως CSV UTF-8, που μπορεί να έχει οποιοδήποτε μέγεθος",
  });
}

function damaged(cause?: unknown): AppError {
  const text = {
    en: "The workbook cannot be read: it is damaged, password-protected, or not an .xlsx file; save it again as Excel workbook (.xlsx) or as CSV UTF-8",
    el: "Το βιβλίο εργασίας δεν διαβάζεται: είναι κατεστραμμένο, προστατεύεται με κωδικό ή δεν είναι αρχείο .xlsx· αποθηκεύστε το ξανά ως βιβλίο εργασίας Excel (.xlsx) ή ως CSV UTF-8",
  };
  return new AppError("validation_failed", text, cause === undefined ? {} : { cause });
}

/** Cells of the rectangle from A1 to the farthest row and column: 100 columns by 100,000 rows. */
const RECTANGLE_MAX = 10_000_000;
/** Excel's last row and column. */
const ROW_MAX = 1_048_576;
const COLUMN_MAX = 16_384;

/** Formatted but empty. */
const EMPTY_CELL = /<c\b[^<>]*\/>/g;
const EMPTY_ROW = /<row\b[^<>]*\/>/g;
const ERROR_CELL = /(<c\b[^<>]*)\st\s*=\s*["']e["']/g;
/** A formula without a value: some programs leave computing it to Excel. */
const UNCOMPUTED_CELL = /<c\b([^<>]*)>\s*<f\b(?:[^<>]*\/>|[^<>]*>[^<]*<\/f>)\s*<\/c>/g;
const CELL_TYPE = /\st\s*=\s*(?:"[^"]*"|'[^']*')/;
const ADDRESS = /<(?:c|row)\b[^<>]*?\sr\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ADDRESS_FORM = /^([A-Z]{0,3})([0-9]{1,7})$/;

/** Written into the cell of a formula without a value. */
const NO_VALUE = "#VALUE!";

/**
 * Removes empty cells and makes formulas without a value visible errors. Throws `validation_failed` where the sheet is too
 * wide or too long. The patterns look at no character twice, because the file may be hostile.
 */
function prepareSheet(xml: Buffer): Buffer {
  const text = xml
    .toString("utf8")
    .replace(EMPTY_CELL, "")
    .replace(EMPTY_ROW, "")
    .replace(ERROR_CELL, '$1 t="str"')
    .replace(UNCOMPUTED_CELL, (_cell, attributes: string) => {
      return `<c${attributes.replace(CELL_TYPE, "")} t="str"><v>${NO_VALUE}</v></c>`;
    });
  checkExtent(text);
  return Buffer.from(text);
}

function checkExtent(text: string): void {
  let rows = 1;
  let columns = 1;
  for (const [, quoted, apostrophed = ""] of text.matchAll(ADDRESS)) {
    const [, letters, digits] = ADDRESS_FORM.exec(quoted ?? apostrophed) ?? [];
    if (letters === undefined || digits === undefined) throw tooFar();
    rows = Math.max(rows, Number(digits));
    columns = Math.max(columns, columnNumber(letters));
  }
  if (rows > ROW_MAX || columns > COLUMN_MAX || rows * columns > RECTANGLE_MAX) throw tooFar();
}

/** `A` is 1, `AA` 27. */
function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

function tooFar(): AppError {
  return new AppError("validation_failed", {
    en: "The sheet has a cell too far to the right or too far down to be read; delete it, or save the sheet as CSV UTF-8",
    el: "Το φύλλο έχει κελί πολύ δεξιά ή πολύ κάτω για να διαβαστεί· διαγράψτε το ή αποθηκεύστε το φύλλο ως CSV UTF-8",
  });
}
