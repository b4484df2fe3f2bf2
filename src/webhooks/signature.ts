/**
 * Signs deliveries with our own signature (docs/contract.md#webhook-signature) and with that of Standard Webhooks, and rotates the
 * secrets (docs/contract.md#webhook-secrets). Our signature uses the whole secret as text for the key, theirs the base64-decoded
 * part after `whsec_`.
 */
import { placeIn } from "../../storage/encryption/sealed.ts";
import { createHmac, type Hmac, timingSafeEqual, randomBytes } from "node:crypto";
import type { Cipher } from "../../storage/encryption/cipher.ts";
import { readJson } from "../foundation/json.ts";

const PREFIX = "whsec_";
/** Receivers check at most this many signatures. */
const SIGNATURES_MAX = 8;
/** How far `t` may be from the receiver's clock. */
export const TOLERANCE_SECONDS = 300;

export interface SignedMessage {
  id: string;
  body: string;
  /** Unix seconds. */
  atSeconds: number;
}

/** Node 24 takes five times as long for a key of bytes as for a text with its encoding. */
function hmac(key: string, keyEncoding: "utf8" | "base64", text: string): Hmac {
  return createHmac("sha256", key, { encoding: keyEncoding }).update(text, "utf8");
}

/** The signature headers, with one signature for each of `secrets`, newest first. */
export function signatureHeaders(
  secrets: readonly string[],
  { id, body, atSeconds }: SignedMessage,
): Record<string, string> {
  const signing = secrets.slice(0, SIGNATURES_MAX);
  const ours = signing.map((secret) => `v1=${hmac(secret, "utf8", `${atSeconds}.${body}`).digest("hex")}`);
  const standard = signing.map((secret) => {
    const key = secret.slice(PREFIX.length);
    return `v1,${hmac(key, "base64", `${id}.${atSeconds}.${body}`).digest("base64")}`;
  });
  return {
    "service-signature": [`t=${atSeconds}`, ...ours].join(","),
    "webhook-id": id,
    "webhook-timestamp": String(atSeconds),
    "webhook-signature": standard.join(" "),
  };
}

export type Verdict =
  | { ok: true }
  | { ok: false; reason: "no_timestamp" | "too_old" | "in_the_future" | "no_v1" | "mismatch" };

export interface VerifyOptions {
  /** The whole secret. */
  secret: string | Uint8Array;
  /** The value of `service-signature`. */
  header: string;
  body: Uint8Array;
  nowSeconds: number;
}

/** Checks a `service-signature` as a receiver must (docs/contract.md#webhook-signature). */
export function verifySignature({ secret, header, body, nowSeconds }: VerifyOptions): Verdict {
  const { timestamp, signatures } = readSignature(header);
  if (timestamp === undefined) return { ok: false, reason: "no_timestamp" };
  if (signatures.length === 0) return { ok: false, reason: "no_v1" };
  const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest();
  if (!signatures.slice(0, SIGNATURES_MAX).some((signature) => equals(signature, expected)))
    return { ok: false, reason: "mismatch" };
  if (Number(timestamp) < nowSeconds - TOLERANCE_SECONDS) return { ok: false, reason: "too_old" };
  if (Number(timestamp) > nowSeconds + TOLERANCE_SECONDS) return { ok: false, reason: "in_the_future" };
  return { ok: true };
}

/** The digits of the first `t`, and every `v1`, unchecked. Unknown elements are ignored. */
export function readSignature(header: string): { timestamp: string | undefined; signatures: string[] } {
  const elements = header.split(",").map((element) => element.trim());
  return {
    timestamp: elements.find((element) => /^t=[0-9]{1,15}$/.test(element))?.slice(2),
    signatures: elements.filter((element) => element.startsWith("v1=")).map((element) => element.slice(3)),
  };
}

export const SIGNATURE_LENGTH = 64;

/** Lower-case hex only, compared in constant time. */
function equals(signature: string, expected: Buffer): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, "hex"), expected);
}

const SECRET_BYTES = 32;
/** `whsec_` and 32 bytes in base64; the libraries of receivers refuse anything else. */
export const SECRET_FORM = /^whsec_[A-Za-z0-9+/]{43}=$/;

interface StoredSecret {
  secret: string;
  /** Until when it signs alongside the newest; null for the newest itself. */
  until: string | null;
}

export function makeSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

function seal(cipher: Cipher, endpointId: string, secrets: readonly StoredSecret[]): Uint8Array {
  return cipher.seal(placeIn("webhook_endpoints", endpointId), JSON.stringify(secrets));
}

function open(cipher: Cipher, endpointId: string, sealed: Uint8Array): StoredSecret[] | undefined {
  const opened = cipher.open(placeIn("webhook_endpoints", endpointId), sealed);
  return opened === undefined ? undefined : readJson<StoredSecret[]>(opened.toString());
}

function isActive({ until }: StoredSecret, nowMs: number): boolean {
  return until === null || Date.parse(until) > nowMs;
}

export function sealFirstSecret(cipher: Cipher, endpointId: string, secret: string): Uint8Array {
  return seal(cipher, endpointId, [{ secret, until: null }]);
}

/**
 * Adds a new secret in front. The older ones keep signing for `overlapMs`, but never longer than before; secrets that cannot be
 * decrypted are dropped.
 */
export function rotate(
  cipher: Cipher,
  endpointId: string,
  sealed: Uint8Array,
  change: { secret: string; overlapMs: number; nowMs: number },
): Uint8Array {
  const until = new Date(change.nowMs + change.overlapMs).toISOString();
  const older = (open(cipher, endpointId, sealed) ?? [])
    .map((stored) => ({
      ...stored,
      until: stored.until !== null && stored.until < until ? stored.until : until,
    }))
    .filter((stored) => isActive(stored, change.nowMs));
  const all = [{ secret: change.secret, until: null }, ...older];
  return seal(cipher, endpointId, all.slice(0, SIGNATURES_MAX));
}

/** The secrets that sign now, newest first; undefined if they cannot be decrypted. */
export function signingSecrets(
  cipher: Cipher,
  endpointId: string,
  sealed: Uint8Array,
  nowMs: number,
): string[] | undefined {
  return open(cipher, endpointId, sealed)
    ?.filter((stored) => isActive(stored, nowMs))
    .map(({ secret }) => secret);
}
