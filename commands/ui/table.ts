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
  const { text, leftOut } = renderTable(columns, items, { coloured, width, language });
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

/** A table that fits. */
export interface RenderedTable {
  /** Ends in a line break. */
  text: string;
  /** The heads of the columns that are left out. */
  leftOut: readonly string[];
}

type Look = "bold" | "green" | "red" | "yellow";

/** A cell's text, which is printable. */
interface Cell {
  text: string;
  /** Undefined for plain text. */
  look: Look | undefined;
}

/** A column with its cells, and how it takes part in the layout. */
interface Strip extends Pick<Column<never>, "align" | "wraps" | "shortens" | "leaveOut"> {
  head: Cell;
  cells: Cell[];
}

/** Without a frame, cells are separated by a space. */
const BARE_GAP = 1;
/** A framed cell has a space on both sides and a line. */
const FRAMED_GAP = 3;

/**
 * Lays out a table. If it is too wide, long texts wrap; then the frame goes, other texts are shortened, and columns are left out;
 * finally each cell gets its own line. Amounts, numbers, ids and dates are never cut: docs/contract.md#tables.
 */
export function renderTable<T>(
  columns: readonly Column<T>[],
  items: readonly T[],
  { coloured = false, width = Number.POSITIVE_INFINITY, language = "en" }: TableStyle = {},
): RenderedTable {
  const strips = columns.map((column) => stripOf(column, items, language, coloured));
  const framed = fitColumns(strips.map(framedSpaceOf), width - FRAMED_GAP - 1, FRAMED_GAP);
  if (framed !== undefined) return { text: draw(strips, framed, { isFramed: true }), leftOut: [] };
  const bare = fitColumns(strips.map(spaceOf), width, BARE_GAP);
  if (bare === undefined) return { text: stackRows(strips), leftOut: [] };
  const leftOut = strips.filter((_strip, at) => bare[at] === 0).map(({ head }) => head.text);
  return { text: draw(strips, bare, { isFramed: false }), leftOut };
}

function stripOf<T>(column: Column<T>, items: readonly T[], language: Language, coloured: boolean): Strip {
  const cells = items.map((item) => {
    const value = column.value(item);
    const look = coloured && column.isStatus === true ? lookOf(value) : undefined;
    return { text: printable(inReadersLanguage(language, value)), look };
  });
  const look = coloured ? "bold" : undefined;
  return { ...column, head: { text: inReadersLanguage(language, column.head), look }, cells };
}

function inReadersLanguage(language: Language, value: Text | string): string {
  return typeof value === "string" ? value : withCommand(value)[language];
}

/** What the English words of a status begin with. */
const LOOKS: readonly (readonly [Look, RegExp])[] = [
  ["green", /^(issued|active|delivered|enabled|ok|sent|yes)\b/],
  ["red", /^(rejected|failed|failing|invalid|refused|disabled|problem|no)\b/],
  ["yellow", /^(pending|held|notice|unknown|transient|waiting)\b/],
];

function lookOf(status: Text | string): Look | undefined {
  const english = typeof status === "string" ? status : status.en;
  return LOOKS.find(([, form]) => form.test(english))?.[0];
}

function styled(text: string, { look }: Cell): string {
  return look === undefined ? text : styleText(look, text, { validateStream: false });
}

/** A text that is shortened or wrapped to less would be unreadable. */
const TEXT_MIN = 12;

/** In a frame only long texts give way. */
function framedSpaceOf({ head, cells, wraps }: Strip): ColumnSpace {
  const wanted = Math.max(...[head, ...cells].map(({ text }) => displayWidth(text)));
  return { wanted, least: wraps === true ? Math.min(wanted, TEXT_MIN) : wanted };
}

/** Heads wrap between words. */
function spaceOf(strip: Strip): ColumnSpace {
  const { head, cells, wraps, shortens, leaveOut } = strip;
  const content = Math.max(0, ...cells.map(({ text }) => displayWidth(text)));
  const least = wraps === true || shortens === true ? Math.min(content, TEXT_MIN) : content;
  const { wanted } = framedSpaceOf(strip);
  return { wanted, least: Math.max(least, ...head.text.split(" ").map(displayWidth)), leaveOut };
}

/** Draws the columns whose width is not 0. */
function draw(
  strips: readonly Strip[],
  widths: readonly number[],
  { isFramed }: { isFramed: boolean },
): string {
  const shown = strips.flatMap((strip, at) => (widths[at] === 0 ? [] : [blocksOf(strip, widths[at]!)]));
  const [head = [], ...body] = shown[0]!.blocks.map((_block, row) => {
    const height = Math.max(...shown.map(({ blocks }) => blocks[row]!.length));
    return Array.from({ length: height }, (_line, at) => {
      const parts = shown.map(({ width, blocks }) => blocks[row]![at] ?? " ".repeat(width));
      return isFramed ? `│ ${parts.join(" │ ")} │` : parts.join(" ").trimEnd();
    });
  });
  const rule = ([left, between, right]: string) =>
    isFramed ? [left + shown.map(({ width }) => "─".repeat(width + 2)).join(between) + right] : [];
  const lines = [...rule("┌┬┐"), ...head, ...rule("├┼┤"), ...body.flat(), ...rule("└┴┘")];
  return `${lines.join("\n")}\n`;
}

/** The lines of the head and of each cell, wrapped or shortened to `widthMax`, and filled up to the widest of them. */
function blocksOf({ head, cells, align, wraps }: Strip, widthMax: number) {
  const fit = (text: string) => (wraps === true ? wrapWords(text, widthMax) : [shorten(text, widthMax)]);
  const texts = [wrapWords(head.text, widthMax), ...cells.map(({ text }) => fit(text))];
  const width = Math.max(...texts.flat().map(displayWidth));
  const blocks = [head, ...cells].map((cell, at) =>
    texts[at]!.map((line) => {
      const [text, space] = [styled(line, cell), " ".repeat(width - displayWidth(line))];
      return align === "right" ? space + text : text + space;
    }),
  );
  return { width, blocks };
}

/** A line of heads and one for each row, with the same cells as a table. No cell has a tab or a line break. */
export function tabSeparated<T>(
  columns: readonly Column<T>[],
  items: readonly T[],
  { coloured = false, language = "en" }: TableStyle = {},
): string[] {
  const strips = columns.map((column) => stripOf(column, items, language, coloured));
  const lines = [
    strips.map(({ head }) => head),
    ...items.map((_item, at) => strips.map(({ cells }) => cells[at]!)),
  ];
  return lines.map((line) => line.map((cell) => styled(cell.text, cell)).join("\t"));
}

/** For screens too narrow for a table: one line per cell with its head, and a blank line after each row. */
function stackRows(strips: readonly Strip[]): string {
  const width = Math.max(...strips.map(({ head }) => displayWidth(head.text)));
  const lineOf = ({ head, cells }: Strip, at: number) =>
    `${padEnd(head.text, width)}  ${cells[at]!.text}`.trimEnd();
  return strips[0]!.cells
    .map((_cell, at) => `${strips.map((strip) => lineOf(strip, at)).join("\n")}\n\n`)
    .join("");
}
