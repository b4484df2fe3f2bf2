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

/** Heads of columns that are cut last: what stands there is copied into the next command. */
const KEPT_HEADS: ReadonlySet<string> = new Set(["id", "MARK or error"]);
/** A space on both sides of each cell and a line between; and one more line. */
const FRAME_OF_CELL = 3;

/** The table as text, ending in a line break. `items` without anything give the heads alone. */
export async function renderTable<T>(
  columns: readonly Column<T>[],
  items: readonly T[],
  { coloured = false, width = Number.POSITIVE_INFINITY, language = ENGLISH }: TableStyle = {},
): Promise<string> {
  const { default: Table } = await import("cli-table3");
  const heads = columns.map(({ head }) => language.text(head));
  const rows = items.map((item) =>
    columns.map(({ head, value }) => printable(language.value(head, value(item)))),
  );
  const natural = heads.map((head, index) =>
    Math.max(displayWidth(head), ...rows.map((row) => displayWidth(row[index] ?? ""))),
  );
  const kept = columns.map(({ head }) => KEPT_HEADS.has(head));
  const cells = fitColumns(natural, kept, width - FRAME_OF_CELL * columns.length - 1);
  const table = new Table({
    head: heads,
    colAligns: columns.map((column) => column.align ?? "left"),
    ...(cells === undefined ? {} : { colWidths: cells.map((cell) => cell + FRAME_OF_CELL - 1) }),
    // Compact: rows stand close together, only the heads are set off.
    style: coloured
      ? { head: ["bold"], border: ["grey"], compact: true }
      : { head: [], border: [], compact: true },
  });
  table.push(...rows);
  return `${table.toString()}\n`;
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
