/** Turns the rows of a table into documents: each row is a line item, and the rows of one `reference` form a document. */
import type { Supplier } from "../numbering/counters.ts";
import { normaliseTaxCode } from "../domain/tax-number.ts";
import { validationError } from "../foundation/errors.ts";
import { DECIMAL_COLUMNS, type Decimals } from "./csv-dialect.ts";
import type { ForeignNames } from "./table-columns.ts";
import { createDraft, type Draft, GREEK_PREFIX, type TableDocument } from "./table-draft.ts";
import { describePlace, readHeader, type RowProblem, rowProblem } from "./table-header.ts";
import { cellOf, isNumber, placeRow, type PlacedRow, type TableRow } from "./table-row.ts";

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
  { names, decimals, supplier, today }: TableOptions & { names: ForeignNames; decimals: Decimals },
): AsyncGenerator<TableDocument> {
  const first = await batches.next();
  const [headRow, ...rows] = first.done === true ? [] : first.value;
  if (headRow === undefined) return;
  const header = readHeader(headRow.cells, headRow.line, names);
  const references = createReferences();
  const scan = (given: TableRow): PlacedRow => {
    const row = placeRow(given, header);
    references.note(cellOf(row, "reference"), row.line);
    if (row.shift !== undefined) return row;
    noteDecimals(decimals, row);
    refuseOtherSupplier(row, supplier);
    return row;
  };
  // A table that names its supplier is scanned to its end before the first document.
  const scansAll = header.places.has("supplier_tax_id");
  const isReferenceFirst = header.places.get("reference") === 0;
  let draft: Draft | undefined;
  for await (const batch of withLookAhead(rows, batches, scansAll, scan)) {
    for (const row of batch) {
      if (!isReferenceFirst) refuseUnclearReference(row);
      const reference = cellOf(row, "reference");
      if (draft === undefined || (reference !== "" && reference !== draft.reference)) {
        if (draft !== undefined) yield draft.finish();
        const faults = references.findFaults(reference, row.line);
        draft = createDraft({ decimals, supplier, today }, reference || null, row.line, faults);
      }
      draft.add(row);
    }
  }
  if (draft !== undefined) yield draft.finish();
}

function noteDecimals(decimals: Decimals, row: PlacedRow): void {
  for (const column of DECIMAL_COLUMNS) {
    const text = cellOf(row, column);
    if (text !== "" && !isNumber(row, column)) decimals.note(text, row.line);
  }
}

/** Throws for a shifted row, whose reference may be that of another document. A shift cannot reach a reference in the first cell. */
function refuseUnclearReference({ shift, line }: PlacedRow): void {
  if (shift !== undefined) throw validationError([{ ...describePlace(line), message: shift }]);
}

/** Throws for a row of another business, which refuses the whole table: docs/contract.md#supplier-column. */
function refuseOtherSupplier(row: PlacedRow, { taxId }: Supplier): void {
  const named = normaliseTaxCode(cellOf(row, "supplier_tax_id")).replace(GREEK_PREFIX, "");
  // A spreadsheet drops leading zeros, which is harmless in a comparison.
  if (named === "" || named.padStart(taxId.length, "0") === taxId) return;
  const message = {
    en: "is not the tax number of the merchant that issues, so nothing in this file is accepted; is it another business's file?",
    el: "δεν είναι το ΑΦΜ της επιχείρησης που εκδίδει, οπότε δεν γίνεται δεκτό τίποτα από το αρχείο· μήπως είναι άλλης επιχείρησης;",
  };
  throw validationError([rowProblem(row.line, message, "supplier_tax_id")]);
}

/** Records where each reference occurs. */
function createReferences() {
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
        en: `starts in line ${first} and again in line ${again}, with another between; the rows of one reference must be together`,
        el: `αρχίζει στη γραμμή ${first} και ξανά στη γραμμή ${again}, με άλλη ανάμεσα· οι γραμμές μιας αναφοράς πρέπει να είναι μαζί`,
      };
      return [rowProblem(line, message, "reference")];
    },
  };
}

/** At least this many rows are scanned ahead, so that no document is issued without rows that come later. */
const LOOK_AHEAD_ROWS = 5000;
/** Fewer rows are scanned ahead once they contain this many characters. */
const LOOK_AHEAD_CHARACTERS = 4_194_304;

/** Yields the scanned rows in batches, each only when the next one has been scanned. */
async function* withLookAhead(
  first: readonly TableRow[],
  rest: AsyncIterable<readonly TableRow[]>,
  scansAll: boolean,
  scan: (row: TableRow) => PlacedRow,
): AsyncGenerator<readonly PlacedRow[]> {
  let ready: PlacedRow[] = [];
  let ahead = first.map(scan);
  let characters = 0;
  for await (const rows of rest) {
    for (const row of rows) {
      ahead.push(scan(row));
      for (const cell of row.cells) characters += cell.length;
    }
    const isFull = ahead.length >= LOOK_AHEAD_ROWS || characters >= LOOK_AHEAD_CHARACTERS;
    if (scansAll || !isFull) continue;
    yield ready;
    ready = ahead;
    ahead = [];
    characters = 0;
  }
  yield ready;
  yield ahead;
}
