/**
 * Explains why a delivery's signature does not match: tries the common mistakes of receivers one by one until one explains it. The check
 * itself is the service's own `verifySignature`. Pure.
 */
import { createHmac } from "node:crypto";
import { readSignature, SIGNATURE_LENGTH, TOLERANCE_SECONDS, verifySignature } from "./signature.ts";

export interface Delivery {
  /** The content of the secret's file, without the final line break. */
  secret: Uint8Array;
  /** The value of service-signature. */
  header: string;
  body: Uint8Array;
  /** When the receiver got the delivery. */
  nowSeconds: number;
}

type Reason =
  | "wrong_header"
  | "no_timestamp"
  | "no_v1"
  | "too_old"
  | "in_the_future"
  | "header_changed"
  | "secret_changed"
  | "body_changed"
  | "body_cut"
  | "mismatch";

export interface Diagnosis {
  matches: boolean;
  /** Null if it matches. */
  reason: Reason | null;
  /** Sentences that say what is wrong or what to do. */
  findings: string[];
}

/** The header of Standard Webhooks: `v1,` and base64. */
const STANDARD = /(^|\s)v1,[A-Za-z0-9+/]{20}/;

export function diagnose({ secret, header, body, nowSeconds }: Delivery): Diagnosis {
  const text = withoutQuotes(header.replace(/^\s*service-signature\s*:/i, ""));
  const verdict = verifySignature({ secret, header: text, body, nowSeconds });
  const { timestamp = "", signatures } = readSignature(text);
  if (verdict.ok) return { matches: true, reason: null, findings: remarks() };
  if (signatures.length === 0 && STANDARD.test(text))
    return fail(
      "wrong_header",
      "This is the header webhook-signature; the one to check is service-signature (t=…,v1=…).",
    );
  switch (verdict.reason) {
    case "no_timestamp":
      return fail(
        "no_timestamp",
        "The header has no t=<seconds>: its beginning is missing, or it is a different header.",
      );
    case "no_v1":
      return fail(
        "no_v1",
        "The header has no v1=<signature>: it was cut after its timestamp, or at its commas.",
      );
    case "mismatch": {
      const found = explain(secret, body, { timestamp, signatures }) ?? unexplained(body, signatures);
      return { ...found, findings: [...found.findings, ...describeClock()] };
    }
    case "too_old":
    case "in_the_future":
      return fail(
        verdict.reason,
        "Secret, header and body match; only the time is wrong.",
        ...describeClock(),
        "A stored delivery must be verified at the time of its arrival. Otherwise check the receiver's clock.",
      );
  }

  function remarks(): string[] {
    const position = signatures.indexOf(sign(secret, timestamp, body)) + 1;
    const rotated = `It is signature ${position} of ${signatures.length}, newest secret first: this secret has been rotated and expires soon.`;
    return ["The signature matches the secret and the body.", ...(position > 1 ? [rotated] : [])];
  }

  /** A sentence about a timestamp outside the tolerance. */
  function describeClock(): string[] {
    const age = nowSeconds - Number(timestamp);
    if (Math.abs(age) <= TOLERANCE_SECONDS) return [];
    const where = age > 0 ? "old" : "in the future";
    return [
      `The timestamp is ${Math.abs(age)} seconds ${where}; receivers refuse more than ${TOLERANCE_SECONDS}.`,
    ];
  }
}

/** Also without white space and a byte order mark around it. */
function withoutQuotes(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/s, "$2");
}

function sign(key: string | Uint8Array, timestamp: string, body: string | Uint8Array): string {
  return createHmac("sha256", key).update(`${timestamp}.`).update(body).digest("hex");
}

function fail(reason: Reason, ...findings: string[]): Diagnosis {
  return { matches: false, reason, findings };
}

/** A key or a body that the signature may have been made with, and the mistake that would explain it: null for the given one. */
type Guess = readonly [value: string | Uint8Array, mistake: string | null];

/** The first guess that explains the signature, starting with the smallest changes. */
function explain(
  secret: Uint8Array,
  body: Uint8Array,
  { timestamp, signatures }: { timestamp: string; signatures: readonly string[] },
): Diagnosis | undefined {
  const keys = guessKeys(secret);
  const pairs = guessBodies(body).flatMap((content) => keys.map((key) => [key, content] as const));
  const changes = (pair: readonly Guess[]) => pair.filter(([, mistake]) => mistake !== null).length;
  for (const pair of pairs.toSorted((left, right) => changes(left) - changes(right))) {
    const [[key, wrongKey], [content, wrongBody]] = pair;
    const wrongHeader = compare(sign(key, timestamp, content), signatures);
    if (wrongHeader === undefined) continue;
    const mistakes = [wrongKey, wrongBody, wrongHeader].filter((mistake) => mistake !== null);
    // Secret and body are right, so the header itself is malformed.
    if (mistakes.length === 0)
      mistakes.push("the header is not of the form t=<seconds>,v1=<hex>, at most eight v1");
    const reason =
      wrongKey !== null ? "secret_changed" : wrongBody !== null ? "body_changed" : "header_changed";
    return fail(reason, ...mistakes.map((mistake) => `It would match, but ${mistake}.`));
  }
  return undefined;
}

/** Fewer hex digits than this may match by chance. */
const CUT_LENGTH_MIN = 8;

/** Null if one of `signatures` is the expected one, a sentence if one is a damaged form of it, otherwise undefined. */
function compare(expected: string, signatures: readonly string[]): string | null | undefined {
  if (signatures.includes(expected)) return null;
  const damaged = signatures.find(
    (signature) => signature.length >= CUT_LENGTH_MIN && expected.startsWith(signature.toLowerCase()),
  );
  if (damaged === undefined) return undefined;
  return damaged.length < SIGNATURE_LENGTH
    ? `the header is cut: of the signature's ${SIGNATURE_LENGTH} characters it has ${damaged.length}`
    : "the signature in the header is in upper case; it is sent in lower case";
}

function guessKeys(secret: Uint8Array): Guess[] {
  const bare = withoutQuotes(Buffer.from(secret).toString());
  const rest = bare.replace(/^whsec_/, "");
  return [
    [secret, null],
    [bare, "the secret in the file has quotation marks, white space or a byte order mark around it"],
    [
      `whsec_${bare}`,
      "the secret in the file has lost its prefix: the key is the whole text, whsec_ included",
    ],
    [
      `whsec_${Buffer.from(secret).toString("base64")}`,
      "the file contains the decoded bytes of the secret: the key is its text, whsec_…, as it was shown",
    ],
    [rest, "the signature was made without the secret's prefix: the key is the whole text, whsec_ included"],
    [
      Buffer.from(rest, "base64"),
      "the signature was made with the base64-decoded secret, as webhook-signature is: the key of " +
        "service-signature is the whole text of the secret as UTF-8",
    ],
  ];
}

function guessBodies(body: Uint8Array): Guess[] {
  const text = Buffer.from(body).toString();
  const parsed = parse(text);
  return [
    [body, null],
    ...["", "\n", "\r\n"].map(
      (ending): Guess => [
        text.replace(/\r?\n$/, "") + ending,
        "the body gained or lost a line break at its end",
      ],
    ),
    // Each byte of the UTF-8 became a character, which was written as UTF-8 again.
    [Buffer.from(text, "latin1"), "the body was read as Latin-1 instead of UTF-8"],
    [
      parsed === undefined ? body : JSON.stringify(parsed),
      "the body was parsed and written as JSON again, which changes spaces and escapes: keep the bytes as they came",
    ],
  ];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.trim());
  } catch {
    return undefined;
  }
}

function unexplained(body: Uint8Array, signatures: readonly string[]): Diagnosis {
  const text = Buffer.from(body).toString();
  const short = signatures.find((signature) => signature.length < SIGNATURE_LENGTH);
  if (text === "") return fail("body_cut", "The body is empty: it was already read, or not stored.");
  if (parse(text) === undefined)
    return /^\s*\{/.test(text) && !/\}\s*$/.test(text)
      ? fail("body_cut", `The body is cut: it starts like an event and ends after ${body.length} bytes.`)
      : fail("body_changed", "The body is not JSON: it is not what was sent, or it was decoded in transit.");
  if (short !== undefined)
    return fail(
      "header_changed",
      `A signature in the header has ${short.length} characters instead of ${SIGNATURE_LENGTH}.`,
    );
  return fail(
    "mismatch",
    "No signature in the header matches this secret and body.",
    "Either the secret is a different one (of another endpoint or mode, or rotated since), or a value in the body was changed.",
    "Also tried: another line break at the end, the body written as JSON again, the secret without its prefix and decoded.",
  );
}
