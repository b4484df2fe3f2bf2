/** Finds secrets in a text: as they are, and in the encodings in which software repeats what it was sent. */
import { base64Cores, encodedRuns, hexOfText, type View, viewsOf } from "./encodings.ts";
import { createScanner, type Scan, type Scanner } from "./secret-scan.ts";

/** Secrets that fiscal creates, recognised by their form. */
const OWN_SECRETS =
  /fiscal_(?:test|live)_[0-9A-Za-z]{20,}|whsec_[0-9A-Za-z+/=_-]{20,}|(?<=\/connect\/)[0-9A-Za-z_-]{40,}/g;
/** How they begin, to find them in Base64 and hex. */
const OWN_BEGINNINGS = ["fiscal_test_", "fiscal_live_", "whsec_"];

/** Shorter secrets are not searched for, since they also occur in ordinary text. */
const LENGTH_MIN = 4;
/** Encoded texts inside encoded texts, such as a form in Base64 in Base64. */
const NESTING_MAX = 2;

/** From `start` up to, but not including, `end`. */
export interface Range {
  start: number;
  end: number;
}

export interface SecretSearch {
  add(secret: string): void;
  /** Whether `text` is one of the secrets. */
  isSecret(text: string): boolean;
  isIn(text: string): boolean;
  /**
   * Whether one scan shows that no string in the JSON `text` contains a secret, not even an encoded one. Always false once a secret
   * was added, because a number in the text may be that secret, written in another way.
   */
  isSurelyFree(text: string): boolean;
  /** The places of all secrets that can be cut out; those in Base64 with everything around that is encoded with them. */
  rangesIn(text: string): Range[];
}

interface Encoded {
  /** In upper case. */
  hex: string[];
  /** In the case that Base64 requires. */
  cores: string[];
}

function addEncoded(secret: string, { hex, cores }: Encoded, scanner: Scanner): void {
  hex.push(hexOfText(secret).toUpperCase());
  scanner.add({ text: hexOfText(secret), isExact: false });
  for (const core of base64Cores(secret)) {
    cores.push(core);
    scanner.add({ text: core, isExact: true });
  }
}

/** Finds the secrets that fiscal creates; every search begins with a copy of it. */
const OWN = buildOwnSearch();

function buildOwnSearch(): Encoded & { scanner: Scanner } {
  const scanner = createScanner();
  const encoded: Encoded = { hex: [], cores: [] };
  for (const text of ["fiscal_", "whsec_", "/connect/"]) scanner.add({ text, isExact: true, isHint: true });
  for (const beginning of OWN_BEGINNINGS) addEncoded(beginning, encoded, scanner);
  return { ...encoded, scanner };
}

export function createSecretSearch(): SecretSearch {
  const known = new Set<string>();
  const scanner = OWN.scanner.copy();
  const hex = [...OWN.hex];
  const cores = [...OWN.cores];
  let pattern: RegExp | undefined;

  function isFound(text: string, { hasNeedle, hasHint, hasRun }: Scan, nesting: number): boolean {
    if (hasNeedle || (hasHint && text.search(OWN_SECRETS) !== -1)) return true;
    return hasRun && nesting < NESTING_MAX && isInRuns(text, nesting);
  }

  function isIn(text: string, nesting = 0): boolean {
    const scan = scanner.scan(text);
    return isFound(text, scan, nesting) || (scan.hasMarker && isInViews(text, nesting));
  }

  function isInViews(text: string, nesting: number): boolean {
    for (const { text: decoded } of viewsOf(text)) {
      if (decoded !== text && isFound(decoded, scanner.scan(decoded), nesting)) return true;
      if (isWrapped(decoded)) return true;
    }
    return false;
  }

  function isInRuns(text: string, nesting: number): boolean {
    for (const { decoded } of encodedRuns(text)) if (isIn(decoded, nesting + 1)) return true;
    return false;
  }

  /** Whether a secret in Base64 or hex is broken into lines. */
  function isWrapped(text: string): boolean {
    if (!text.includes("\n")) return false;
    const joined = text.replaceAll(/[\r\n\t ]/g, "");
    const upperText = joined.toUpperCase();
    return cores.some((core) => joined.includes(core)) || hex.some((digits) => upperText.includes(digits));
  }

  function* rangesInView(text: string): Generator<Range> {
    if (pattern !== undefined) yield* matchesOf(pattern, text);
    yield* matchesOf(OWN_SECRETS, text);
    for (const core of cores) yield* runsAround(core, text, text);
    const upperText = text.toUpperCase();
    // A few letters become longer in upper case, and hex then has other places.
    if (upperText.length === text.length)
      for (const digits of hex) yield* runsAround(digits, upperText, text);
    for (const run of encodedRuns(text)) if (isIn(run.decoded, 1)) yield run;
  }

  return {
    isSecret: (text) => known.has(text),
    isIn: (text) => isIn(text),
    isSurelyFree(text) {
      if (known.size > 0) return false;
      const { hasNeedle, hasHint, hasMarker, hasRun } = scanner.scan(text);
      return !(hasNeedle || hasHint || hasMarker || hasRun);
    },
    rangesIn: (text) => merged([...viewsOf(text)].flatMap((view) => rangesOf(view, rangesInView(view.text)))),
    add(secret) {
      if (secret.length < LENGTH_MIN || known.has(secret)) return;
      // A form has plus signs for spaces.
      for (const spelling of [secret, secret.replaceAll(" ", "+")]) {
        known.add(spelling);
        scanner.add({ text: spelling, isExact: false });
      }
      addEncoded(secret, { hex, cores }, scanner);
      // Longest first, so that a secret that contains another is replaced as a whole.
      const longestFirst = [...known].sort((left, right) => right.length - left.length);
      pattern = new RegExp(longestFirst.map(literally).join("|"), "gi");
    },
  };
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function* matchesOf(pattern: RegExp, text: string): Generator<Range> {
  for (const { 0: match, index } of text.matchAll(pattern)) yield { start: index, end: index + match.length };
}

const ENCODED = /[A-Za-z0-9+/_=-]/;

/** Each place of `part` in `searched`, with the encoded characters around it in `text`. */
function* runsAround(part: string, searched: string, text: string): Generator<Range> {
  for (let at = searched.indexOf(part); at !== -1; ) {
    let start = at;
    let end = at + part.length;
    while (start > 0 && ENCODED.test(text[start - 1]!)) start -= 1;
    while (end < text.length && ENCODED.test(text[end]!)) end += 1;
    yield { start, end };
    at = searched.indexOf(part, end);
  }
}

function rangesOf({ origin }: View, ranges: Iterable<Range>): Range[] {
  return [...ranges].map(({ start, end }) => ({ start: origin(start), end: origin(end) }));
}

/** Sorted, and overlapping ranges joined. */
function merged(ranges: readonly Range[]): Range[] {
  const joined: Range[] = [];
  for (const { start, end } of [...ranges].sort((left, right) => left.start - right.start)) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}
