/** Tables and single things for reading, in the language of the reader, as wide as the terminal. */
import { mannersOf, type ProgramIo, write } from "../io.ts";
import { ENGLISH, type Language } from "../language/language.ts";
import { displayWidth, fitColumns } from "./fit.ts";
import { isColoured, tableWidth } from "./screen.ts";

export interface Column<T> {
  head: string;
  align?: "left" | "right";
  value(item: T): string;
}

export interface TableStyle {
  coloured?: boolean;
  /** Columns of the terminal; longer cells end in `…`. Without it the table is as wide as it wants. */
  width?: number;
  language?: Language;
}

/** A frame takes a space on both sides of each cell and a line between, and one more line; without it, one space between. */
const FRAMED_CELL = 3;
const BARE_CELL = 1;

/** The table as text, ending in a line break. `items` without anything give the heads alone. */
export async function renderTable<T>(
  columns: readonly Column<T>[],
  items: readonly T[],
  { coloured = false, width = Number.POSITIVE_INFINITY, language = ENGLISH }: TableStyle = {},
): Promise<string> {
  const heads = columns.map(({ head }) => language.text(head));
  const rows = items.map((item) =>
    columns.map(({ head, value }) => printable(language.value(head, value(item)))),
  );
  const natural = heads.map((head, index) =>
    Math.max(displayWidth(head), ...rows.map((row) => displayWidth(row[index] ?? ""))),
  );
  // Where it is narrow the frame goes first: what it takes is better used for the cells.
  const isFramed = fitColumns(natural, [], width - FRAMED_CELL * columns.length - 1) === undefined;
  const ranks = columns.map((column, index) => rankOf(column, natural[index] ?? 0));
  const cells = fitColumns(natural, ranks, width - BARE_CELL * (columns.length - 1));
  const { default: Table } = await import("cli-table3");
  const colours = coloured ? { head: ["bold"], border: ["grey"] } : { head: [], border: [] };
  const table = new Table({
    head: heads,
    colAligns: columns.map((column) => column.align ?? "left"),
    // Compact: rows stand close together, only the heads are set off.
    style: { ...colours, compact: true, ...(isFramed ? {} : { "padding-left": 0, "padding-right": 0 }) },
    ...(isFramed ? {} : { chars: BARE, colWidths: cells ?? natural }),
  });
  table.push(...rows);
  const text = table.toString();
  return `${isFramed ? text : text.replace(/ +$/gm, "")}\n`;
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
  if (head.startsWith("MARK")) return 2;
  return head === "id" ? 1 : 0;
}

/** Prints `items` as a table on stdout. */
export async function printTable<T>(
  io: ProgramIo,
  columns: readonly Column<T>[],
  items: readonly T[],
): Promise<void> {
  const style = {
    coloured: isColoured(io, io.stdout),
    width: tableWidth(io, io.stdout),
    language: mannersOf(io).language,
  };
  await write(io.stdout, await renderTable(columns, items, style));
}

/** Prints one thing on stdout: a line each, the names in one column. Null shows as `-`. */
export async function printFields(
  io: ProgramIo,
  fields: readonly (readonly [name: string, value: string | number | boolean | null])[],
): Promise<void> {
  const { language } = mannersOf(io);
  const named = fields.map(([name, value]) => ({
    name: language.text(name),
    value: value === null ? "-" : printable(language.value(name, String(value))),
  }));
  const width = Math.max(...named.map(({ name }) => name.length));
  const lines = named.map(({ name, value }) => `${name.padEnd(width)}  ${value}`);
  await write(io.stdout, `${lines.join("\n")}\n`);
}

/** Texts of others (names, provider messages) must not steer the terminal: control characters become spaces. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ");
}
