/**
 * Scans a text once for many secrets. Every logged body is scanned, so this costs about as much as reading it: only where the
 * last four characters could begin a secret is anything compared.
 */

/** Four characters of three bits each. */
const TABLE_SIZE = 4096;
const MASK = TABLE_SIZE - 1;
const WINDOW = 4;
/** Makes letters of both cases equal, and some other characters too, which only costs a comparison. */
const CASE_BIT = 0x20;

function windowKey(text: string, start: number): number {
  let key = 0;
  for (let index = start; index < start + WINDOW; index += 1)
    key = ((key << 3) ^ (text.charCodeAt(index) | CASE_BIT)) & MASK;
  return key;
}

const MARKER = 1;
const RUN = 2;
/** What an ASCII character may be part of: an escape or a line break, or a run of Base64 or hex. */
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if ("%&\\\n".includes(character)) return MARKER;
  return /[A-Za-z0-9+/_-]/.test(character) ? RUN : 0;
});
/** Shorter runs hold no secret in further encodings. */
const RUN_MIN = 12;

export interface Needle {
  text: string;
  /** Whether only this case counts. */
  isExact: boolean;
  /** Only a hint: more must follow to make a secret. */
  isHint?: boolean;
}

export interface Scan {
  hasNeedle: boolean;
  hasHint: boolean;
  /** Whether the text has characters of escapes, or line breaks. */
  hasMarker: boolean;
  /** Whether a run may be Base64 or hex of further text. */
  hasRun: boolean;
}

const FOUND: Scan = { hasNeedle: true, hasHint: true, hasMarker: true, hasRun: true };

export interface Scanner {
  /** At least four characters. */
  add(needle: Needle): void;
  scan(text: string): Scan;
  /** A scanner for the same needles, to which others can be added. */
  copy(): Scanner;
}

export function createScanner(
  table = new Uint8Array(TABLE_SIZE),
  needles = new Map<number, readonly Needle[]>(),
): Scanner {
  function findNeedleAt(text: string, start: number, key: number): Needle | undefined {
    return needles
      .get(key)!
      .find(({ text: needle, isExact }) =>
        isExact ? text.startsWith(needle, start) : isSameInUpperCase(text, start, needle),
      );
  }

  return {
    copy: () => createScanner(table.slice(), new Map(needles)),
    add(needle) {
      // A letter outside ASCII may have another key in the other case.
      const { text } = needle;
      const cases = needle.isExact ? [text] : [text, text.toUpperCase(), text.toLowerCase()];
      for (const key of new Set(cases.map((one) => windowKey(one, 0)))) {
        table[key] = 1;
        const known = needles.get(key) ?? [];
        needles.set(key, [...known, needle.isExact ? needle : { ...needle, text: text.toUpperCase() }]);
      }
    },
    scan(text) {
      let hasHint = false;
      let hasMarker = false;
      let hasRun = false;
      let key = 0;
      let runStart = 0;
      for (let index = 0; index < text.length; index += 1) {
        const code = text.charCodeAt(index);
        key = ((key << 3) ^ (code | CASE_BIT)) & MASK;
        if (table[key] === 1 && index >= WINDOW - 1) {
          const needle = findNeedleAt(text, index - WINDOW + 1, key);
          if (needle?.isHint === true) hasHint = true;
          else if (needle !== undefined) return FOUND;
        }
        const characterClass = code < 128 ? CLASSES[code]! : 0;
        if (characterClass === RUN) continue;
        if (index - runStart >= RUN_MIN) hasRun ||= mayBeText(text, runStart);
        runStart = index + 1;
        if (characterClass === MARKER) hasMarker = true;
      }
      if (text.length - runStart >= RUN_MIN) hasRun ||= mayBeText(text, runStart);
      return { hasNeedle: false, hasHint, hasMarker, hasRun };
    },
  };
}

/** `needle` is in upper case. */
function isSameInUpperCase(text: string, start: number, needle: string): boolean {
  return text
    .slice(start, start + needle.length)
    .toUpperCase()
    .startsWith(needle);
}

/** Whether the first characters of a run could be text in Base64 or hex: bytes from 0x20 to 0x7f. */
function mayBeText(text: string, start: number): boolean {
  return (
    [0, 4, 8].every((offset) => isFirstOfGroup(text.charCodeAt(start + offset))) ||
    [0, 2, 4, 6, 8].every((offset) => isFirstOfByte(text.charCodeAt(start + offset)))
  );
}

/** `I` to `Z` and `a` to `f`: the values 8 to 31 of Base64. */
function isFirstOfGroup(code: number): boolean {
  return (code >= 0x49 && code <= 0x5a) || (code >= 0x61 && code <= 0x66);
}

/** `2` to `7`. */
function isFirstOfByte(code: number): boolean {
  return code >= 0x32 && code <= 0x37;
}
