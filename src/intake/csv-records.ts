/** The rows of a CSV file, many at a time, each with the line where it begins. Blank rows are left out. */
import { CsvError, type Parser, parse } from "csv-parse";
import { type AppError, validationError } from "../foundation/errors.ts";
import { COLUMNS, type ForeignNames, looksLikeNames } from "./csv-columns.ts";
import { DELIMITERS, type Delimiter, findDelimiter, isSeparatorLine } from "./csv-dialect.ts";
import { type CsvEncoding, decodeCsv } from "./csv-encoding.ts";

/** A row of a table: of a CSV file, or of a sheet of a workbook. */
export interface CsvRecord {
  /** As they stand in the file, without the space around them. */
  cells: string[];
  /** From 1, as an editor counts lines, or Excel rows. */
  line: number;
  /** The cells that a workbook holds as numbers: they leave nothing open. Undefined where there is none. */
  numbers?: Set<number>;
}

/** What is found out about a file while it is read; undefined until then. */
export interface FoundForm {
  encoding: CsvEncoding | undefined;
  delimiter: Delimiter | undefined;
}

/** The header row must end within so many characters. */
const HEAD_CHARACTERS_MAX = 65_536;
/** Above any row of legal cells; what is longer is a quotation mark that nobody closed. */
const ROW_BYTES_MAX = 1_000_000;

/**
 * All rows, the header first, in arrays as they come. What is found out is noted in `form`. Throws `validation_failed`
 * where the file cannot be cut into rows, after the rows before that place.
 */
export async function* readRecords(
  source: AsyncIterable<Buffer>,
  names: ForeignNames,
  form: FoundForm,
): AsyncGenerator<CsvRecord[]> {
  const texts = decodeCsv(source, (encoding) => {
    form.encoding = encoding;
  });
  try {
    const head = await readHead(texts);
    form.delimiter = delimiterOf(headerOf(head), names);
    const rows = createRowParser(form.delimiter);
    try {
      yield* delivered(await rows.write(head));
      for await (const text of texts) yield* delivered(await rows.write(text));
      yield* delivered(await rows.end());
    } finally {
      rows.close();
    }
  } finally {
    await texts.return(undefined);
  }
}

/** A header whose names are all foreign is cut where most cells come of it, so that they can be told. */
function delimiterOf(header: string, names: ForeignNames): Delimiter {
  const known = findDelimiter(header, names);
  if (known !== undefined) return known;
  const cuts = DELIMITERS.map((delimiter) => ({ delimiter, cells: header.split(delimiter) }));
  const [widest] = cuts.toSorted((left, right) => right.cells.length - left.cells.length);
  if (widest === undefined || !looksLikeNames(widest.cells)) throw noHeader();
  return widest.delimiter;
}

/** As much of the beginning as holds the header row. */
async function readHead(texts: AsyncGenerator<string>): Promise<string> {
  let head = "";
  while (head.length < HEAD_CHARACTERS_MAX && !hasWholeHeader(head)) {
    const next = await texts.next();
    if (next.done === true) break;
    head += next.value;
  }
  return head;
}

function hasWholeHeader(head: string): boolean {
  const header = headerOf(head);
  return header !== "" && /[\r\n]/.test(head.slice(head.indexOf(header) + header.length));
}

/** The first line of `head` that is neither blank nor Excel's own; empty where there is none. */
function headerOf(head: string): string {
  return head.split(/\r\n|\n|\r/).find((line) => line.trim() !== "" && !isSeparatorLine(line)) ?? "";
}

function noHeader(): AppError {
  const message =
    `The first row must hold the names of the columns, with ; , or a tab between them: ${COLUMNS.join(", ")}; ` +
    "--map FILE says what other names mean";
  return validationError([{ path: "", message }]);
}

/** Rows that a piece of text completed, and why no more can be read. */
interface Parsed {
  records: CsvRecord[];
  fault: Error | undefined;
}

interface RowParser {
  write(text: string): Promise<Parsed>;
  end(): Promise<Parsed>;
  close(): void;
}

function* delivered({ records, fault }: Parsed): Generator<CsvRecord[]> {
  if (records.length > 0) yield records;
  if (fault !== undefined) throw fault;
}

/**
 * csv-parse, driven by hand: as a stream it would throw away the rows before a faulty one, more or fewer of them as the
 * bytes happen to come.
 */
function createRowParser(delimiter: Delimiter): RowParser {
  let ready: CsvRecord[] = [];
  let nextLine = 1;
  const parser: Parser = parse({
    delimiter,
    trim: true,
    relax_column_count: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    max_record_size: ROW_BYTES_MAX,
    on_record(cells: string[]) {
      const line = nextLine;
      nextLine += 1 + countLineBreaks(cells);
      const isRow = cells.some((cell) => cell !== "") && !isSeparatorLine(cells.join(""));
      if (isRow) ready.push({ cells: cells.map((cell) => cell.trim()), line });
      return null;
    },
  });
  // Each call's own callback has the error, too.
  parser.on("error", () => {});

  function takeReady(error: Error | null | undefined): Parsed {
    const records = ready;
    ready = [];
    return {
      records,
      fault: error instanceof CsvError ? describeFault(error, nextLine) : (error ?? undefined),
    };
  }

  return {
    write: (text) => new Promise((done) => parser.write(text, (error) => done(takeReady(error)))),
    end: () => new Promise((done) => parser.end((error?: Error | null) => done(takeReady(error)))),
    close: () => void parser.destroy(),
  };
}

function countLineBreaks(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) {
    if (cell.includes("\n") || cell.includes("\r")) count += cell.match(/\r\n|\n|\r/g)?.length ?? 0;
  }
  return count;
}

/** The parser's own message repeats the cell. `line` is where the faulty row begins. */
function describeFault(error: CsvError, line: number): AppError {
  const messages: Partial<Record<CsvError["code"], string>> = {
    INVALID_OPENING_QUOTE:
      'has a quotation mark inside a cell without quotes; put the cell in quotes and double the mark ("")',
    CSV_QUOTE_NOT_CLOSED: "opens a quotation mark that the rest of the file does not close",
    CSV_MAX_RECORD_SIZE: `is longer than ${ROW_BYTES_MAX} bytes; probably a quotation mark is opened and not closed`,
  };
  const message =
    messages[error.code] ?? 'has text behind a closed quotation mark; double a mark inside a cell ("")';
  return validationError([{ path: `line ${line}`, message }]);
}
