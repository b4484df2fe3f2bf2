/** Prints tables and fields in the reader's language, fitted to the terminal. */
import { styleText } from "node:util";
import { type Text, toText } from "../../src/foundation/text.ts";
import { outputSettingsOf, type ProgramIo, write } from "../io.ts";
import type { Language } from "../language/choice.ts";
import { displayWidth, fitColumns } from "./fit.ts";
import { printable } from "./printable.ts";
import { columnsOf, isColoured, tableWidth } from "./screen.ts";
import { breakWords, stackRows, wrapColumns } from "./wrap.ts";

export interface Column<T> {
  head: Text | SameWord;
  align?: "left" | "right";
  /** If the table is too wide, this column wraps, and no column is cut. */
  wraps?: boolean;
  /** A text is shown in the reader's language; a string is data and stays as it is. */
  value(item: T): Text | string;
}

/** Heads that read the same in both languages. */
type SameWord = "id" | "uid" | "qr" | "url" | "ms" | "bytes" | "sha256" | "x-request-id";

export interface TableStyle {
  coloured?: boolean;
  /** Maximum width in terminal columns; unlimited if omitted. */
  width?: number;
  language?: Language;
}

/** A framed cell has a space on both sides and a line; a bare one is separated by a space. */
const FRAMED_CELL = 3;
const BARE_CELL = 1;

/** The printable texts of a table. */
interface Cells {
  heads: readonly string[];
  rows: readonly (readonly string[])[];
  /** The width of the widest cell of each column. */
  natural: readonly number[];
}

/**
 * The table as text, ending in a line break. If it is too wide, wrapping columns shrink, and finally each cell gets its own
 * line. A table without wrapping columns loses its frame, and long cells are cut with `…`.
 */
export async function renderTable<T>(
  columns: readonly Column<T>[],
  items: readonly T[],
  { coloured = false, width = Number.POSITIVE_INFINITY, language = "en" }: TableStyle = {},
): Promise<string> {
  const cells = cellsOf(columns, items, language);
  const wraps = columns.map((column) => column.wraps === true);
  if (!wraps.includes(true)) return drawFitting(columns, cells, coloured, width);
  const colWidths = wrapColumns(cells.natural, wraps, width);
  if (colWidths === "too narrow") return stackRows(cells.heads, cells.rows);
  if (colWidths === undefined) return draw(columns, cells, coloured);
  const rows = cells.rows.map((row) => row.map((cell, at) => breakWords(cell, colWidths[at] ?? 0)));
  return draw(columns, { ...cells, rows }, coloured, { colWidths, wordWrap: true });
}

function cellsOf<T>(columns: readonly Column<T>[], items: readonly T[], language: Language): Cells {
  const heads = columns.map(({ head }) => inReadersLanguage(language, head));
  const rows = items.map((item) =>
    columns.map(({ value }) => printable(inReadersLanguage(language, value(item)))),
  );
  const natural = heads.map((head, index) =>
    Math.max(displayWidth(head), ...rows.map((row) => displayWidth(row[index] ?? ""))),
  );
  return { heads, rows, natural };
}

function inReadersLanguage(language: Language, value: Text | string): string {
  return typeof value === "string" ? value : value[language];
}

async function drawFitting<T>(
  columns: readonly Column<T>[],
  cells: Cells,
  coloured: boolean,
  width: number,
): Promise<string> {
  const { natural } = cells;
  // The frame goes first, to leave more room for the cells.
  if (fitColumns(natural, [], width - FRAMED_CELL * columns.length - 1) === undefined)
    return draw(columns, cells, coloured);
  const ranks = columns.map((column, index) => rankOf(column, natural[index] ?? 0));
  const colWidths = fitColumns(natural, ranks, width - BARE_CELL * (columns.length - 1)) ?? [...natural];
  const text = await draw(columns, cells, coloured, { colWidths, chars: BARE });
  return text.replace(/ +$/gm, "");
}

/** Options of cli-table3 that differ between tables. */
interface Layout {
  colWidths?: number[];
  wordWrap?: boolean;
  chars?: Record<string, string>;
}

async function draw<T>(
  columns: readonly Column<T>[],
  { heads, rows }: Cells,
  coloured: boolean,
  layout: Layout = {},
): Promise<string> {
  const { default: Table } = await import("cli-table3");
  // Styled here, because cli-table3 decides on colours by the environment alone, ignoring --no-color.
  const shown = coloured
    ? heads.map((head) => styleText("bold", head, { validateStream: false }))
    : [...heads];
  const padding = layout.chars === undefined ? {} : { "padding-left": 0, "padding-right": 0 };
  const table = new Table({
    head: shown,
    colAligns: columns.map((column) => column.align ?? "left"),
    // No lines between rows.
    style: { head: [], border: [], compact: true, ...padding },
    ...layout,
  });
  table.push(...rows.map((row) => [...row]));
  return `${table.toString()}\n`;
}

const BARE = Object.fromEntries(
  ["top", "bottom", "left", "right", "mid"]
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
    .map((name) => [name, ""])
    .concat([["middle", " "]]),
);

/** Dates, amounts and types are this short; cut, they would be useless or misleading. */
const SHORT_CELL = 11;

/** The order in which columns shrink: long texts, then ids, then MARKs, and short cells last. */
function rankOf<T>({ head, align }: Column<T>, natural: number): number {
  if (natural <= SHORT_CELL || align === "right") return 3;
  const { en } = toText(head);
  if (en.startsWith("MARK")) return 2;
  return en === "id" ? 1 : 0;
}

/** Prints `items` as a table on stdout. */
export async function printTable<T>(
  io: ProgramIo,
  columns: readonly Column<T>[],
  items: readonly T[],
): Promise<void> {
  // Long texts are for people, even in a pipe.
  const isText = columns.some(({ wraps }) => wraps);
  const style = {
    coloured: isColoured(io, io.stdout),
    width: isText ? columnsOf(io, io.stdout) : tableWidth(io, io.stdout),
    language: outputSettingsOf(io).language,
  };
  await write(io.stdout, await renderTable(columns, items, style));
}

export type Field = readonly [name: Text | SameWord, value: Text | string | number | boolean | null];

/** Prints fields on stdout, one per line. Null is shown as `-`. */
export async function printFields(io: ProgramIo, fields: readonly Field[]): Promise<void> {
  const { language } = outputSettingsOf(io);
  const named = fields.map(([name, value]) => ({
    name: inReadersLanguage(language, name),
    value:
      value === null
        ? "-"
        : printable(inReadersLanguage(language, typeof value === "object" ? value : String(value))),
  }));
  const width = Math.max(...named.map(({ name }) => name.length));
  const lines = named.map(({ name, value }) => `${name.padEnd(width)}  ${value}`);
  await write(io.stdout, `${lines.join("\n")}\n`);
}
