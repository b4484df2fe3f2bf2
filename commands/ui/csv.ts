/** Writing CSV: RFC 4180, and what spreadsheets make of it. */

/** Excel takes a file without a byte order mark for the machine's old code page, and Greek is lost. */
export const BYTE_ORDER_MARK = "\ufeff";

export type Separator = ";" | "," | "\t";

/** One row with its line break. A cell that holds the separator, a quote or a line break is quoted. */
export function csvRow(cells: readonly string[], separator: Separator): string {
  return `${cells.map((cell) => quote(cell, separator)).join(separator)}\r\n`;
}

function quote(cell: string, separator: Separator): string {
  return cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * Text of others for a cell: one that a spreadsheet would run as a formula gets an apostrophe before it (OWASP, CSV
 * Injection). Not for numbers of ours, whose minus is one.
 */
export function withoutFormula(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
}
