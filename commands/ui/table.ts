/** Tables and single things for reading. Colour only where a terminal shows it and NO_COLOR does not forbid it. */
import { type OutputStream, type ProgramIo, write } from "../io.ts";

export interface Column<T> {
  head: string;
  align?: "left" | "right";
  value(item: T): string;
}

export function isColoured(io: ProgramIo, stream: OutputStream): boolean {
  return stream.isTTY === true && (io.env["NO_COLOR"] ?? "") === "" && io.env["TERM"] !== "dumb";
}

/** The table as text, ending in a line break. `items` without anything give the heads alone. */
export async function renderTable<T>(
  columns: readonly Column<T>[],
  items: readonly T[],
  coloured: boolean,
): Promise<string> {
  const { default: Table } = await import("cli-table3");
  const table = new Table({
    head: columns.map((column) => column.head),
    colAligns: columns.map((column) => column.align ?? "left"),
    // Compact: rows stand close together, only the heads are set off.
    style: coloured
      ? { head: ["bold"], border: ["grey"], compact: true }
      : { head: [], border: [], compact: true },
  });
  for (const item of items) table.push(columns.map((column) => printable(column.value(item))));
  return `${table.toString()}\n`;
}

/** Prints `items` as a table on stdout. */
export async function printTable<T>(
  io: ProgramIo,
  columns: readonly Column<T>[],
  items: readonly T[],
): Promise<void> {
  await write(io.stdout, await renderTable(columns, items, isColoured(io, io.stdout)));
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
