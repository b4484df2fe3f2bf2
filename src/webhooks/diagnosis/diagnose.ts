/**
 * Diagnoses a delivery's signature: valid, or else why not. Tries the common mistakes of receivers one by
 * one until one explains the signature. Pure; the validity check is the service's own `verifySignature`.
 */
import { createHmac } from "node:crypto";
import { verifySignature } from "../signature.ts";
import { type BodyGuess, classifyBody, guessBodies, guessKeys, type KeyGuess } from "./guesses.ts";

export interface Delivery {
  /** The content of the secret's file, without the final line break. */
  secret: Uint8Array;
  /** The value of service-signature. */
  header: string;
  body: Uint8Array;
  /** When the receiver got the delivery. */
  nowSeconds: number;
}

export const REASONS = [
  "wrong_header",
  "no_timestamp",
  "no_v1",
  "too_old",
  "in_the_future",
  "header_changed",
  "secret_changed",
  "body_changed",
  "body_cut",
  "mismatch",
] as const;
export type Reason = (typeof REASONS)[number];

export interface Diagnosis {
  matches: boolean;
  /** Null if it matches. */
  reason: Reason | null;
  /** Sentences that say what is wrong or what to do. */
  findings: string[];
}

/** docs/contract.md#webhook-signature */
const TOLERANCE_SECONDS = 300;

export function diagnose(delivery: Delivery): Diagnosis {
  const header = readHeader(delivery.header);
  if (isValid(delivery, header, delivery.nowSeconds))
    return { matches: true, reason: null, findings: remarks(delivery, header) };
  const failure =
    failureOfHeader(header) ?? failureOfClock(delivery, header) ?? failureOfContent(delivery, header);
  return { matches: false, ...failure };
}

type Failure = Omit<Diagnosis, "matches">;

function isValid(delivery: Delivery, header: HeaderParts, nowSeconds: number): boolean {
  const secret = Buffer.from(delivery.secret).toString("utf8");
  // Bytes that are not valid UTF-8 are not a secret, whatever they decode to.
  if (!Buffer.from(secret).equals(delivery.secret)) return false;
  return verifySignature({ secret, header: header.text, body: delivery.body, nowSeconds }).ok;
}

/** Remarks about a valid signature. */
function remarks({ secret, body }: Delivery, { timestamp = "", signatures }: HeaderParts): string[] {
  const position = signatures.indexOf(sign(secret, timestamp, body)) + 1;
  const findings = ["The signature matches the secret and the body."];
  if (position > 1)
    findings.push(
      `It is signature ${position} of ${signatures.length}, newest secret first: this secret has been rotated and expires soon.`,
    );
  return findings;
}

function failureOfHeader(header: HeaderParts): Failure | undefined {
  if (header.isStandard && header.signatures.length === 0)
    return fail(
      "wrong_header",
      "This is the header webhook-signature; the one to check is service-signature (t=…,v1=…).",
    );
  if (header.timestamp === undefined)
    return fail(
      "no_timestamp",
      "The header has no t=<seconds>: its beginning is missing, or it is a different header.",
    );
  if (header.signatures.length > 0) return undefined;
  return fail("no_v1", "The header has no v1=<signature>: it was cut after its timestamp, or at its commas.");
}

/** Secret, header and body match, but the timestamp is outside the tolerance. */
function failureOfClock(delivery: Delivery, header: HeaderParts): Failure | undefined {
  const timestamp = Number(header.timestamp);
  if (!isValid(delivery, header, timestamp)) return undefined;
  const clock = describeClock(delivery, header);
  if (clock === undefined)
    throw new Error("A signature that matches at its own time was refused within the tolerance");
  const findings = [
    "Secret, header and body match; only the time is wrong.",
    clock,
    "A stored delivery must be verified at the time of its arrival. Otherwise check the receiver's clock.",
  ];
  return { reason: timestamp < delivery.nowSeconds ? "too_old" : "in_the_future", findings };
}

/** A sentence about a timestamp outside the tolerance; undefined within. */
function describeClock({ nowSeconds }: Delivery, { timestamp }: HeaderParts): string | undefined {
  const age = nowSeconds - Number(timestamp);
  if (Math.abs(age) <= TOLERANCE_SECONDS) return undefined;
  const where = age > 0 ? "old" : "in the future";
  return `The timestamp is ${Math.abs(age)} seconds ${where}; receivers refuse more than ${TOLERANCE_SECONDS}.`;
}

function failureOfContent(delivery: Delivery, header: HeaderParts): Failure {
  const found = explain(delivery, header) ?? unexplained(delivery, header);
  const clock = describeClock(delivery, header);
  return clock === undefined ? found : { ...found, findings: [...found.findings, clock] };
}

interface Explanation {
  key: KeyGuess;
  body: BodyGuess;
  header: string | null;
}

/** The first guess that explains the signature, starting with the smallest changes. */
function explain(delivery: Delivery, header: HeaderParts): Failure | undefined {
  const keys = guessKeys(delivery.secret);
  const bodies = guessBodies(delivery.body);
  const pairs = bodies.flatMap((body) => keys.map((key) => ({ key, body })));
  const changes = ({ key, body }: (typeof pairs)[number]) =>
    Number(key.mistake !== null) + Number(body.mistake !== null);
  for (const { key, body } of pairs.toSorted((left, right) => changes(left) - changes(right))) {
    const mistake = compare(sign(key.key, header.timestamp ?? "", body.body), header.signatures);
    if (mistake !== undefined) return describe({ key, body, header: mistake });
  }
  return undefined;
}

function sign(key: Uint8Array, timestamp: string, body: Uint8Array): string {
  return createHmac("sha256", key).update(`${timestamp}.`).update(body).digest("hex");
}

/** Fewer hex digits than this may match by chance. */
const CUT_LENGTH_MIN = 8;

/** Null if one of `signatures` is the expected one, a sentence if one is a damaged form of it, otherwise undefined. */
function compare(expected: string, signatures: readonly string[]): string | null | undefined {
  if (signatures.includes(expected)) return null;
  for (const signature of signatures) {
    const folded = signature.toLowerCase();
    if (folded === expected) return "the signature in the header is in upper case; it is sent in lower case";
    if (folded.length >= CUT_LENGTH_MIN && folded.length < SIGNATURE_LENGTH && expected.startsWith(folded))
      return `the header is cut: of the signature's ${SIGNATURE_LENGTH} characters it has ${folded.length}`;
  }
  return undefined;
}

function describe({ key, body, header }: Explanation): Failure {
  const mistakes = [key.mistake, body.mistake, header].filter((mistake) => mistake !== null);
  // Secret and body are right, so the header itself is malformed.
  if (mistakes.length === 0)
    mistakes.push("the header is not of the form t=<seconds>,v1=<hex>, at most eight v1");
  const reason =
    key.mistake !== null ? "secret_changed" : body.mistake !== null ? "body_changed" : "header_changed";
  return {
    reason,
    findings: mistakes.map((mistake) => `It would match, but ${mistake}.`),
  };
}

function unexplained(delivery: Delivery, header: HeaderParts): Failure {
  const short = header.signatures.find((signature) => signature.length < SIGNATURE_LENGTH);
  if (delivery.body.length === 0)
    return fail("body_cut", "The body is empty: it was already read, or not stored.");
  const bodyKind = classifyBody(delivery.body);
  if (bodyKind === "cut") {
    const message = `The body is cut: it starts like an event and ends after ${delivery.body.length} bytes.`;
    return fail("body_cut", message);
  }
  if (bodyKind === "foreign")
    return fail(
      "body_changed",
      "The body is not JSON: it is not what was sent, or it was decoded in transit.",
    );
  if (short !== undefined)
    return fail(
      "header_changed",
      `A signature in the header has ${short.length} characters instead of ${SIGNATURE_LENGTH}.`,
    );
  return fail(
    "mismatch",
    "No signature in the header matches this secret and body.",
    "Either the secret is a different one (of another endpoint or mode, or rotated since), or a value in the body was changed.",
    "Also tried: other line breaks, other JSON spacing and escapes, the secret without its prefix and decoded.",
  );
}

function fail(reason: Reason, ...findings: string[]): Failure {
  return { reason, findings };
}

interface HeaderParts {
  /** The header's value, without its name and surrounding quotation marks and white space. */
  text: string;
  /** The digits of `t`; undefined if there are none. */
  timestamp: string | undefined;
  /** The values of `v1`, unchecked. */
  signatures: string[];
  /** It is the header of Standard Webhooks: `v1,` and base64. */
  isStandard: boolean;
}

const NAME = /^\s*service-signature\s*:/i;
const STANDARD = /(^|\s)v1,[A-Za-z0-9+/]{20}/;
const DIGITS = /^\d{1,15}$/;

/** Hex digits of a whole SHA-256. */
const SIGNATURE_LENGTH = 64;

function readHeader(header: string): HeaderParts {
  const text = header
    .replace(NAME, "")
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2");
  const elements = text.split(",").map((element) => element.trim());
  const valuesOf = (name: string) =>
    elements
      .filter((element) => element.startsWith(`${name}=`))
      .map((element) => element.slice(name.length + 1));
  return {
    text,
    timestamp: valuesOf("t").find((value) => DIGITS.test(value)),
    signatures: valuesOf("v1"),
    isStandard: STANDARD.test(text),
  };
}
