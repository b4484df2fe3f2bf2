/**
 * Explains why a delivery's signature does not match: tries the common mistakes of receivers one by one until one explains it. The check
 * itself is the service's own `verifySignature`. Pure.
 */
import { tryParseJson } from "../foundation/json.ts";
import { createHmac } from "node:crypto";
import { readSignature, SIGNATURE_LENGTH, TOLERANCE_SECONDS, verifySignature } from "./signature.ts";

export interface Delivery {
  /** The content of the secret's file, without the final line break. */
  secret: Uint8Array;
  /** The value of service-signature. */
  header: string;
  body: Uint8Array;
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
  findings: string[];
}

/** The header of Standard Webhooks: `v1,` and base64. */
const STANDARD = /(^|\s)v1,[A-Za-z0-9+/]{20}/;

export function diagnose({ secret, header, body, nowSeconds }: Delivery): Diagnosis {
  const text = withoutQuotes(header.replace(/^\s*service-signature\s*:/i, ""));
  const verdict = verifySignature({ secret, header: text, body, nowSeconds });
  const { timestamp = "", signatures } = readSignature(text);
  if (verdict.ok) {
    const position = signatures.indexOf(sign(secret, timestamp, body)) + 1;
    const rotated = `It is signature ${position} of ${signatures.length}, newest secret first: this secret has been rotated and expires soon.`;
    const findings = ["The signature matches the secret and the body.", ...(position > 1 ? [rotated] : [])];
    return { matches: true, reason: null, findings };
  }
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
      const found = findMistake(secret, body, { timestamp, signatures }) ?? unexplained(body, signatures);
      return { ...found, findings: [...found.findings, ...describeClock(nowSeconds - Number(timestamp))] };
    }
    case "too_old":
    case "in_the_future":
      return fail(
        verdict.reason,
        "Secret, header and body match; only the time is wrong.",
        ...describeClock(nowSeconds - Number(timestamp)),
        "A stored delivery must be verified at the time of its arrival. Otherwise check the receiver's clock.",
      );
  }
}

function describeClock(ageSeconds: number): string[] {
  if (Math.abs(ageSeconds) <= TOLERANCE_SECONDS) return [];
  const where = ageSeconds > 0 ? "old" : "in the future";
  return [
    `The timestamp is ${Math.abs(ageSeconds)} seconds ${where}; receivers refuse more than ${TOLERANCE_SECONDS}.`,
  ];
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

/** Keys or bodies that the signature may have been made with, each with the mistake that would explain it. */
type Guesses = readonly (readonly [value: string | Uint8Array, mistake: string])[];

/** The mistake that explains the signature: another form of the secret, or another form of the body. */
function findMistake(
  secret: Uint8Array,
  body: Uint8Array,
  { timestamp, signatures }: { timestamp: string; signatures: readonly string[] },
): Diagnosis | undefined {
  const bare = withoutQuotes(Buffer.from(secret).toString());
  const keys: Guesses = [
    [bare, "the secret in the file has quotation marks, white space or a byte order mark around it"],
    [
      `whsec_${bare}`,
      "the secret in the file has lost its prefix: the key is the whole text, whsec_ included",
    ],
    [
      Buffer.from(bare.replace(/^whsec_/, ""), "base64"),
      "the signature was made with the base64-decoded secret, as webhook-signature is: the key of " +
        "service-signature is the whole text of the secret as UTF-8",
    ],
  ];
  const text = Buffer.from(body).toString();
  // White space here includes a byte order mark.
  const parsed = tryParseJson(text.trim());
  const bodies: Guesses = [
    ...["", "\n", "\r\n"].map(
      (ending) =>
        [text.replace(/\r?\n$/, "") + ending, "the body gained or lost a line break at its end"] as const,
    ),
    [
      parsed === undefined ? body : JSON.stringify(parsed),
      "the body was parsed and written as JSON again, which changes spaces and escapes: keep the bytes as they came",
    ],
  ];
  const wrongKey = keys.find(([key]) => signatures.includes(sign(key, timestamp, body)));
  if (wrongKey !== undefined) return fail("secret_changed", `It would match, but ${wrongKey[1]}.`);
  const wrongBody = bodies.find(([content]) => signatures.includes(sign(secret, timestamp, content)));
  return wrongBody && fail("body_changed", `It would match, but ${wrongBody[1]}.`);
}

function unexplained(body: Uint8Array, signatures: readonly string[]): Diagnosis {
  const text = Buffer.from(body).toString();
  const short = signatures.find((signature) => signature.length < SIGNATURE_LENGTH);
  if (short !== undefined)
    return fail(
      "header_changed",
      `The header is cut: a signature in it has ${short.length} characters instead of ${SIGNATURE_LENGTH}.`,
    );
  if (text === "") return fail("body_cut", "The body is empty: it was already read, or not stored.");
  if (tryParseJson(text.trim()) === undefined)
    return /^\s*\{/.test(text) && !/\}\s*$/.test(text)
      ? fail("body_cut", `The body is cut: it starts like an event and ends after ${body.length} bytes.`)
      : fail("body_changed", "The body is not JSON: it is not what was sent, or it was decoded in transit.");
  return fail(
    "mismatch",
    "No signature in the header matches this secret and body.",
    "Either the secret is a different one (of another endpoint or mode, or rotated since), or a value in the body was changed.",
    "Also tried: another line break at the end, the body written as JSON again, the secret without its prefix and decoded.",
  );
}
