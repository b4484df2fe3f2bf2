/**
 * Tables as bodies for the API (decisions 13): one row a line item, rows of one `reference` make one document. What the
 * canonical document checks is left to it; told here is what only the file shows.
 */
import { validationError } from "../foundation/errors.ts";
import {
  foldName,
  type ForeignNames,
  type Header,
  NO_FOREIGN_NAMES,
  readHeader,
  type RowWord,
} from "./csv-columns.ts";
import { createDecimals, DECIMAL_COLUMNS, type Decimals } from "./csv-dialect.ts";
import { createDraft, type CsvDocument, type CsvSupplier, type Draft } from "./csv-draft.ts";
import type { DecimalSign } from "./csv-number.ts";
import { type CsvRecord, type FoundForm, readRecords } from "./csv-records.ts";
import { cellOf, findShift, isNumber, pathOfRow, type RowProblem, rowProblem } from "./csv-row.ts";

export type { CsvDocument, CsvSupplier } from "./csv-draft.ts";

/** What a CSV file was found to be; undefined where nothing in it told. */
export interface CsvForm extends FoundForm {
  decimalSign: DecimalSign | undefined;
}

export interface TableOptions {
  supplier: CsvSupplier;
  /** Today in Athens, `YYYY-MM-DD`. */
  today: string;
  /** What its columns and values may be called; its own names without. */
  names?: ForeignNames | undefined;
}

/**
 * The documents of `source` in order, each as soon as the rows after it have been looked at. Memory is that of some thousand
 * rows and of the references. Throws `validation_failed` where the file cannot be read on: no header, a quotation mark that
 * is not closed, bytes that are no text. A document whose last row was not reached is then not given. `onForm` is told once
 * what the file was found to be: at its end, or where it could not be read on.
 */
export async function* readCsvDocuments(
  source: AsyncIterable<Buffer>,
  options: TableOptions & { onForm?(form: CsvForm): void },
): AsyncGenerator<CsvDocument> {
  const form: FoundForm = { encoding: undefined, delimiter: undefined };
  const decimals = createDecimals("line");
  const names = options.names ?? NO_FOREIGN_NAMES;
  const records = readRecords(source, names, form);
  try {
    yield* readTable(records, { ...options, names, word: "line", decimals });
  } finally {
    await records.return(undefined);
    options.onForm?.({ ...form, decimalSign: decimals.sign });
  }
}

/** The documents of a table whose rows come in arrays, the header first. */
export async function* readTable(
  batches: AsyncGenerator<CsvRecord[]>,
  table: TableOptions & { names: ForeignNames; word: RowWord; decimals: Decimals },
): AsyncGenerator<CsvDocument> {
  const first = await batches.next();
  const [headRow, ...rows] = first.done === true ? [] : first.value;
  if (headRow === undefined) return;
  const header = readHeader(headRow.cells, headRow.line, table.word, table.names);
  const { decimals, supplier, today } = table;
  const references = createReferences(table.word);
  const note = (record: CsvRecord) => {
    references.note(cellOf(record, header, "reference"), record.line);
    if (findShift(record, header) === undefined) noteDecimals(decimals, record, header);
  };
  let draft: Draft | undefined;
  for await (const chunk of withLookAhead(rows, batches, (record) => note(translate(record, header)))) {
    for (const record of chunk) {
      refuseUnclearReference(record, header);
      const reference = cellOf(record, header, "reference");
      if (draft === undefined || (reference !== "" && reference !== draft.reference)) {
        if (draft !== undefined) yield draft.finish();
        const faults = references.faultsOf(reference, record.line);
        const file = { header, decimals, supplier, today };
        draft = createDraft(file, reference === "" ? null : reference, record.line, faults);
      }
      draft.add(record);
    }
  }
  if (draft !== undefined) yield draft.finish();
}

/** Puts what the cells of a column mean in their place. The record is changed: nobody else has it yet. */
function translate(record: CsvRecord, header: Header): CsvRecord {
  for (const [place, meanings] of header.values) {
    const meaning = meanings.get(foldName(record.cells[place] ?? ""));
    if (meaning === undefined) continue;
    record.cells[place] = meaning;
    record.numbers?.delete(place);
  }
  return record;
}

function noteDecimals(decimals: Decimals, record: CsvRecord, header: Header): void {
  for (const column of DECIMAL_COLUMNS) {
    if (isNumber(record, header, column)) continue;
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
  if (shift !== undefined) throw validationError([{ path: pathOfRow(header, record.line), message: shift }]);
}

/** Where each reference of the file stands. */
interface References {
  note(reference: string, line: number): void;
  /** What is wrong with a document of this reference that begins in `line`: it stands in two places, as far as was noted. */
  faultsOf(reference: string, line: number): RowProblem[];
}

function createReferences(word: RowWord): References {
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
      const places = `${word} ${firstLines.get(reference)} and again in ${word} ${again}, with another between`;
      const message = `begins in ${places}; the rows of one reference must stand together`;
      return [rowProblem(word, line, message, "reference")];
    },
  };
}

/** At least so many rows are noted before one is used, so that a document is not issued without rows that come later. */
const LOOK_AHEAD_ROWS = 5000;
/** Or rows of so many characters, where they are long. */
const LOOK_AHEAD_CHARACTERS = 4_194_304;

/** The rows unchanged, of which each was given to `note` long before. */
async function* withLookAhead(
  first: readonly CsvRecord[],
  rest: AsyncIterable<readonly CsvRecord[]>,
  note: (record: CsvRecord) => void,
): AsyncGenerator<readonly CsvRecord[]> {
  let noted: readonly CsvRecord[] = [];
  for await (const chunk of chunksOf(first, rest)) {
    for (const record of chunk) note(record);
    yield noted;
    noted = chunk;
  }
  yield noted;
}

async function* chunksOf(
  first: readonly CsvRecord[],
  rest: AsyncIterable<readonly CsvRecord[]>,
): AsyncGenerator<CsvRecord[]> {
  let chunk: CsvRecord[] = [...first];
  let characters = 0;
  for await (const records of rest) {
    for (const record of records) {
      chunk.push(record);
      for (const cell of record.cells) characters += cell.length;
    }
    if (chunk.length < LOOK_AHEAD_ROWS && characters < LOOK_AHEAD_CHARACTERS) continue;
    yield chunk;
    chunk = [];
    characters = 0;
  }
  if (chunk.length > 0) yield chunk;
}
