/** Writes CSV (RFC 4180) that spreadsheets read correctly. */
import { escapeHiddenCharacters } from "./characters.ts";

/** Without a byte order mark Excel assumes the machine's old code page, and Greek is lost. */
export const BYTE_ORDER_MARK = "\ufeff";

export type Separator = ";" | "," | "\t";

/** One row with its line break. Cells with any separator are quoted: the reader may expect another. Invisible characters are escaped. */
export function csvRow(cells: readonly string[], separator: Separator): string {
  return `${cells.map((cell) => quote(escapeHiddenCharacters(cell))).join(separator)}\r\n`;
}

/** Characters. A write for each row would cost more than making it. */
const BUFFER_CHARACTERS = 65_536;

/** Starts a file with its heads. `flush` writes what is left. */
export function startCsv(
  { write }: { write(text: string): Promise<void> },
  heads: readonly string[],
  separator: Separator,
) {
  let pending = BYTE_ORDER_MARK + csvRow(heads, separator);
  const flush = async () => {
    await write(pending);
    pending = "";
  };
  return {
    async add(cells: readonly string[]) {
      pending += csvRow(cells, separator);
      if (pending.length >= BUFFER_CHARACTERS) await flush();
    },
    flush,
  };
}

function quote(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * Prefixes foreign text that a spreadsheet would run as a formula with an apostrophe (OWASP, CSV Injection). Some spreadsheets
 * also run the full-width signs. Not for our own numbers, which may start with a minus.
 */
export function withoutFormula(text: string): string {
  return /^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text;
}
