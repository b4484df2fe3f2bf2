/** Splits a CSV file into rows (docs/contract.md#csv), each with the line where it starts, and describes its form. */
import { DELIMITERS, type Delimiter, findDelimiter, isSeparatorLine } from "./csv-dialect.ts";
import type { DecimalSign } from "./csv-number.ts";
import type { ForeignNames } from "./table-columns.ts";
import { CsvError, type Parser, parse } from "csv-parse";
import { type AppError, validationError } from "../foundation/errors.ts";
import { type Text, joinTexts, sameInBoth } from "../foundation/text.ts";
import { type CsvEncoding, decodeCsv } from "./csv-encoding.ts";
import { describePlace, looksLikeHeader, REQUIRED_COLUMNS } from "./table-header.ts";
import type { TableRow } from "./table-row.ts";

/** What reading a file reveals about its format; undefined until then. */
export interface DetectedFormat {
  encoding: CsvEncoding | undefined;
  delimiter: Delimiter | undefined;
}

/** With what its numbers reveal. */
export interface CsvFormat extends DetectedFormat {
  decimalSign: DecimalSign | undefined;
}

/** The header row must end within this many characters. */
const HEAD_CHARACTERS_MAX = 65_536;
/** No valid row is longer; a longer one has an unclosed quotation mark. */
const ROW_BYTES_MAX = 1_000_000;

/** Yields all rows in arrays as they arrive, the header first. At a fault, throws `validation_failed` after the rows before it. */
export async function* readRows(
  source: AsyncIterable<Buffer>,
  names: ForeignNames,
  format: DetectedFormat,
): AsyncGenerator<TableRow[]> {
  const texts = decodeCsv(source, (encoding) => {
    format.encoding = encoding;
  });
  try {
    const head = await readHead(texts);
    format.delimiter = chooseDelimiter(headerOf(head), names);
    const parser = createRowParser(format.delimiter);
    try {
      yield* deliver(await parser.write(head));
      for await (const text of texts) yield* deliver(await parser.write(text));
      yield* deliver(await parser.end());
    } finally {
      parser.close();
    }
  } finally {
    await texts.return(undefined);
  }
}

/** For a header without a known name, the delimiter with most cells, so that the unknown names can be listed. */
function chooseDelimiter(header: string, names: ForeignNames): Delimiter {
  const known = findDelimiter(header, names);
  if (known !== undefined) return known;
  const cuts = DELIMITERS.map((delimiter) => ({ delimiter, cells: header.split(delimiter) }));
  const [widest] = cuts.toSorted((left, right) => right.cells.length - left.cells.length);
  if (widest === undefined || !looksLikeHeader(widest.cells)) throw noHeader();
  return widest.delimiter;
}

/** Reads until the header row is complete. */
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

/** The first line that is neither blank nor Excel's separator line; empty where there is none. */
function headerOf(head: string): string {
  return head.split(/\r\n|\n|\r/).find((line) => line.trim() !== "" && !isSeparatorLine(line)) ?? "";
}

function noHeader(): AppError {
  const columns = REQUIRED_COLUMNS.join(", ");
  const message = {
    en: `The first row must contain the column names, separated by ; , or a tab, and at least ${columns}; it may use other names`,
    el: `Η πρώτη γραμμή πρέπει να έχει τα ονόματα των στηλών, χωρισμένα με ; , ή στηλοθέτη, και τουλάχιστον ${columns}· μπορεί να έχει άλλα ονόματα`,
    next: { operation: "mapColumns" },
  } as const;
  return validationError([{ path: "", message }]);
}

/** The rows that a piece of text completed, and why no more can be read. */
interface Parsed {
  rows: TableRow[];
  fault: Error | undefined;
}

function* deliver({ rows, fault }: Parsed): Generator<TableRow[]> {
  if (rows.length > 0) yield rows;
  if (fault !== undefined) throw fault;
}

/** Drives csv-parse by callbacks: as a stream it drops an unpredictable number of rows before a faulty one. */
function createRowParser(delimiter: Delimiter) {
  let ready: TableRow[] = [];
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
  // The callback of each call receives the error too.
  parser.on("error", () => {});

  function takeReady(error: Error | null | undefined): Parsed {
    const rows = ready;
    ready = [];
    const fault = error instanceof CsvError ? describeFault(error, nextLine) : (error ?? undefined);
    return { rows, fault };
  }

  return {
    write: (text: string) =>
      new Promise<Parsed>((done) => parser.write(text, (error) => done(takeReady(error)))),
    end: () => new Promise<Parsed>((done) => parser.end((error?: Error | null) => done(takeReady(error)))),
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

const MISPLACED_QUOTE: Text = {
  en: 'has a quotation mark in the wrong place; put the cell in quotes and double each mark inside it ("")',
  el: 'έχει εισαγωγικό σε λάθος θέση· βάλτε το κελί σε εισαγωγικά και διπλασιάστε κάθε εισαγωγικό μέσα του ("")',
};
const OPEN_QUOTE: Text = {
  en: `opens a quotation mark that is not closed, or is longer than ${ROW_BYTES_MAX} bytes`,
  el: `ανοίγει εισαγωγικό που δεν κλείνει, ή ξεπερνά τα ${ROW_BYTES_MAX} byte`,
};
const OPEN_QUOTE_CODES: ReadonlySet<string> = new Set(["CSV_QUOTE_NOT_CLOSED", "CSV_MAX_RECORD_SIZE"]);

/** The parser's own message is not used: it quotes the cell. */
function describeFault({ code }: CsvError, line: number): AppError {
  const message = OPEN_QUOTE_CODES.has(code) ? OPEN_QUOTE : MISPLACED_QUOTE;
  return validationError([{ ...describePlace(line), message }]);
}

const DELIMITER_NAMES: Record<Delimiter, Text> = {
  ";": { en: "semicolons", el: "ελληνικό ερωτηματικό (;)" },
  ",": { en: "commas", el: "κόμμα (,)" },
  "\t": { en: "tabs", el: "στηλοθέτης" },
};

const MARKED_UTF_8: Text = { en: "UTF-8 with a byte order mark", el: "UTF-8 με BOM" };

const DECIMAL_NAMES: Record<DecimalSign, Text> = {
  ",": { en: "decimal comma", el: "υποδιαστολή κόμμα" },
  ".": { en: "decimal point", el: "υποδιαστολή τελεία" },
};

/** `Windows-1253, separated by semicolons, decimal comma`. A file of ASCII only counts as UTF-8. */
export function describeForm({ encoding, delimiter, decimalSign }: CsvFormat): Text {
  const parts: Text[] = [
    encoding === "UTF-8 with a byte order mark" ? MARKED_UTF_8 : sameInBoth(encoding ?? "UTF-8"),
  ];
  if (delimiter !== undefined) {
    const { en, el } = DELIMITER_NAMES[delimiter];
    parts.push({ en: `separated by ${en}`, el: `διαχωριστικό ${el}` });
  }
  if (decimalSign !== undefined) parts.push(DECIMAL_NAMES[decimalSign]);
  return joinTexts(parts, ", ");
}
