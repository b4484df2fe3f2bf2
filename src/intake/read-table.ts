/** Turns the rows of a table into documents: each row is a line item, and the rows of one `reference` form a document. */
import type { Supplier } from "../numbering/counters.ts";
import { normaliseTaxCode } from "../domain/tax-number.ts";
import { validationError } from "../foundation/errors.ts";
import { DECIMAL_COLUMNS, type Decimals } from "./csv-dialect.ts";
import { foldName, type ForeignNames } from "./table-columns.ts";
import { createDraft, type Draft, GREEK_PREFIX, type TableDocument } from "./table-draft.ts";
import {
  describePlace,
  type Header,
  readHeader,
  type RowProblem,
  rowProblem,
  type RowWord,
} from "./table-header.ts";
import { cellOf, findShift, isNumber, type TableRow } from "./table-row.ts";

export interface TableOptions {
  supplier: Supplier;
  /** Today in Athens, `YYYY-MM-DD`. */
  today: string;
  /** Other names of columns and values; by default only ours are known. */
  names?: ForeignNames | undefined;
}

/** Yields the documents of a table whose rows come in arrays, the header first. */
export async function* readTable(
  batches: AsyncGenerator<TableRow[]>,
  table: TableOptions & { names: ForeignNames; word: RowWord; decimals: Decimals },
): AsyncGenerator<TableDocument> {
  const first = await batches.next();
  const [headRow, ...rows] = first.done === true ? [] : first.value;
  if (headRow === undefined) return;
  const header = readHeader(headRow.cells, headRow.line, table.word, table.names);
  const { decimals, supplier, today } = table;
  const references = createReferences(table.word);
  const scan = (row: TableRow) => {
    translate(row, header);
    references.note(cellOf(row, header, "reference"), row.line);
    if (findShift(row, header) !== undefined) return;
    noteDecimals(decimals, row, header);
    refuseOtherSupplier(row, header, supplier);
  };
  // A table that names its supplier is scanned to its end before the first document.
  const scansAll = header.places.has("supplier_tax_id");
  let draft: Draft | undefined;
  for await (const batch of withLookAhead(rows, batches, scansAll, scan)) {
    for (const row of batch) {
      refuseUnclearReference(row, header);
      const reference = cellOf(row, header, "reference");
      if (draft === undefined || (reference !== "" && reference !== draft.reference)) {
        if (draft !== undefined) yield draft.finish();
        const faults = references.findFaults(reference, row.line);
        const context = { header, decimals, supplier, today };
        draft = createDraft(context, reference === "" ? null : reference, row.line, faults);
      }
      draft.add(row);
    }
  }
  if (draft !== undefined) yield draft.finish();
}

/** Replaces a file's own words by our values, in place. */
function translate(row: TableRow, header: Header): void {
  for (const [place, meanings] of header.values) {
    const meaning = meanings.get(foldName(row.cells[place] ?? ""));
    if (meaning === undefined) continue;
    row.cells[place] = meaning;
    row.numbers?.delete(place);
  }
}

function noteDecimals(decimals: Decimals, row: TableRow, header: Header): void {
  for (const column of DECIMAL_COLUMNS) {
    if (isNumber(row, header, column)) continue;
    const text = cellOf(row, header, column);
    if (text !== "") decimals.note(text, row.line);
  }
}

/**
 * Throws for a shifted row unless the reference is its first cell, which a shift cannot reach. Otherwise the row could belong
 * to either document around it, and that one would be issued without it.
 */
function refuseUnclearReference(row: TableRow, header: Header): void {
  const shift = header.places.get("reference") === 0 ? undefined : findShift(row, header);
  if (shift !== undefined)
    throw validationError([{ ...describePlace(header.word, row.line), message: shift }]);
}

/** Throws for a row of another business, which refuses the whole table: docs/contract.md#supplier-column. */
function refuseOtherSupplier(row: TableRow, header: Header, { taxId }: Supplier): void {
  const named = normaliseTaxCode(cellOf(row, header, "supplier_tax_id")).replace(GREEK_PREFIX, "");
  // A spreadsheet drops leading zeros, which is harmless in a comparison.
  if (named === "" || named.padStart(taxId.length, "0") === taxId) return;
  const message = {
    en: "is not the tax number of the merchant that issues, so nothing in this file is accepted; is it another business's file?",
    el: "δεν είναι το ΑΦΜ της επιχείρησης που εκδίδει, οπότε δεν γίνεται δεκτό τίποτα από το αρχείο· μήπως είναι άλλης επιχείρησης;",
  };
  throw validationError([rowProblem(header.word, row.line, message, "supplier_tax_id")]);
}

/** Records where each reference occurs. */
function createReferences(word: RowWord) {
  const firstLines = new Map<string, number>();
  const returns = new Map<string, number>();
  let last = "";
  return {
    note(reference: string, line: number): void {
      if (reference === "" || reference === last) return;
      last = reference;
      if (!firstLines.has(reference)) firstLines.set(reference, line);
      else if (!returns.has(reference)) returns.set(reference, line);
    },
    /** The problem of a document with this reference that starts in `line`, where its rows are not together. */
    findFaults(reference: string, line: number): RowProblem[] {
      const again = returns.get(reference);
      if (again === undefined) return [];
      const first = firstLines.get(reference);
      const message = {
        en: `starts in ${word} ${first} and again in ${word} ${again}, with another between; the rows of one reference must be together`,
        el: `αρχίζει στη γραμμή ${first} και ξανά στη γραμμή ${again}, με άλλη ανάμεσα· οι γραμμές μιας αναφοράς πρέπει να είναι μαζί`,
      };
      return [rowProblem(word, line, message, "reference")];
    },
  };
}

/** At least this many rows are scanned ahead, so that no document is issued without rows that come later. */
const LOOK_AHEAD_ROWS = 5000;
/** Fewer rows are scanned ahead once they contain this many characters. */
const LOOK_AHEAD_CHARACTERS = 4_194_304;

/** Yields the rows in batches, after passing at least one further batch to `scan`. */
async function* withLookAhead(
  first: readonly TableRow[],
  rest: AsyncIterable<readonly TableRow[]>,
  scansAll: boolean,
  scan: (row: TableRow) => void,
): AsyncGenerator<readonly TableRow[]> {
  let scanned: readonly TableRow[] = [];
  for await (const batch of regroup(first, rest, scansAll)) {
    for (const row of batch) scan(row);
    yield scanned;
    scanned = batch;
  }
  yield scanned;
}

async function* regroup(
  first: readonly TableRow[],
  rest: AsyncIterable<readonly TableRow[]>,
  scansAll: boolean,
): AsyncGenerator<TableRow[]> {
  let batch: TableRow[] = [...first];
  let characters = 0;
  for await (const rows of rest) {
    for (const row of rows) {
      batch.push(row);
      for (const cell of row.cells) characters += cell.length;
    }
    const isFull = batch.length >= LOOK_AHEAD_ROWS || characters >= LOOK_AHEAD_CHARACTERS;
    if (scansAll || !isFull) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}
