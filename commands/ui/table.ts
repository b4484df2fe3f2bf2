/** Prints tables and fields in the reader's language: fitted to the terminal, and tab-separated in a pipe or file. */
import type { Text } from "../../src/foundation/text.ts";
import type { Column, Row } from "../../src/operations/view.ts";
import { type OutputStream, outputSettingsOf, type ProgramIo, printNote, write } from "../io.ts";
import { displayWidth, padEnd } from "./fit.ts";
import { printable } from "./printable.ts";
import { inReadersLanguage, renderTable, tabSeparated } from "./render-table.ts";
import { columnsOf, isColoured } from "./screen.ts";

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
