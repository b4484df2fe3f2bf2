/** How a CSV file separates its cells and which sign its decimals have (decisions 13). */
import {
  type ColumnName,
  countColumns,
  type ForeignNames,
  NO_FOREIGN_NAMES,
  type RowWord,
} from "./csv-columns.ts";
import { type DecimalSign, type Digits, readNumber } from "./csv-number.ts";

export const DELIMITERS = [";", ",", "\t"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

const SEPARATOR_LINE = /^sep=.?$/i;

/** Excel's own first line, `sep=;`, which is no row. The header tells the delimiter without it. */
export function isSeparatorLine(line: string): boolean {
  return SEPARATOR_LINE.test(line);
}

/** The delimiter that cuts the header row into most column names; undefined where none finds two of them. */
export function findDelimiter(header: string, names: ForeignNames = NO_FOREIGN_NAMES): Delimiter | undefined {
  let best: { delimiter: Delimiter; known: number } | undefined;
  for (const delimiter of DELIMITERS) {
    const known = countColumns(header.split(delimiter).map(unquote), names);
    if (known >= 2 && known > (best?.known ?? 0)) best = { delimiter, known };
  }
  return best?.delimiter;
}

function unquote(cell: string): string {
  return cell.trim().replace(/^"(.*)"$/, "$1");
}

/** The columns that are read as numbers with decimals. */
export const DECIMAL_COLUMNS = ["quantity", "unit_price"] as const satisfies readonly ColumnName[];

const SIGN_NAMES: Record<DecimalSign, string> = { ",": "comma", ".": "point" };

/** What the numbers of one file prove about its decimal sign. They are noted in the order of the file. */
export interface Decimals {
  /** Takes the evidence of a number that stands in `line`; what is no number is none. */
  note(text: string, line: number): void;
  /** The digits of a number, or why they cannot be told. */
  read(text: string): Digits | { message: string };
  /** The sign of the file, as far as it was noted; undefined where no number told it. */
  readonly sign: DecimalSign | undefined;
}

/**
 * The first number that proves a sign sets it. A number that proves the other one is refused, and so is one that leaves the
 * sign open where nothing noted so far tells it or the file has both.
 */
export function createDecimals(word: RowWord = "line"): Decimals {
  const firstLines = new Map<DecimalSign, number>();

  function describeSigns(): string {
    return [...firstLines]
      .map(([sign, line]) => `a decimal ${SIGN_NAMES[sign]} in ${word} ${line}`)
      .join(" and ");
  }

  function readOpen(separator: DecimalSign, before: string, behind: string): Digits | { message: string } {
    const [sign] = firstLines.keys();
    if (firstLines.size === 1) {
      return sign === separator
        ? { whole: before, decimals: behind }
        : { whole: before + behind, decimals: "" };
    }
    const why = sign === undefined ? "no number of the file tells" : `the file has ${describeSigns()}`;
    const way =
      "write prices with two decimals in the whole file (12.50 or 12,50), and thousands without a separator";
    const question = `whether the ${SIGN_NAMES[separator]} is the decimal sign or groups thousands`;
    return { message: `leaves open ${question}, and ${why}; ${way}` };
  }

  return {
    note(text, line) {
      const reading = readNumber(text);
      if (reading.kind !== "clear" || reading.proves === undefined || firstLines.has(reading.proves)) return;
      firstLines.set(reading.proves, line);
    },
    read(text) {
      const reading = readNumber(text);
      if (reading.kind === "wrong") return { message: reading.message };
      if (reading.kind === "open") return readOpen(reading.separator, reading.before, reading.behind);
      const [first] = firstLines;
      if (reading.proves !== undefined && first !== undefined && first[0] !== reading.proves) {
        const other = `the file has a decimal ${SIGN_NAMES[first[0]]} in ${word} ${first[1]}`;
        return {
          message: `has a decimal ${SIGN_NAMES[reading.proves]}, but ${other}; use one sign in the whole file`,
        };
      }
      return { whole: reading.whole, decimals: reading.decimals };
    },
    get sign() {
      const [sign] = firstLines.keys();
      return sign;
    },
  };
}
