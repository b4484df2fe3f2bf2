/** The encodings in which a text may repeat a credential: escapes of characters in any number of layers, Base64 and hex. */

interface Escapes {
  /** A character that every escape of this kind begins with. */
  marker: string;
  /** Each match is one character. No alternative can match in two ways, so that matching takes linear time. */
  token: RegExp;
  decode(token: string): string;
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const CONTROL: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
const CODE_POINT_MAX = 0x10ffff;

function characterOf(codePoint: number, token: string): string {
  return codePoint <= CODE_POINT_MAX ? String.fromCodePoint(codePoint) : token;
}

const PERCENT: Escapes = {
  marker: "%",
  token:
    /%[0-7][\da-f]|%c[2-9a-f]%[89ab][\da-f]|%d[\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-4](?:%[89ab][\da-f]){3}|%[89a-f][\da-f]/gi,
  decode(token) {
    const bytes = Buffer.from(token.replaceAll("%", ""), "hex");
    // A single high byte is Latin-1.
    return bytes.toString(bytes.length === 1 ? "latin1" : "utf8");
  },
};

const ENTITIES: Escapes = {
  marker: "&",
  // Browsers accept a number without the semicolon.
  token: /&#x[\da-f]{1,8};?|&#\d{1,10};?|&(?:amp|lt|gt|quot|apos);/gi,
  decode(token) {
    const body = token.slice(1).replace(";", "").toLowerCase();
    if (!body.startsWith("#")) return NAMED[body]!;
    const isHex = body[1] === "x";
    return characterOf(Number.parseInt(body.slice(isHex ? 2 : 1), isHex ? 16 : 10), token);
  },
};

const BACKSLASHES: Escapes = {
  marker: "\\",
  token: /\\u[\da-f]{4}|\\u\{[\da-f]{1,8}\}|\\x[\da-f]{2}|\\["'\\/nrtbf]/gi,
  decode(token) {
    const code = /[\da-f]{2,}/i.exec(token.slice(2))?.[0] ?? /(?<=\{)[\da-f]/i.exec(token)?.[0];
    if (code !== undefined) return characterOf(Number.parseInt(code, 16), token);
    return CONTROL[token[1]!.toLowerCase()] ?? token[1]!;
  },
};

const KINDS = [PERCENT, ENTITIES, BACKSLASHES];

/** A text after some layers of escapes were decoded. */
export interface View {
  text: string;
  /** The place in the original text of the character at `index`. */
  origin(index: number): number;
}

interface Token {
  /** Where it is in the decoded text, and its length there. */
  at: number;
  length: number;
  /** How much longer the text before it was, and the text through it. */
  before: number;
  after: number;
}

function decodeLayer({ text, origin }: View, { token, decode }: Escapes): View {
  const tokens: Token[] = [];
  let removed = 0;
  const decoded = text.replaceAll(token, (match: string, offset: number) => {
    const character = decode(match);
    const before = removed;
    removed += match.length - character.length;
    tokens.push({ at: offset - before, length: character.length, before, after: removed });
    return character;
  });
  return {
    text: decoded,
    origin(index) {
      const last = lastTokenBefore(tokens, index);
      if (last === undefined) return origin(index);
      // The second half of a surrogate pair begins where the pair does.
      return origin(index < last.at + last.length ? last.at + last.before : index + last.after);
    },
  };
}

/** The last token that begins at `index` or before. */
function lastTokenBefore(tokens: readonly Token[], index: number): Token | undefined {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokens[middle]!.at <= index) low = middle + 1;
    else high = middle;
  }
  return tokens[low - 1];
}

/** More layers than any protocol uses: JSON in a form in XML, with a credential that was URL-encoded before. */
const LAYERS_MAX = 4;

/** The text and every way to decode its escapes, kind by kind. Most texts have none. */
export function* viewsOf(text: string): Generator<View> {
  const seen = new Set([text]);
  let layer: View[] = [{ text, origin: (index) => index }];
  for (let depth = 0; layer.length > 0; depth += 1) {
    yield* layer;
    if (depth === LAYERS_MAX) return;
    const next: View[] = [];
    for (const view of layer) {
      for (const kind of KINDS) {
        if (!view.text.includes(kind.marker)) continue;
        const decoded = decodeLayer(view, kind);
        if (seen.has(decoded.text)) continue;
        seen.add(decoded.text);
        next.push(decoded);
      }
    }
    layer = next;
  }
}

const BITS = { byte: 8, sextet: 6 };

/**
 * What every Base64 or base64url text that contains `secret` anywhere contains too: the characters that the secret alone
 * determines, for each of the three places in a group where it may begin.
 */
export function base64Cores(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const cores = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .slice(
        Math.ceil((shift * BITS.byte) / BITS.sextet),
        Math.floor(((shift + bytes.length) * BITS.byte) / BITS.sextet),
      ),
  );
  return [...new Set(cores.flatMap((core) => [core, core.replaceAll("+", "-").replaceAll("/", "_")]))];
}

export function hexOfText(text: string): string {
  return Buffer.from(text).toString("hex");
}

const RUNS = /[A-Za-z0-9+/_-]{12,}={0,2}/g;
const IS_HEX = /^(?:[\da-f]{2})+$/i;
const hasBothCases = (run: string) => /[a-z]/.test(run) && /[A-Z]/.test(run);
// oxlint-disable-next-line no-control-regex -- Control characters show that a run was not encoded text.
const IS_TEXT = /^[^\u0000-\u0008\u000e-\u001f\u007f]*$/;

/** The runs of a text that decode from Base64 or hex to text, with their place. */
export function* encodedRuns(text: string): Generator<{ start: number; end: number; decoded: string }> {
  for (const { 0: run, index: start } of text.matchAll(RUNS)) {
    const encoding = IS_HEX.test(run) ? "hex" : hasBothCases(run) ? "base64" : undefined;
    if (encoding === undefined) continue;
    const bytes = Buffer.from(run, encoding).toString("utf8");
    if (IS_TEXT.test(bytes)) yield { start, end: start + run.length, decoded: bytes };
  }
}
