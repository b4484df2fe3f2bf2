/** Reads the cells of a sheet. Runs in the thread that reads files, because a large or hostile workbook takes seconds. */
import { AppError } from "../foundation/errors.ts";
import { damaged, packWorkbook, unpackWorkbook } from "./workbook-archive.ts";
import { prepareSheet } from "./workbook-sheet.ts";

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
