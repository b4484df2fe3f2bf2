/**
 * Strict JSON (decisions 2.2): what JSON.parse takes, without duplicate keys and at most 32 deep. Two readers of a body with
 * a duplicate key may see two different documents.
 */
import { AppError } from "../src/errors.ts";

/** Nesting of objects and arrays. */
export const DEPTH_MAX = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

function refuse(message: string): AppError {
  return new AppError("validation_failed", message);
}

/** The value of `text`. Throws `validation_failed`; the message says where, never what stands there. */
export function parseStrictJson(text: string): unknown {
  const { depth, hasDuplicate } = scan(text);
  // Before parsing, so that no parser is led that deep.
  if (depth > DEPTH_MAX) throw refuse(`The body is nested more than ${DEPTH_MAX} deep`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const position = error instanceof SyntaxError ? /position (\d+)/.exec(error.message)?.[1] : undefined;
    const where = position === undefined ? "" : ` (at character ${Number(position) + 1})`;
    throw refuse(
      text.trim() === "" ? "The body is empty; JSON is expected" : `The body is not valid JSON${where}`,
    );
  }
  if (hasDuplicate) throw refuse("The body has the same key twice in one object");
  return value;
}

/** Where the string that opens at `index` ends: the index of its closing quote, or the end of a text that is cut. */
function endOfString(text: string, index: number): number {
  let end = index;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

/**
 * One walk over the text, which need not be JSON: how deep it is, and whether an object has a key twice. In an object, a
 * string before a colon is a key. Stops at what is too deep.
 */
function scan(text: string): { depth: number; hasDuplicate: boolean } {
  /** The keys of each open object; null for an array. */
  const open: (Set<string> | null)[] = [];
  let depth = 0;
  let hasDuplicate = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      open.push(code === OPEN_OBJECT ? new Set() : null);
      if (open.length > depth) depth = open.length;
      if (depth > DEPTH_MAX) break;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) open.pop();
    else if (code === QUOTE) {
      const end = endOfString(text, index);
      const keys = open.length === 0 ? null : open[open.length - 1];
      if (keys !== null && keys !== undefined && isBeforeColon(text, end + 1)) {
        const key = keyAt(text, index, end);
        hasDuplicate ||= keys.has(key);
        keys.add(key);
      }
      index = end;
    }
  }
  return { depth, hasDuplicate };
}

function isBeforeColon(text: string, from: number): boolean {
  let index = from;
  while (index < text.length && text.charCodeAt(index) <= 0x20) index += 1;
  return text.charCodeAt(index) === COLON;
}

/** The key as the parser reads it: `"a"` and `"\u0061"` are one. */
function keyAt(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end);
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(text.slice(start, end + 1)) as string;
  } catch {
    // No JSON string: the parser will refuse the whole.
    return raw;
  }
}
