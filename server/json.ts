/**
 * Parses strict JSON (docs/contract.md#strict-input): no duplicate keys, and at most 32 levels deep. Two readers of a body with
 * a duplicate key may see two different documents.
 */
import { AppError } from "../src/foundation/errors.ts";

export const DEPTH_MAX = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

function refuse(en: string, el: string): AppError {
  return new AppError("validation_failed", { en, el });
}

/** The value of `text`. Throws `validation_failed` with the position of the error, but never the text at it. */
export function parseStrictJson(text: string): unknown {
  const { depth, colons } = scan(text);
  // Checked before parsing, so that the parser never recurses that deep.
  if (depth > DEPTH_MAX)
    throw refuse(
      `The body is nested more than ${DEPTH_MAX} levels deep`,
      `Το σώμα έχει περισσότερα από ${DEPTH_MAX} επίπεδα`,
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw syntaxError(text, error);
  }
  if (countKeys(value) !== colons)
    throw refuse(
      "The body has the same key twice in one object",
      "Το σώμα έχει το ίδιο κλειδί δύο φορές σε ένα αντικείμενο",
    );
  return value;
}

function syntaxError(text: string, error: unknown): AppError {
  if (text.trim() === "")
    return refuse("The body is empty; JSON is expected", "Το σώμα είναι κενό· αναμένεται JSON");
  const position = error instanceof SyntaxError ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  if (position === undefined) return refuse("The body is not valid JSON", "Το σώμα δεν είναι έγκυρο JSON");
  const character = Number(position) + 1;
  return refuse(
    `The body is not valid JSON (at character ${character})`,
    `Το σώμα δεν είναι έγκυρο JSON (στον χαρακτήρα ${character})`,
  );
}

/** The index of the quote that closes the string opening at `index`, or the end of the text if none does. */
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
 * Measures the nesting of the text, which need not be JSON, and counts the colons outside its strings. In JSON
 * each of those follows a key. Stops when the nesting is too deep.
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

/** The number of keys in all objects of `value`. It is less than the number of colons if a key was written twice. */
function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const members = Object.values(value);
  let keys = Array.isArray(value) ? 0 : members.length;
  for (const member of members) if (typeof member === "object") keys += countKeys(member);
  return keys;
}
