/** Tables and single things for reading. Colour only where a terminal shows it and NO_COLOR does not forbid it. */
import { type OutputStream, type ProgramIo, write } from "../io.ts";

export interface Column<T> {
  head: string;
  align?: "left" | "right";
  /** Where the table is wider than its place, this column is wrapped. */
  wraps?: boolean;
  value(item: T): string;
}

export function isColoured(io: ProgramIo, stream: OutputStream): boolean {
  return stream.isTTY === true && (io.env["NO_COLOR"] ?? "") === "" && io.env["TERM"] !== "dumb";
}

/**
 * The table as text, ending in a line break. `items` without anything give the heads alone. Columns that wrap give way until
 * the table is `width` columns wide; where that is not enough, each item stands in lines of its own.
 */
export async function renderTable<T>(
  columns: readonly Column<T>[],
  items: readonly T[],
  coloured: boolean,
  width = Number.POSITIVE_INFINITY,
): Promise<string> {
  const { default: Table } = await import("cli-table3");
  const rows = items.map((item) => columns.map((column) => printable(column.value(item))));
  const colWidths = widthsOf(columns, rows, width);
  if (colWidths === "too narrow") return stacked(columns, rows);
  const table = new Table({
    head: columns.map((column) => column.head),
    colAligns: columns.map((column) => column.align ?? "left"),
    ...(colWidths === undefined ? {} : { colWidths, wordWrap: true }),
    // Compact: rows stand close together, only the heads are set off.
    style: coloured
      ? { head: ["bold"], border: ["grey"], compact: true }
      : { head: [], border: [], compact: true },
  });
  for (const row of rows)
    table.push(colWidths === undefined ? row : row.map((cell, at) => broken(cell, colWidths[at]!)));
  return `${table.toString()}\n`;
}

/** What a column keeps of itself, its padding included: less is no word any more. */
const WRAPPED_WIDTH_MIN = 14;
/** Of cells: a space on each side. */
const PADDING = 2;

/** A line a cell, and a blank one behind each item. */
function stacked<T>(columns: readonly Column<T>[], rows: readonly (readonly string[])[]): string {
  const heads = Math.max(...columns.map(({ head }) => head.length));
  const items = rows.map((row) =>
    row.map((cell, at) => `${columns[at]!.head.padEnd(heads)}  ${cell}`.trimEnd()),
  );
  return items.map((lines) => `${lines.join("\n")}\n\n`).join("");
}

/** The widths of the columns, padding included, where the table is too wide as it is; undefined where it fits. */
function widthsOf<T>(
  columns: readonly Column<T>[],
  rows: readonly (readonly string[])[],
  width: number,
): number[] | undefined | "too narrow" {
  const natural = columns.map(
    ({ head }, at) => Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)) + PADDING,
  );
  const borders = columns.length + 1;
  let excess = natural.reduce((sum, one) => sum + one, borders) - width;
  if (excess <= 0) return undefined;
  const widths = [...natural];
  while (excess > 0) {
    const widest = widths.reduce(
      (best, one, at) => (columns[at]!.wraps === true && one > (widths[best] ?? 0) ? at : best),
      columns.findIndex(({ wraps }) => wraps),
    );
    const now = widths[widest];
    if (now === undefined || now <= WRAPPED_WIDTH_MIN) return "too narrow";
    widths[widest] = now - 1;
    excess -= 1;
  }
  return widths;
}

/** cli-table3 wraps between words only, and cuts a longer one off: those are broken here. */
function broken(cell: string, width: number): string {
  const longest = width - PADDING;
  return cell
    .split(" ")
    .map((word) =>
      word.length > longest ? (word.match(new RegExp(`.{1,${longest}}`, "gu")) ?? []).join(" ") : word,
    )
    .join(" ");
}

/** Columns of the terminal; what a page of text has where stdout is none. */
const WIDTH_DEFAULT = 80;

/** How many columns there are for what is printed on stdout. */
function widthOf(io: ProgramIo): number {
  return io.stdout.columns ?? WIDTH_DEFAULT;
}

/** Prints `items` as a table on stdout. */
export async function printTable<T>(
  io: ProgramIo,
  columns: readonly Column<T>[],
  items: readonly T[],
): Promise<void> {
  const width = columns.some(({ wraps }) => wraps) ? widthOf(io) : undefined;
  await write(io.stdout, await renderTable(columns, items, isColoured(io, io.stdout), width));
}

/** Prints one thing on stdout: a line each, the names in one column. Null shows as `-`. */
export async function printFields(
  io: ProgramIo,
  fields: readonly (readonly [name: string, value: string | number | boolean | null])[],
): Promise<void> {
  const width = Math.max(...fields.map(([name]) => name.length));
  const lines = fields.map(
    ([name, value]) => `${name.padEnd(width)}  ${value === null ? "-" : printable(String(value))}`,
  );
  await write(io.stdout, `${lines.join("\n")}\n`);
}

/** Texts of others (names, provider messages) must not steer the terminal: control characters become spaces. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ");
}
