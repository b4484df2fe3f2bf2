/** CSV files in memory, and what is read of them. */
import type { CsvBody, CsvDocument } from "../../src/intake/csv-draft.ts";
import { readCsvDocuments } from "../../src/intake/csv.ts";

export const SUPPLIER = { taxId: "123456783", branch: 0 };
/** After every date of these files. */
export const TODAY = "2026-12-31";

/** The bytes cut at `cuts`, which are positions in any order. */
export async function* chunksOf(bytes: Buffer, cuts: readonly number[] = []): AsyncGenerator<Buffer> {
  const places = [...new Set(cuts.filter((cut) => cut > 0 && cut < bytes.length))].sort((a, b) => a - b);
  let start = 0;
  for (const place of [...places, bytes.length]) {
    yield bytes.subarray(start, place);
    start = place;
  }
}

export async function readCsv(file: string | Buffer, cuts?: readonly number[]): Promise<CsvDocument[]> {
  const documents: CsvDocument[] = [];
  const bytes = typeof file === "string" ? Buffer.from(file) : file;
  for await (const document of readCsvDocuments(chunksOf(bytes, cuts), { supplier: SUPPLIER, today: TODAY }))
    documents.push(document);
  return documents;
}

/** The bodies of a file that has nothing wrong in it. */
export async function readBodies(file: string | Buffer, cuts?: readonly number[]): Promise<CsvBody[]> {
  return (await readCsv(file, cuts)).map((document) => {
    if ("body" in document) return document.body;
    throw new Error(
      `Refused: ${document.problems.map(({ path, message }) => `${path}: ${message}`).join("; ")}`,
    );
  });
}

/** What is wrong in a file, each as `path: message`. */
export async function readProblems(file: string | Buffer): Promise<string[]> {
  const documents = await readCsv(file);
  return documents.flatMap((document) =>
    "problems" in document ? document.problems.map(({ path, message }) => `${path}: ${message}`) : [],
  );
}

/** A file of rows given by column. Columns that no row has are left out; cells are quoted. */
export function csvOfRows(rows: readonly Readonly<Record<string, string>>[], delimiter = ";"): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => columns.map((column) => `"${(row[column] ?? "").replaceAll('"', '""')}"`));
  return [columns, ...lines].map((cells) => `${cells.join(delimiter)}\n`).join("");
}

/** A right row of a retail receipt, but for what is given. */
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
