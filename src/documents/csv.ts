/**
 * CSV files as bodies for the API (decisions 13): one row a line item, rows of one `reference` make one document. What the
 * canonical document checks is left to it; told here is what only the file shows.
 */
import { type Problem, validationError } from "../errors.ts";
import { type Header, readHeader } from "./csv-columns.ts";
import { createDecimals, DECIMAL_COLUMNS, type Decimals } from "./csv-dialect.ts";
import { createDraft, type CsvDocument, type CsvSupplier, type Draft } from "./csv-draft.ts";
import { type CsvRecord, readRecords } from "./csv-records.ts";
import { cellOf, findShift, pathOfRow } from "./csv-row.ts";

export type { CsvDocument, CsvSupplier } from "./csv-draft.ts";

/**
 * The documents of `source` in order, each as soon as the rows after it have been looked at. Memory is that of some thousand
 * rows and of the references. Throws `validation_failed` where the file cannot be read on: no header, a quotation mark that
 * is not closed, bytes that are no text. A document whose last row was not reached is then not given.
 */
export async function* readCsvDocuments(
  source: AsyncIterable<Buffer>,
  options: { supplier: CsvSupplier },
): AsyncGenerator<CsvDocument> {
  const records = readRecords(source);
  try {
    const first = await records.next();
    if (first.done === true) return;
    const header = readHeader(first.value.cells, first.value.line);
    yield* gatherDocuments(records, header, options.supplier);
  } finally {
    await records.return(undefined);
  }
}

async function* gatherDocuments(
  records: AsyncIterable<CsvRecord>,
  header: Header,
  supplier: CsvSupplier,
): AsyncGenerator<CsvDocument> {
  const decimals = createDecimals();
  const references = createReferences();
  const file = { header, decimals, supplier };
  const note = (record: CsvRecord) => {
    references.note(cellOf(record, header, "reference"), record.line);
    if (findShift(record, header) === undefined) noteDecimals(decimals, record, header);
  };
  let draft: Draft | undefined;
  for await (const record of withLookAhead(records, note)) {
    refuseUnclearReference(record, header);
    const reference = cellOf(record, header, "reference");
    if (draft === undefined || (reference !== "" && reference !== draft.reference)) {
      if (draft !== undefined) yield draft.finish();
      const faults = references.faultsOf(reference, record.line);
      draft = createDraft(file, reference === "" ? null : reference, record.line, faults);
    }
    draft.add(record);
  }
  if (draft !== undefined) yield draft.finish();
}

function noteDecimals(decimals: Decimals, record: CsvRecord, header: Header): void {
  for (const column of DECIMAL_COLUMNS) {
    const text = cellOf(record, header, column);
    if (text !== "") decimals.note(text, record.line);
  }
}

/**
 * A shifted row still tells its reference where that is the first cell. Elsewhere the row could belong to any document
 * around it, and that one would be issued without it.
 */
function refuseUnclearReference(record: CsvRecord, header: Header): void {
  const shift = header.places.get("reference") === 0 ? undefined : findShift(record, header);
  if (shift !== undefined) throw validationError([{ path: pathOfRow(record.line), message: shift }]);
}

/** Where each reference of the file stands. */
interface References {
  note(reference: string, line: number): void;
  /** What is wrong with a document of this reference that begins in `line`: it stands in two places, as far as was noted. */
  faultsOf(reference: string, line: number): Problem[];
}

function createReferences(): References {
  const firstLines = new Map<string, number>();
  const returns = new Map<string, number>();
  let last = "";
  return {
    note(reference, line) {
      if (reference === "" || reference === last) return;
      last = reference;
      if (!firstLines.has(reference)) firstLines.set(reference, line);
      else if (!returns.has(reference)) returns.set(reference, line);
    },
    faultsOf(reference, line) {
      const again = returns.get(reference);
      if (again === undefined) return [];
      const places = `line ${firstLines.get(reference)} and again in line ${again}, with another between`;
      const message = `begins in ${places}; the rows of one reference must stand together`;
      return [{ path: pathOfRow(line, "reference"), message }];
    },
  };
}

/** At least so many rows are noted before one is used, so that a document is not issued without rows that come later. */
const LOOK_AHEAD_ROWS = 5000;
/** Or rows of so many characters, where they are long. */
const LOOK_AHEAD_CHARACTERS = 4_194_304;

/** `records` unchanged, of which each was given to `note` long before. */
async function* withLookAhead(
  records: AsyncIterable<CsvRecord>,
  note: (record: CsvRecord) => void,
): AsyncGenerator<CsvRecord> {
  let noted: CsvRecord[] = [];
  for await (const chunk of chunksOf(records)) {
    for (const record of chunk) note(record);
    yield* noted;
    noted = chunk;
  }
  yield* noted;
}

async function* chunksOf(records: AsyncIterable<CsvRecord>): AsyncGenerator<CsvRecord[]> {
  let chunk: CsvRecord[] = [];
  let characters = 0;
  for await (const record of records) {
    chunk.push(record);
    for (const cell of record.cells) characters += cell.length;
    if (chunk.length < LOOK_AHEAD_ROWS && characters < LOOK_AHEAD_CHARACTERS) continue;
    yield chunk;
    chunk = [];
    characters = 0;
  }
  if (chunk.length > 0) yield chunk;
}
