/** Reads CSV files that are built in memory. */
import type { TableBody, TableDocument } from "../../src/intake/table-draft.ts";
import { readTableDocuments } from "../../src/intake/open-table.ts";
import type { TableOptions } from "../../src/intake/read-table.ts";

export const SUPPLIER = { taxId: "123456783", branch: 0 };
/** Later than every date in these files. */
export const TODAY = "2026-12-31";

/** The bytes in chunks that end at `cuts` (positions in any order). */
export async function* chunksOf(bytes: Buffer, cuts: readonly number[] = []): AsyncGenerator<Buffer> {
  const places = [...new Set(cuts.filter((cut) => cut > 0 && cut < bytes.length))].sort((a, b) => a - b);
  let start = 0;
  for (const place of [...places, bytes.length]) {
    yield bytes.subarray(start, place);
    start = place;
  }
}

/** With the supplier and the day of these files. */
export const readTable = (source: AsyncGenerator<Buffer>, options: Partial<TableOptions> = {}) =>
  readTableDocuments(source, "csv", { supplier: SUPPLIER, today: TODAY, ...options });

export function readCsv(file: string | Buffer, cuts?: readonly number[]): Promise<TableDocument[]> {
  const bytes = typeof file === "string" ? Buffer.from(file) : file;
  return Array.fromAsync(readTable(chunksOf(bytes, cuts)));
}

/** The bodies of a file without problems; throws for any other file. */
export async function readBodies(file: string | Buffer, cuts?: readonly number[]): Promise<TableBody[]> {
  return (await readCsv(file, cuts)).map((document) => {
    if ("body" in document) return document.body;
    throw new Error(`Refused: ${describeProblems(document).join("; ")}`);
  });
}

/** The problems of a document, each as `path: message`; empty where it has none. */
export function describeProblems(document: TableDocument): string[] {
  return "problems" in document ? document.problems.map(({ path, message }) => `${path}: ${message.en}`) : [];
}

/** The problems of a whole file, each as `path: message`. */
export async function readProblems(file: string | Buffer): Promise<string[]> {
  return (await readCsv(file)).flatMap(describeProblems);
}

/** A file of rows given by column, with quoted cells and only the columns that a row has. */
export function csvOfRows(rows: readonly Readonly<Record<string, string>>[], delimiter = ";"): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => columns.map((column) => `"${(row[column] ?? "").replaceAll('"', '""')}"`));
  return [columns, ...lines].map((cells) => `${cells.join(delimiter)}\n`).join("");
}

/** A valid row of a retail receipt, except for the given cells. */
export function rowWith(cells: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    reference: "A-1",
    type: "11.1",
    issue_date: "2026-11-02",
    description: "Καφές",
    quantity: "2",
    unit_price: "5,00",
    vat_category: "24%",
    ...cells,
  };
}
