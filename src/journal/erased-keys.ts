/**
 * Replaces a request id or an idempotency key in an erasure (docs/contract.md#erasure-of-request-ids-and-keys) by a hash
 * under the audit key, which stays the same when the master key is replaced. The same value always has the same hash, so that a
 * repeated request still finds its record, but nobody without the key can test a guess.
 */
import type { Transaction } from "../../storage/database/write.ts";

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
  const hash = hashOf(keyed, "request id", requestId);
  return requestId.includes("::") ? `erased::${hash}` : `client:erased-${hash}`;
}

/** Whether the value is the result of an erasure. Its digits say nothing. */
export function isErased(value: string): boolean {
  return REPLACED.test(value);
}
