/** What the body may have been before something on its way changed it, each with the change that would explain it. */

export interface BodyGuess {
  body: Uint8Array;
  /** What changed it, as a sentence; null for the body as it was given. */
  mistake: string | null;
}

const LINE_BREAK = /\r?\n$/;
const BYTE_ORDER_MARK = "\ufeff";
const AT_ITS_END = "the body gained or lost a line break at its end";
const LINE_BREAKS = "the line breaks of the body were rewritten (\\r\\n and \\n)";
const SERIALISED =
  "the body was parsed and written as JSON again, which changes spaces and escapes: keep the bytes as they came";

/** Guesses for a body, the one as given first. None of them holds a body twice. */
export function guessBodies(given: Uint8Array): BodyGuess[] {
  const guesses = new Map<string, BodyGuess>();
  const add = (body: string | Buffer, mistake: string | null): void => {
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    const name = bytes.toString("latin1");
    if (!guesses.has(name)) guesses.set(name, { body: bytes, mistake });
  };
  const text = Buffer.from(given).toString("utf8");
  add(Buffer.from(given), null);
  for (const ending of ["", "\n", "\r\n"]) add(text.replace(LINE_BREAK, "") + ending, AT_ITS_END);
  add(text.replaceAll("\r\n", "\n"), LINE_BREAKS);
  add(text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n"), LINE_BREAKS);
  if (text.startsWith(BYTE_ORDER_MARK)) add(text.slice(1), "the body gained a byte order mark");
  addRequest(text, add);
  addDecoded(text, add);
  addSerialised(text, add);
  return [...guesses.values()];
}

type Add = (body: string | Buffer, mistake: string) => void;

/** Somebody kept the whole request, headers and all. */
function addRequest(text: string, add: Add): void {
  const head = /^POST [^\n]*\n.*?\r?\n\r?\n/s.exec(text);
  if (head !== null)
    add(
      text.slice(head[0].length),
      "the file holds the whole request: only what follows the headers is signed",
    );
}

/** UTF-8 that was read as Latin-1 and written as UTF-8 again: each byte became a character. */
function addDecoded(text: string, add: Add): void {
  const isLatin1 = [...text].every((character) => character.charCodeAt(0) <= 0xff);
  if (isLatin1) add(Buffer.from(text, "latin1"), "the body was read as Latin-1 instead of UTF-8");
}

/**
 * The ways in which programs write JSON. fiscal writes it without spaces; the others are for a signature that somebody
 * made over a body of their own.
 */
function addSerialised(text: string, add: Add): void {
  const value = parse(text);
  if (value === undefined) return;
  for (const [written, mistake] of [
    [value, SERIALISED],
    [
      inAnswer(value),
      "the file holds the API's answer: the signature is over the event alone, the value of `data`",
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

/** The event in `{"data": event}`, as GET /events/{id} answers it. */
function inAnswer(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("data" in value)) return undefined;
  return Object.keys(value).length === 1 ? value.data : undefined;
}

/** `{"a": 1, "b": [2, 3]}`: a space behind each colon and comma, as Python writes it. */
function spaced(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${spaced(inner)}`);
  return `{${entries.join(", ")}}`;
}

/** Every other character as `\uXXXX`, as Python and PHP write it unless they are told otherwise. */
function withAsciiOnly(json: string): string {
  return json.replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Whether `bytes` are JSON from beginning to end; `cut` when they begin as an object and do not end as one. */
export function wholenessOf(bytes: Uint8Array): "whole" | "cut" | "foreign" {
  const text = Buffer.from(bytes).toString("utf8");
  if (parse(text) !== undefined) return "whole";
  return /^\s*\{/.test(text) && !/\}\s*$/.test(text) ? "cut" : "foreign";
}
