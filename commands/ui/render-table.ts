/** Lays out tables so that they fit a width, and draws them. */
import { styleText } from "node:util";
import type { Text } from "../../src/foundation/text.ts";
import type { Language } from "../language/choice.ts";
import { drawTable } from "./draw-table.ts";
import { type ColumnSpace, displayWidth, fitColumns, shorten } from "./fit.ts";
import { printable } from "./printable.ts";
import { frameWidths, stackRows, wrapWords } from "./wrap.ts";

export interface Column<T> {
  head: Text | SameWord;
  align?: "left" | "right";
  /** A long text for people, which wraps if the table is too wide. */
  wraps?: boolean;
  /** A text of which the beginning is enough, such as a name: it ends in `…` if the table is too wide. */
  shortens?: boolean;
  /** Columns are left out in this order, 1 first, if the table is still too wide. One without is always shown. */
  leaveOut?: number;
  /** A text is shown in the reader's language; a string is data and stays as it is. */
  value(item: T): Text | string;
}

/** Heads that read the same in both languages. */
export type SameWord = "id" | "uid" | "qr" | "url" | "ms" | "bytes" | "sha256" | "x-request-id";

export interface TableStyle {
  coloured?: boolean;
  /** Maximum width in terminal columns; unlimited if omitted. */
  width?: number;
  language?: Language;
}

export interface RenderedTable {
  /** Ends in a line break. */
  text: string;
  /** The heads of the columns that are left out. */
  leftOut: readonly string[];
}

/** The printable texts of a table. */
interface Cells {
  heads: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Without a frame, cells are separated by a space. */
const BARE_GAP = 1;

/**
 * Lays out a table. If it is too wide, long texts wrap; then the frame goes, other texts are shortened, and columns are left out;
 * finally each cell gets its own line. Amounts, numbers, ids and dates are never cut: docs/contract.md#tables.
 */
export function renderTable<T>(
  columns: readonly Column<T>[],
  items: readonly T[],
  { coloured = false, width = Number.POSITIVE_INFINITY, language = "en" }: TableStyle = {},
): RenderedTable {
  const cells = cellsOf(columns, items, language);
  const natural = cells.heads.map((head, at) => Math.max(displayWidth(head), contentWidth(cells, at)));
  const wraps = columns.map((column) => column.wraps === true);
  const framed = frameWidths(natural, wraps, width);
  if (framed !== undefined) return { text: draw(columns, cells, framed, { coloured }), leftOut: [] };
  const spaces = columns.map((column, at) => spaceOf(column, cells, at, natural[at] ?? 0));
  const bare = fitColumns(spaces, width, BARE_GAP);
  if (bare === undefined) return { text: stackRows(cells.heads, cells.rows), leftOut: [] };
  const text = draw(columns, cells, bare, { coloured, isBare: true });
  return { text, leftOut: cells.heads.filter((_head, at) => bare[at] === 0) };
}

function cellsOf<T>(columns: readonly Column<T>[], items: readonly T[], language: Language): Cells {
  return {
    heads: columns.map(({ head }) => inReadersLanguage(language, head)),
    rows: items.map((item) =>
      columns.map(({ value }) => printable(inReadersLanguage(language, value(item)))),
    ),
  };
}

export function inReadersLanguage(language: Language, value: Text | string): string {
  return typeof value === "string" ? value : value[language];
}

function contentWidth({ rows }: Cells, at: number): number {
  return Math.max(0, ...rows.map((row) => displayWidth(row[at] ?? "")));
}

/** A text that is shortened or wrapped to less would be unreadable. */
const TEXT_MIN = 12;

/** Heads wrap between words. */
function spaceOf<T>(
  { wraps, shortens, leaveOut }: Column<T>,
  cells: Cells,
  at: number,
  wanted: number,
): ColumnSpace {
  const content = contentWidth(cells, at);
  const least = wraps === true || shortens === true ? Math.min(content, TEXT_MIN) : content;
  const words = (cells.heads[at] ?? "").split(" ");
  return { wanted, least: Math.max(least, ...words.map(displayWidth)), leaveOut };
}

/** Draws the columns whose width is not 0, with texts wrapped or shortened to it. */
function draw<T>(
  columns: readonly Column<T>[],
  { heads, rows }: Cells,
  widths: readonly number[],
  { coloured, isBare = false }: { coloured: boolean; isBare?: boolean },
): string {
  const shown = columns.flatMap((column, at) => {
    const width = widths[at] ?? 0;
    if (width === 0) return [];
    const head = headOf(wrapWords(heads[at] ?? "", width), coloured);
    return [{ head, align: column.align ?? "left", wraps: column.wraps === true, at, width }];
  });
  const cellOf = (cell = "", { wraps, width }: (typeof shown)[number]) =>
    wraps ? wrapWords(cell, width).join("\n") : shorten(cell, width);
  const cells = rows.map((row) => shown.map((column) => cellOf(row[column.at], column)));
  return `${drawTable(shown, cells, isBare)}\n`;
}

function headOf(lines: readonly string[], coloured: boolean): string {
  if (!coloured) return lines.join("\n");
  return lines.map((line) => styleText("bold", line, { validateStream: false })).join("\n");
}
