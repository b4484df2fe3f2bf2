/** Tables and single things for reading, in the language of the reader, as wide as the terminal. */
import { styleText } from "node:util";
import { type Text, textOf } from "../../src/foundation/text.ts";
import { inMannersOf, type Manners, mannersOf, type ProgramIo, write } from "../io.ts";
import { displayWidth, fitColumns } from "./fit.ts";
import { printable } from "./printable.ts";
import { columnsOf, isColoured, tableWidth } from "./screen.ts";
import { breakWords, stackRows, wrapColumns } from "./wrap.ts";

export interface Column<T> {
  head: Text | string;
  align?: "left" | "right";
  /** Where the table is wider than its place, this column takes several lines, and nothing of the table is cut. */
  wraps?: boolean;
  /** A text is shown in the reader's language; a string is data and stays as it is. */
  value(item: T): Text | string;
}

type Reader = Pick<Manners, "language" | "catalogue">;

export interface TableStyle {
  coloured?: boolean;
  /** Columns of the terminal. Without it the table is as wide as it wants. */
  width?: number;
  reader?: Reader;
}

/** A frame takes a space on both sides of each cell and a line between, and one more line; without it, one space between. */
const FRAMED_CELL = 3;
const BARE_CELL = 1;

/** What a table shows, as text that is safe to print. */
interface Cells {
  heads: readonly string[];
  rows: readonly (readonly string[])[];
  /** The widths that the columns want. */
  natural: readonly number[];
}

/**
 * The table as text, ending in a line break. `items` without anything give the heads alone. Where it is wider than its place,
 * columns that wrap give way, and in the end each item stands in lines of its own; a table without such columns loses its
 * frame, and cells end in `…`.
 */
export async function renderTable<T>(
  columns: readonly Column<T>[],
  items: readonly T[],
  { coloured = false, width = Number.POSITIVE_INFINITY, reader = { language: "en" } }: TableStyle = {},
): Promise<string> {
  const cells = cellsOf(columns, items, reader);
  const wraps = columns.map((column) => column.wraps === true);
  if (!wraps.includes(true)) return drawFitting(columns, cells, coloured, width);
  const colWidths = wrapColumns(cells.natural, wraps, width);
  if (colWidths === "too narrow") return stackRows(cells.heads, cells.rows);
  if (colWidths === undefined) return draw(columns, cells, coloured);
  const rows = cells.rows.map((row) => row.map((cell, at) => breakWords(cell, colWidths[at] ?? 0)));
  return draw(columns, { ...cells, rows }, coloured, { colWidths, wordWrap: true });
}

function cellsOf<T>(columns: readonly Column<T>[], items: readonly T[], reader: Reader): Cells {
  const heads = columns.map(({ head }) => inMannersOf(reader, head));
  const rows = items.map((item) =>
    columns.map(({ head, value }) => printable(cellIn(reader, head, value(item)))),
  );
  const natural = heads.map((head, index) =>
    Math.max(displayWidth(head), ...rows.map((row) => displayWidth(row[index] ?? ""))),
  );
  return { heads, rows, natural };
}

function cellIn(reader: Reader, head: Text | string, value: Text | string): string {
  if (typeof value !== "string") return inMannersOf({ language: reader.language }, value);
  return reader.catalogue === undefined ? value : reader.catalogue.value(textOf(head).en, value);
}

async function drawFitting<T>(
  columns: readonly Column<T>[],
  cells: Cells,
  coloured: boolean,
  width: number,
): Promise<string> {
  const { natural } = cells;
  // Where it is narrow the frame goes first: what it takes is better used for the cells.
  if (fitColumns(natural, [], width - FRAMED_CELL * columns.length - 1) === undefined)
    return draw(columns, cells, coloured);
  const ranks = columns.map((column, index) => rankOf(column, natural[index] ?? 0));
  const colWidths = fitColumns(natural, ranks, width - BARE_CELL * (columns.length - 1)) ?? [...natural];
  const text = await draw(columns, cells, coloured, { colWidths, chars: BARE });
  return text.replace(/ +$/gm, "");
}

/** How cli-table3 is to lay it out, beside what is the same for every table. */
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
  // cli-table3 would ask the environment of the process whether there are colours, not what the person has said.
  const shown = coloured
    ? heads.map((head) => styleText("bold", head, { validateStream: false }))
    : [...heads];
  const padding = layout.chars === undefined ? {} : { "padding-left": 0, "padding-right": 0 };
  const table = new Table({
    head: shown,
    colAligns: columns.map((column) => column.align ?? "left"),
    // Compact: rows stand close together, only the heads are set off.
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

/** Dates, amounts and types are this short, and say nothing, or the wrong thing, when they are cut. */
const SHORT_CELL = 11;

/** Who gives way: long texts, then ids, which can be copied no more when they are cut, then MARKs, and short cells last. */
function rankOf<T>({ head, align }: Column<T>, natural: number): number {
  if (natural <= SHORT_CELL || align === "right") return 3;
  const { en } = textOf(head);
  if (en.startsWith("MARK")) return 2;
  return en === "id" ? 1 : 0;
}

/** Prints `items` as a table on stdout. */
export async function printTable<T>(
  io: ProgramIo,
  columns: readonly Column<T>[],
  items: readonly T[],
): Promise<void> {
  // Long texts are for reading, in a pipe too.
  const isText = columns.some(({ wraps }) => wraps);
  const style = {
    coloured: isColoured(io, io.stdout),
    width: isText ? columnsOf(io, io.stdout) : tableWidth(io, io.stdout),
    reader: mannersOf(io),
  };
  await write(io.stdout, await renderTable(columns, items, style));
}

export type Field = readonly [name: Text | string, value: Text | string | number | boolean | null];

/** Prints one thing on stdout: a line each, the names in one column. Null shows as `-`. */
export async function printFields(io: ProgramIo, fields: readonly Field[]): Promise<void> {
  const manners = mannersOf(io);
  const named = fields.map(([name, value]) => ({
    name: inMannersOf(manners, name),
    value:
      value === null
        ? "-"
        : printable(cellIn(manners, name, typeof value === "object" ? value : String(value))),
  }));
  const width = Math.max(...named.map(({ name }) => name.length));
  const lines = named.map(({ name, value }) => `${name.padEnd(width)}  ${value}`);
  await write(io.stdout, `${lines.join("\n")}\n`);
}
