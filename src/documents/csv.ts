/**
 * CSV into documents (decisions 13): one row a line item, rows of one reference make one document. Read as a stream: a
 * document is handed on when its last row has been seen, and of the file only the references are remembered.
 */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type CsvError, parse } from "csv-parse";
import { AppError, type Problem, validationError } from "../errors.ts";
import { type DecimalSign, readDecimal } from "./csv-number.ts";
import {
  type Cells,
  type ColumnName,
  COLUMNS,
  type Dialect,
  DOCUMENT_COLUMNS,
  problemAt,
  readHead,
  readLine,
  REQUIRED_COLUMNS,
} from "./csv-row.ts";
import { decodeText } from "./csv-text.ts";
import { computeTotals } from "./totals.ts";
import { LINES_MAX } from "./words.ts";

export interface CsvSupplier {
  taxId: string;
  branch: number;
  name: string;
}

export type CsvDocument =
  | { reference: string; /** The file's line of its first row. */ line: number; body: Record<string, unknown> }
  | { reference: string | null; line: number; problems: Problem[] };

/** A cell longer than this is a sign of a quote that was never closed. */
const RECORD_CHARACTERS_MAX = 100_000;
/** Of the file's beginning: where the decimal sign is looked for before the first amount is read. */
const HEAD_CHARACTERS = 65_536;

interface Row {
  line: number;
  cells: Cells;
  problems: Problem[];
}

/** Throws `validation_failed` where the file as a whole cannot be read; a document's own problems come in its place. */
export async function* readCsvDocuments(
  source: AsyncIterable<Buffer | string>,
  options: { supplier: CsvSupplier },
): AsyncGenerator<CsvDocument> {
  const { head, rest } = await takeHead(decodeText(source));
  const delimiter = findDelimiter(head);
  const dialect: Dialect = { decimalSign: await findDecimalSign(head, delimiter) };
  const finished = new Map<string, number>();
  let open: { reference: string; rows: Row[] } | undefined;
  for await (const row of readRows(rest, delimiter)) {
    const reference = row.cells.reference;
    if (open !== undefined && reference === open.reference) {
      // One more than the limit is enough to refuse it; the rest of an endless document is not kept.
      if (open.rows.length <= LINES_MAX) open.rows.push(row);
      continue;
    }
    if (open !== undefined) yield close(open, finished, dialect, options.supplier);
    open = undefined;
    if (reference === undefined) {
      yield { reference: null, line: row.line, problems: [problemAt(row.line, "reference", "is required")] };
    } else {
      open = { reference, rows: [row] };
    }
  }
  if (open !== undefined) yield close(open, finished, dialect, options.supplier);
}

/** The beginning of a text, and the whole of it again. */
async function takeHead(text: AsyncGenerator<string>): Promise<{ head: string; rest: AsyncIterable<string> }> {
  let head = "";
  while (head.length < HEAD_CHARACTERS) {
    const { value, done } = await text.next();
    if (done === true) break;
    head += value;
  }
  head = head.charCodeAt(0) === 0xfeff ? head.slice(1) : head;
  const beginning = head;
  async function* whole() {
    yield beginning;
    yield* text;
  }
  return { head, rest: whole() };
}

function headerLine(head: string): string {
  return head.split(/\r\n|\n|\r/).find((line) => line.trim() !== "") ?? "";
}

function namesIn(header: string, delimiter: string): string[] {
  return header.split(delimiter).map((name) => name.replaceAll('"', "").trim().toLowerCase());
}

/** The delimiter under which most of the header's names are columns. */
function findDelimiter(head: string): string {
  const header = headerLine(head);
  if (header === "") throw new AppError("validation_failed", "The file is empty; `fiscal documents template` writes one to begin with");
  const known = new Set<string>(COLUMNS);
  const scores = [";", ",", "\t"].map((delimiter) => ({
    delimiter,
    score: namesIn(header, delimiter).filter((name) => known.has(name)).length,
  }));
  return scores.reduce((best, next) => (next.score > best.score ? next : best)).delimiter;
}

/** What the amounts at the beginning of the file tell; undefined where they do not. */
async function findDecimalSign(head: string, delimiter: string): Promise<DecimalSign | undefined> {
  const lastBreak = head.length < HEAD_CHARACTERS ? head.length : head.lastIndexOf("\n") + 1;
  const signs = new Set<DecimalSign>();
  try {
    for await (const { cells } of readRows([head.slice(0, lastBreak)], delimiter)) {
      for (const cell of [cells.unit_price, cells.quantity]) {
        const reading = cell === undefined ? undefined : readDecimal(cell, undefined);
        if (reading?.kind === "read" && reading.proves !== undefined) signs.add(reading.proves);
      }
    }
  } catch (error) {
    // A record that goes on past the head is cut here; what is really broken is found when the file is read.
    if (!(error instanceof AppError)) throw error;
  }
  const [only] = signs;
  if (signs.size > 1) {
    throw new AppError("validation_failed", "The file has amounts with a decimal point and with a decimal comma; use one of them");
  }
  return only;
}

async function* readRows(text: AsyncIterable<string> | Iterable<string>, delimiter: string): AsyncGenerator<Row> {
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: RECORD_CHARACTERS_MAX,
  });
  const feeding = pipeline(Readable.from(text), parser).catch((error: unknown) => error);
  let columns: ColumnName[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      const line = info.lines - record.reduce((sum, cell) => sum + cell.split("\n").length - 1, 0);
      if (columns === undefined) columns = readHeader(record);
      else if (record.some((cell) => cell !== "")) yield readCells(record, columns, line, delimiter);
    }
  } catch (error) {
    throw readingError(error);
  }
  const failure = await feeding;
  if (failure instanceof Error) throw readingError(failure);
}

function readingError(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || !String(error.code).startsWith("CSV_")) return error;
  const { code, lines } = error as CsvError & { lines?: number };
  const what = code === "CSV_MAX_RECORD_SIZE" ? "a record is too long; a quote may not be closed" : "a quote stands where none may";
  return new AppError("validation_failed", `The file cannot be read${lines === undefined ? "" : ` near line ${lines}`}: ${what}`);
}

function readHeader(record: readonly string[]): ColumnName[] {
  const names = record.map((name) => name.trim().toLowerCase());
  while (names.at(-1) === "") names.pop();
  const problems: Problem[] = [];
  for (const [index, name] of names.entries()) {
    const path = `column ${index + 1}`;
    if (!(COLUMNS as readonly string[]).includes(name)) {
      const nearest = COLUMNS.find((column) => column.replaceAll("_", "") === name.replaceAll(/[\s_-]/g, ""));
      problems.push({ path, message: nearest === undefined ? "is not a known column" : `is not a known column; is it ${nearest}?` });
    } else if (names.indexOf(name) !== index) {
      problems.push({ path, message: `${name} is there twice` });
    }
  }
  for (const column of REQUIRED_COLUMNS) {
    if (!names.includes(column)) problems.push({ path: column, message: "this column is missing" });
  }
  if (problems.length > 0) throw validationError(problems);
  return names as ColumnName[];
}

function readCells(record: readonly string[], columns: readonly ColumnName[], line: number, delimiter: string): Row {
  const cells: Cells = {};
  for (const [index, column] of columns.entries()) {
    const cell = record[index]?.trim();
    if (cell !== undefined && cell !== "") cells[column] = cell;
  }
  const surplus = record.slice(columns.length).some((cell) => cell !== "");
  const problems = surplus
    ? [problemAt(line, "row", `has more cells than the header; put cells that hold "${delimiter === "\t" ? "tab" : delimiter}" in quotes`)]
    : [];
  return { line, cells, problems };
}

/** The document of rows that stand together. */
function close(
  open: { reference: string; rows: Row[] },
  finished: Map<string, number>,
  dialect: Dialect,
  supplier: CsvSupplier,
): CsvDocument {
  const { reference, rows } = open;
  const first = rows[0]!;
  const { line } = first;
  const earlier = finished.get(reference);
  if (earlier !== undefined) {
    const message = `came already on line ${earlier}; rows of one reference must stand together`;
    return { reference, line, problems: [problemAt(line, "reference", message)] };
  }
  finished.set(reference, line);
  if (rows.length > LINES_MAX) {
    return { reference, line, problems: [problemAt(line, "reference", `has more than ${LINES_MAX} lines`)] };
  }
  const problems: Problem[] = rows.flatMap((row) => [...row.problems, ...findContradictions(row, first)]);
  const reportAt = (row: Row) => (column: ColumnName, message: string) => void problems.push(problemAt(row.line, column, message));
  const head = readHead(first.cells, reportAt(first));
  const lines = rows.map((row) => readLine(row.cells, dialect, reportAt(row)));
  if (problems.length > 0) return { reference, line, problems };
  try {
    return { reference, line, body: buildBody(reference, head, lines.filter((one) => one !== undefined), supplier) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { reference, line, problems: [problemAt(line, "unit_price", "the document adds up to more than one may hold")] };
  }
}

function findContradictions(row: Row, first: Row): Problem[] {
  return DOCUMENT_COLUMNS.filter((column) => row.cells[column] !== undefined && row.cells[column] !== first.cells[column]).map(
    (column) => problemAt(row.line, column, `differs from line ${first.line}, the first of its document`),
  );
}

function buildBody(
  reference: string,
  head: ReturnType<typeof readHead>,
  lines: NonNullable<ReturnType<typeof readLine>>[],
  supplier: CsvSupplier,
): Record<string, unknown> {
  const { net, vat, gross } = computeTotals(lines);
  return {
    document: {
      type: head.type,
      issue_date: head.issueDate,
      currency: "EUR",
      supplier: { tax_id: { country: "GR", code: supplier.taxId }, branch: supplier.branch },
      ...(head.customer === undefined ? {} : { customer: head.customer }),
      ...(head.originalMarks === undefined ? {} : { original_marks: head.originalMarks }),
      lines,
      ...(head.paymentMethod === undefined ? {} : { payments: [{ method: head.paymentMethod, amount: gross }] }),
      totals: { net, vat, gross },
    },
    external_reference: reference,
    ...(head.series === undefined ? {} : { series: head.series }),
    ...(head.number === undefined ? {} : { number: head.number }),
  };
}
