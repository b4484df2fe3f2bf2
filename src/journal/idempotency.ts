/**
 * Compares requests under one idempotency key, by a fingerprint (docs/contract.md#idempotency-scope), and replaces the key or a
 * request id in an erasure (docs/contract.md#erasure-of-request-ids-and-keys) by a hash under the audit key, which stays the same
 * when the master key is replaced. The same value always has the same hash, so that a repeated request still finds its record, but
 * nobody without the key can test a guess.
 */
import { hash } from "node:crypto";
import type { Transaction } from "../../storage/database/write.ts";
import type { IdempotencyUse } from "./context.ts";

/**
 * The fingerprint of a creation: SHA-256, in lower-case hex, of the canonical JSON of `{ parameters, body }`.
 * `parameters` are those of the path; `body` is parsed JSON, or undefined without a body. White space, key order and the
 * notation of numbers (`1.0`, `1`) make no difference.
 */
export function fingerprint(parameters: Readonly<Record<string, string>>, body: unknown): string {
  return hash("sha256", canonicalJson({ parameters, body }), "hex");
}

/** The use of a key that `operation` makes of a request, so that every interface creates its object only once. */
export function useOfKey(
  operation: string,
  key: string | undefined,
  parameters: Readonly<Record<string, string>>,
  body: unknown,
): IdempotencyUse | undefined {
  return key === undefined ? undefined : { operation, key, fingerprint: fingerprint(parameters, body) };
}

/** JSON with sorted keys and no white space, of a value from `JSON.parse`. Callers limit the depth; the server allows 32. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? "null";
}

/** Returns a copy with sorted keys. Stringifying that is several times faster than building the text piece by piece. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const object = value as Record<string, unknown>;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(object).sort()) {
    const member = sorted(object[key]);
    // A plain assignment would set the prototype of the copy.
    if (key === "__proto__") Object.defineProperty(copy, key, { value: member, enumerable: true });
    else copy[key] = member;
  }
  return copy;
}

/** In hexadecimal characters. */
const HASH_LENGTH = 32;
const REPLACED = /^(?:client:erased-|erased::|erased:)[0-9a-f]{32}$/;

type Keyed = Pick<Transaction, "auditKey">;

function hashOf({ auditKey }: Keyed, kind: "idempotency key" | "request id", value: string): string {
  return auditKey
    .authenticate(JSON.stringify(["erased", kind, value]))
    .toString("hex")
    .slice(0, HASH_LENGTH);
}

/** An idempotency key of an allowed form. */
export function erasedKey(keyed: Keyed, key: string): string {
  return `erased:${hashOf(keyed, "idempotency key", key)}`;
}

/** A request id of the form that `requestId` has: a platform's, or a caller's (docs/contract.md#request-ids). */
export function erasedRequestId(keyed: Keyed, requestId: string): string {
  const digits = hashOf(keyed, "request id", requestId);
  return requestId.includes("::") ? `erased::${digits}` : `client:erased-${digits}`;
}

/** Whether the value is the result of an erasure. Its digits say nothing. */
export function isErased(value: string): boolean {
  return REPLACED.test(value);
}
