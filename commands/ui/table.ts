/** Prints tables and fields in the reader's language, fitted to the terminal. */
import type { Text } from "../../src/foundation/text.ts";
import type { Column, Row } from "../../src/operations/view.ts";
import { type OutputStream, outputSettingsOf, type ProgramIo, printNote, write } from "../io.ts";
import { displayWidth, padEnd } from "./fit.ts";
import { printable } from "./printable.ts";
import { inReadersLanguage, renderTable } from "./render-table.ts";
import { columnsOf, isColoured, tableWidth } from "./screen.ts";

/** Prints `items` as a table on `stream`, and a note on stderr that names the columns left out. */
export async function printTable<T>(
  io: ProgramIo,
  columns: readonly Column<T>[],
  items: readonly T[],
  stream: OutputStream = io.stdout,
): Promise<void> {
  // Long texts are for people, even in a pipe.
  const isText = columns.some(({ wraps }) => wraps);
  const { text, leftOut } = await renderTable(columns, items, {
    coloured: isColoured(io, stream),
    width: isText ? columnsOf(io, stream) : tableWidth(io, stream),
    language: outputSettingsOf(io).language,
  });
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
