/** Guesses the key and the body that a signature was made with, each with the mistake that would explain it. */

export interface KeyGuess {
  key: Uint8Array;
  /** The mistake, as a sentence; null for the given secret. */
  mistake: string | null;
}

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;
const HEX = /^[0-9a-f]{64}$/i;

/** Guesses for the secret in a file, the given one first. `given` is the file's content without the final line break. */
export function guessKeys(given: Uint8Array): KeyGuess[] {
  const text = decodeText(given);
  return [
    { key: given, mistake: null },
    ...(text === undefined ? [] : guessFromText(text)),
    ...(given.length === SECRET_BYTES ? [restored(given)] : []),
  ];
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function guessFromText(text: string): KeyGuess[] {
  const bare = text.trim().replace(/^(["'])(.*)\1$/s, "$2");
  const guesses: KeyGuess[] = [];
  if (bare !== text) {
    const mistake = "the secret in the file has quotation marks, white space or a byte order mark around it";
    guesses.push({ key: Buffer.from(bare), mistake });
  }
  if (bare.startsWith(PREFIX)) guesses.push(...guessWithout(bare.slice(PREFIX.length)));
  else if (BASE64.test(bare)) {
    const mistake = `the secret in the file has lost its prefix: the key is the whole text, ${PREFIX} included`;
    guesses.push({ key: Buffer.from(PREFIX + bare), mistake });
  }
  if (HEX.test(bare)) guesses.push(restored(Buffer.from(bare, "hex")));
  return guesses;
}

/** The secret is complete, but the signature was made with a part of it. */
function guessWithout(rest: string): KeyGuess[] {
  return [
    {
      key: Buffer.from(rest),
      mistake: `the signature was made without the secret's prefix: the key is the whole text, ${PREFIX} included`,
    },
    {
      key: Buffer.from(rest, "base64"),
      mistake:
        "the signature was made with the base64-decoded secret, as webhook-signature is: the key of " +
        "service-signature is the whole text of the secret as UTF-8",
    },
  ];
}

function restored(bytes: Uint8Array): KeyGuess {
  return {
    key: Buffer.from(PREFIX + Buffer.from(bytes).toString("base64")),
    mistake:
      "the file contains the decoded bytes of the secret: the key is its text, whsec_…, as it was shown",
  };
}

export interface BodyGuess {
  body: Uint8Array;
  /** What changed it, as a sentence; null for the given body. */
  mistake: string | null;
}

const LINE_BREAK = /\r?\n$/;
const BYTE_ORDER_MARK = "\ufeff";
const LINE_BREAK_AT_END = "the body gained or lost a line break at its end";
const LINE_BREAKS = "the line breaks of the body were rewritten (\\r\\n and \\n)";
const SERIALISED =
  "the body was parsed and written as JSON again, which changes spaces and escapes: keep the bytes as they came";

/** Distinct guesses for a body, the given one first. */
export function guessBodies(given: Uint8Array): BodyGuess[] {
  const guesses = new Map<string, BodyGuess>();
  const add = (body: string | Buffer, mistake: string | null) => {
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    const name = bytes.toString("latin1");
    if (!guesses.has(name)) guesses.set(name, { body: bytes, mistake });
  };
  const text = Buffer.from(given).toString("utf8");
  add(Buffer.from(given), null);
  for (const ending of ["", "\n", "\r\n"]) add(text.replace(LINE_BREAK, "") + ending, LINE_BREAK_AT_END);
  add(text.replaceAll("\r\n", "\n"), LINE_BREAKS);
  add(text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n"), LINE_BREAKS);
  if (text.startsWith(BYTE_ORDER_MARK)) add(text.slice(1), "the body gained a byte order mark");
  const head = /^POST [^\n]*\n.*?\r?\n\r?\n/s.exec(text);
  if (head !== null)
    add(
      text.slice(head[0].length),
      "the file contains the whole request: only the part after the headers is signed",
    );
  // UTF-8 read as Latin-1 and written as UTF-8 again, so that each byte became a character.
  if ([...text].every((character) => character.charCodeAt(0) <= 0xff))
    add(Buffer.from(text, "latin1"), "the body was read as Latin-1 instead of UTF-8");
  addSerialised(text, add);
  return [...guesses.values()];
}

/**
 * The ways in which programs serialise JSON. fiscal writes no spaces; the other forms are for signatures that somebody
 * computed over a body they serialised themselves.
 */
function addSerialised(text: string, add: (body: string, mistake: string) => void): void {
  const value = parse(text);
  if (value === undefined) return;
  for (const [written, mistake] of [
    [value, SERIALISED],
    [
      eventInResponse(value),
      "the file contains the API's response: the signature covers only the event, the value of `data`",
    ],
  ] as const) {
    if (written === undefined) continue;
    for (const form of [
      JSON.stringify(written),
      spaced(written),
      JSON.stringify(written, null, 2),
      JSON.stringify(written, null, 4),
    ])
      for (const variant of [form, withAsciiOnly(form)])
        for (const ending of ["", "\n"]) add(variant + ending, mistake);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** The event in `{"data": event}`, the response of GET /events/{id}. */
function eventInResponse(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("data" in value)) return undefined;
  return Object.keys(value).length === 1 ? value.data : undefined;
}

/** `{"a": 1, "b": [2, 3]}` with a space after each colon and comma, like Python. */
function spaced(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${spaced(inner)}`);
  return `{${entries.join(", ")}}`;
}

/** Non-ASCII characters as `\uXXXX`, the default of Python and PHP. */
function withAsciiOnly(json: string): string {
  return json.replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** `whole` for valid JSON, `cut` for an object without an end, `foreign` for anything else. */
export function classifyBody(bytes: Uint8Array): "whole" | "cut" | "foreign" {
  const text = Buffer.from(bytes).toString("utf8");
  if (parse(text) !== undefined) return "whole";
  return /^\s*\{/.test(text) && !/\}\s*$/.test(text) ? "cut" : "foreign";
}
