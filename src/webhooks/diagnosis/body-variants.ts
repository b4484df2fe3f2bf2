/** Guesses what the body was before something changed it in transit, each with the change that would explain it. */

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
  const add = (body: string | Buffer, mistake: string | null): void => {
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
  addRequest(text, add);
  addDecoded(text, add);
  addSerialised(text, add);
  return [...guesses.values()];
}

type Add = (body: string | Buffer, mistake: string) => void;

/** The file may contain the whole request including its headers. */
function addRequest(text: string, add: Add): void {
  const head = /^POST [^\n]*\n.*?\r?\n\r?\n/s.exec(text);
  if (head !== null)
    add(
      text.slice(head[0].length),
      "the file contains the whole request: only the part after the headers is signed",
    );
}

/** UTF-8 read as Latin-1 and written as UTF-8 again, so that each byte became a character. */
function addDecoded(text: string, add: Add): void {
  const isLatin1 = [...text].every((character) => character.charCodeAt(0) <= 0xff);
  if (isLatin1) add(Buffer.from(text, "latin1"), "the body was read as Latin-1 instead of UTF-8");
}

/**
 * The ways in which programs serialise JSON. fiscal writes no spaces; the other forms are for signatures that somebody
 * computed over a body they serialised themselves.
 */
function addSerialised(text: string, add: Add): void {
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
