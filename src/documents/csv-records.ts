/** The rows of a CSV file, one at a time, each with the line where it begins. Blank rows are left out. */
import { CsvError, type Parser, parse } from "csv-parse";
import { type AppError, validationError } from "../errors.ts";
import { COLUMNS } from "./csv-columns.ts";
import { type Delimiter, findDelimiter, isSeparatorLine } from "./csv-dialect.ts";
import { decodeCsv } from "./csv-encoding.ts";

export interface CsvRecord {
  /** As they stand in the file, without the space around them. */
  cells: string[];
  /** From 1, as an editor counts. */
  line: number;
}

/** The header row must end within so many characters. */
const HEAD_CHARACTERS_MAX = 65_536;
/** Above any row of legal cells; what is longer is a quotation mark that nobody closed. */
const ROW_BYTES_MAX = 1_000_000;

/** All rows, the header first. Throws `validation_failed` where the file cannot be cut into rows. */
export async function* readRecords(source: AsyncIterable<Buffer>): AsyncGenerator<CsvRecord> {
  const texts = decodeCsv(source);
  try {
    const head = await readHead(texts);
    const delimiter = findDelimiter(headerOf(head));
    if (delimiter === undefined) throw noHeader();
    const rows = createRowParser(delimiter);
    try {
      yield* rows.write(head);
      for await (const text of texts) yield* rows.write(text);
      yield* rows.end();
    } finally {
      rows.close();
    }
  } finally {
    await texts.return(undefined);
  }
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
  const message = `The first row must hold the names of the columns, with ; , or a tab between them: ${COLUMNS.join(", ")}`;
  return validationError([{ path: "", message }]);
}

interface RowParser {
  /** The rows that `text` completes. */
  write(text: string): AsyncGenerator<CsvRecord>;
  end(): AsyncGenerator<CsvRecord>;
  close(): void;
}

/**
 * csv-parse, driven by hand: as a stream it would throw away the rows before a faulty one, more or fewer of them as the
 * bytes happen to come.
 */
function createRowParser(delimiter: Delimiter): RowParser {
  const ready: CsvRecord[] = [];
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

  async function* takeReady(error: Error | null | undefined): AsyncGenerator<CsvRecord> {
    yield* ready.splice(0);
    if (error instanceof CsvError) throw describeFault(error, nextLine);
    if (error !== null && error !== undefined) throw error;
  }

  return {
    async *write(text) {
      yield* takeReady(await new Promise<Error | null | undefined>((done) => parser.write(text, done)));
    },
    async *end() {
      yield* takeReady(await new Promise<Error | null | undefined>((done) => parser.end(done)));
    },
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
