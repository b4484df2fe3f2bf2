/** Prints tables and fields in the reader's language: fitted to the terminal, and tab-separated in a pipe or file. */
import { styleText } from "node:util";
import type { Language, Text } from "../../src/foundation/text.ts";
import type { Column, Row } from "../../src/operations/view.ts";
import { withCommand } from "../next-steps.ts";
import { type ColumnSpace, displayWidth, fitColumns, padEnd, shorten, wrapWords } from "./fit.ts";
import { printable } from "../../src/foundation/characters.ts";
import {
  columnsOf,
  isColoured,
  outputSettingsOf,
  type OutputStream,
  printNote,
  type ProgramIo,
  write,
} from "../io.ts";

/**
 * Prints `items` as a table on `stream`, and a note on stderr that names the columns left out. In a pipe or file the heads are left out
 * if the table `continues` another.
 */
export async function printTable<T>(
  io: ProgramIo,
  columns: readonly Column<T>[],
  items: readonly T[],
  { stream = io.stdout, continues = false }: { stream?: OutputStream; continues?: boolean } = {},
): Promise<void> {
  const { language } = outputSettingsOf(io);
  const coloured = isColoured(io, stream);
  if (stream.isTTY !== true) {
    const lines = tabSeparated(columns, items, { coloured, language }).slice(continues ? 1 : 0);
    return write(stream, lines.map((line) => `${line}\n`).join(""));
  }
  const width = columnsOf(io, stream);
  const { text, leftOut } = await renderTable(columns, items, { coloured, width, language });
  await write(stream, text);
  if (leftOut.length > 0) await printNote(io, leftOutNote(leftOut.join(", ")));
}

/** `heads` are in the reader's language. */
function leftOutNote(heads: string): Text {
  return {
    en: `Columns left out: ${heads}. A wider terminal or --json shows them.`,
    el: `Στήλες που δεν χώρεσαν: ${heads}. Φαίνονται σε πλατύτερο τερματικό ή με --json.`,
  };
}

/** Prints fields on stdout, one per line. Null is shown as `-`. */
export async function printFields(io: ProgramIo, fields: readonly Row[]): Promise<void> {
  const { language } = outputSettingsOf(io);
  const named = fields.map(([name, value]) => ({
    name: inReadersLanguage(language, name),
    value:
      value === null
        ? "-"
        : printable(inReadersLanguage(language, typeof value === "object" ? value : String(value))),
  }));
  const width = Math.max(...named.map(({ name }) => displayWidth(name)));
  const lines = named.map(({ name, value }) => `${padEnd(name, width)}  ${value}`);
  await write(io.stdout, `${lines.join("\n")}\n`);
}

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
  /** Of the statuses. */
  colours: readonly (readonly (Colour | undefined)[])[];
}

/** Without a frame, cells are separated by a space. */
const BARE_GAP = 1;
/** A framed cell has a space on both sides and a line. */
const FRAMED_GAP = 3;

/**
 * Lays out a table. If it is too wide, long texts wrap; then the frame goes, other texts are shortened, and columns are left out;
 * finally each cell gets its own line. Amounts, numbers, ids and dates are never cut: docs/contract.md#tables.
 */
export async function renderTable<T>(
  columns: readonly Column<T>[],
  items: readonly T[],
  { coloured = false, width = Number.POSITIVE_INFINITY, language = "en" }: TableStyle = {},
): Promise<RenderedTable> {
  const cells = cellsOf(columns, items, language);
  const framed = fitColumns(
    columns.map((column, at) => framedSpaceOf(column, cells, at)),
    width - FRAMED_GAP - 1,
    FRAMED_GAP,
  );
  if (framed !== undefined) return { text: await draw(columns, cells, framed, { coloured }), leftOut: [] };
  const spaces = columns.map((column, at) => spaceOf(column, cells, at));
  const bare = fitColumns(spaces, width, BARE_GAP);
  if (bare === undefined) return { text: stackRows(cells), leftOut: [] };
  const text = await draw(columns, cells, bare, { coloured, isBare: true });
  return { text, leftOut: cells.heads.filter((_head, at) => bare[at] === 0) };
}

function cellsOf<T>(columns: readonly Column<T>[], items: readonly T[], language: Language): Cells {
  return {
    heads: columns.map(({ head }) => inReadersLanguage(language, head)),
    rows: items.map((item) =>
      columns.map(({ value }) => printable(inReadersLanguage(language, value(item)))),
    ),
    colours: items.map((item) => columns.map((column) => colourOf(column, item))),
  };
}

function inReadersLanguage(language: Language, value: Text | string): string {
  return typeof value === "string" ? value : withCommand(value)[language];
}

function contentWidth({ rows }: Cells, at: number): number {
  return Math.max(0, ...rows.map((row) => displayWidth(row[at] ?? "")));
}

/** A text that is shortened or wrapped to less would be unreadable. */
const TEXT_MIN = 12;

/** In a frame only long texts give way. */
function framedSpaceOf<T>({ wraps }: Column<T>, cells: Cells, at: number): ColumnSpace {
  const wanted = Math.max(displayWidth(cells.heads[at] ?? ""), contentWidth(cells, at));
  return { wanted, least: wraps === true ? Math.min(wanted, TEXT_MIN) : wanted };
}

/** Heads wrap between words. */
function spaceOf<T>(column: Column<T>, cells: Cells, at: number): ColumnSpace {
  const { wraps, shortens, leaveOut } = column;
  const content = contentWidth(cells, at);
  const least = wraps === true || shortens === true ? Math.min(content, TEXT_MIN) : content;
  const words = (cells.heads[at] ?? "").split(" ");
  const { wanted } = framedSpaceOf(column, cells, at);
  return { wanted, least: Math.max(least, ...words.map(displayWidth)), leaveOut };
}

/** Draws the columns whose width is not 0, with texts wrapped or shortened to it. */
async function draw<T>(
  columns: readonly Column<T>[],
  { heads, rows, colours }: Cells,
  widths: readonly number[],
  { coloured, isBare = false }: { coloured: boolean; isBare?: boolean },
): Promise<string> {
  const { default: Table } = await import("cli-table3");
  const shown = columns.flatMap((column, at) => {
    const width = widths[at] ?? 0;
    return width === 0 ? [] : [{ ...column, at, width }];
  });
  const table = new Table({
    head: shown.map(({ at, width }) => headOf(wrapWords(heads[at] ?? "", width), coloured)),
    colAligns: shown.map(({ align = "left" }) => align),
    // No lines between rows.
    style: { head: [], border: [], compact: true, ...(isBare ? NO_PADDING : {}) },
    ...(isBare ? { chars: NO_FRAME } : {}),
  });
  const cellOf = (cell = "", { wraps, width }: (typeof shown)[number]) =>
    wraps === true ? wrapWords(cell, width).join("\n") : shorten(cell, width);
  for (const [index, row] of rows.entries())
    table.push(
      shown.map((column) => inColour(cellOf(row[column.at], column), coloured, colours[index]?.[column.at])),
    );
  const text = table.toString();
  return `${isBare ? text.replace(/ +$/gm, "") : text}\n`;
}

/** A line of heads and one for each row, with the same cells as a table. No cell has a tab or a line break. */
export function tabSeparated<T>(
  columns: readonly Column<T>[],
  items: readonly T[],
  { coloured = false, language = "en" }: TableStyle = {},
): string[] {
  const { heads, rows, colours } = cellsOf(columns, items, language);
  const lines = rows.map((row, index) =>
    row.map((cell, at) => inColour(cell, coloured, colours[index]?.[at])),
  );
  return [heads.map((head) => headOf([head], coloured)), ...lines].map((cells) => cells.join("\t"));
}

type Colour = "green" | "red" | "yellow";

/** What the English words of a status begin with. */
const COLOURS: readonly (readonly [Colour, RegExp])[] = [
  ["green", /^(issued|active|delivered|enabled|ok|sent|yes)\b/],
  ["red", /^(rejected|failed|failing|invalid|refused|disabled|problem|no)\b/],
  ["yellow", /^(pending|held|notice|unknown|transient|waiting)\b/],
];

function colourOf<T>({ isStatus, value }: Column<T>, item: T): Colour | undefined {
  if (isStatus !== true) return undefined;
  const text = value(item);
  const english = typeof text === "string" ? text : text.en;
  return COLOURS.find(([, form]) => form.test(english))?.[0];
}

function inColour(cell: string, coloured: boolean, colour: Colour | undefined): string {
  return coloured && colour !== undefined ? styleText(colour, cell, { validateStream: false }) : cell;
}

/** Styled here, because cli-table3 decides on colours by the environment alone, ignoring --no-color. */
function headOf(lines: readonly string[], coloured: boolean): string {
  if (!coloured) return lines.join("\n");
  return lines.map((line) => styleText("bold", line, { validateStream: false })).join("\n");
}

const NO_PADDING = { "padding-left": 0, "padding-right": 0 };

const NO_FRAME = Object.fromEntries(
  ["top", "bottom", "left", "right", "mid"]
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
    .map((name) => [name, ""])
    .concat([["middle", " "]]),
);

/** For screens too narrow for a table: one line per cell with its head, and a blank line after each row. */
function stackRows({ heads, rows }: Cells): string {
  const width = Math.max(...heads.map(displayWidth));
  const linesOf = (row: readonly string[]) =>
    row.map((cell, at) => `${padEnd(heads[at] ?? "", width)}  ${cell}`.trimEnd());
  return rows.map((row) => `${linesOf(row).join("\n")}\n\n`).join("");
}
