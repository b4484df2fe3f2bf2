/**
 * Strict JSON (decisions 2.2): what JSON.parse takes, without duplicate keys and at most 32 deep. Two readers of a body with
 * a duplicate key may see two different documents.
 */
import { AppError } from "../src/foundation/errors.ts";

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
  const { depth, colons } = scan(text);
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
  if (countKeys(value) !== colons) throw refuse("The body has the same key twice in one object");
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
 * One walk over the text, which need not be JSON: how deep it is, and how many colons stand outside its strings. In JSON
 * each of those follows a key. Stops at what is too deep.
 */
function scan(text: string): { depth: number; colons: number } {
  let open = 0;
  let depth = 0;
  let colons = 0;
  for (let index = 0; index < text.length && depth <= DEPTH_MAX; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === COLON) colons += 1;
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      open += 1;
      if (open > depth) depth = open;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) open -= 1;
  }
  return { depth, colons };
}

/** The keys of every object in `value`: fewer than were written where one was written twice. */
function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const members = Object.values(value);
  let keys = Array.isArray(value) ? 0 : members.length;
  for (const member of members) if (typeof member === "object") keys += countKeys(member);
  return keys;
}
