/** Detects the delimiter and the decimal sign of a CSV file. See docs/contract.md#csv. */
import type { Text } from "../foundation/text.ts";
import { type DecimalSign, type Digits, readNumber } from "./csv-number.ts";
import { type ColumnName, fieldOf, FILE_COLUMNS } from "./table-fields.ts";
import { countColumns, type ForeignNames, NO_FOREIGN_NAMES } from "./table-columns.ts";

export const DELIMITERS = [";", ",", "\t"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

const SEPARATOR_LINE = /^sep=.?$/i;

/** Whether the line is Excel's own first line, `sep=;`. It is skipped: the header shows the delimiter. */
export function isSeparatorLine(line: string): boolean {
  return SEPARATOR_LINE.test(line);
}

/** The delimiter that yields most known columns; undefined where none yields at least two. */
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

/** The columns with decimal numbers. */
export const DECIMAL_COLUMNS: readonly ColumnName[] = FILE_COLUMNS.filter(
  (column) => fieldOf(column).sheet === "decimal",
);

const AMBIGUOUS: Text = {
  en: "is ambiguous: its separator may be the decimal sign or group thousands; write prices with two decimals in the whole file (12.50 or 12,50), and thousands without a separator",
  el: "είναι ασαφές: το διαχωριστικό του μπορεί να είναι υποδιαστολή ή να χωρίζει χιλιάδες· γράψτε σε όλο το αρχείο τις τιμές με δύο δεκαδικά (12.50 ή 12,50) και τις χιλιάδες χωρίς διαχωριστικό",
};

export type Decimals = ReturnType<typeof createDecimals>;

/**
 * Collects what the numbers of one file prove about its decimal sign, in the order of the file. The first number that proves a sign
 * decides. A number that proves the other sign is refused, and so is an ambiguous number where no earlier number proves a sign, or
 * where the file uses both.
 */
export function createDecimals() {
  const firstRows = new Map<DecimalSign, number>();

  function readAmbiguous(separator: DecimalSign, before: string, after: string): Digits | { problem: Text } {
    const [sign] = firstRows.keys();
    if (firstRows.size !== 1) return { problem: AMBIGUOUS };
    return sign === separator ? { whole: before, decimals: after } : { whole: before + after, decimals: "" };
  }

  return {
    /** Records the number in `row` as evidence; text that is not a number proves nothing. */
    note(text: string, row: number): void {
      const reading = readNumber(text);
      if (reading.kind !== "clear" || reading.proves === undefined || firstRows.has(reading.proves)) return;
      firstRows.set(reading.proves, row);
    },
    /** The digits of a number, or why they cannot be read. */
    read(text: string): Digits | { problem: Text } {
      const reading = readNumber(text);
      if (reading.kind === "invalid") return { problem: reading.problem };
      if (reading.kind === "ambiguous")
        return readAmbiguous(reading.separator, reading.before, reading.after);
      const [first] = firstRows;
      if (reading.proves !== undefined && first !== undefined && first[0] !== reading.proves)
        return { problem: differsFrom(first[1]) };
      return { whole: reading.whole, decimals: reading.decimals };
    },
    /** The decimal sign of the file; undefined until a number has proved it. */
    get sign(): DecimalSign | undefined {
      const [sign] = firstRows.keys();
      return sign;
    },
  };
}

function differsFrom(row: number): Text {
  return {
    en: `has another decimal sign than line ${row}; use one sign in the whole file`,
    el: `έχει άλλη υποδιαστολή από τη γραμμή ${row}· χρησιμοποιήστε το ίδιο σημείο σε όλο το αρχείο`,
  };
}
