/** What makes two requests under one idempotency key the same request (decisions 4). Server and command line share it. */
import { hash } from "node:crypto";

/**
 * The fingerprint of a creation: SHA-256, in lower-case hex, of the canonical JSON of `{ parameters, body }`.
 * `parameters` are those of the path, empty where the path has none; `body` is parsed JSON, undefined where there was
 * no body. White space, key order and the way a number was written (`1.0`, `1`) make no difference.
 */
export function fingerprint(parameters: Readonly<Record<string, string>>, body: unknown): string {
  return hash("sha256", canonicalJson({ parameters, body }), "hex");
}

/**
 * JSON with the keys of every object in one order and no white space. Takes what `JSON.parse` gives; a key whose value is
 * undefined is left out, as `JSON.stringify` does. The depth is the caller's: the server allows 32.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? "null";
}

/** A copy with sorted keys: writing it out at once is several times faster than writing it piece by piece. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const object = value as Record<string, unknown>;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(object).sort()) {
    const member = sorted(object[key]);
    // Assigned, it would become the prototype of the copy and be lost.
    if (key === "__proto__") Object.defineProperty(copy, key, { value: member, enumerable: true });
    else copy[key] = member;
  }
  return copy;
}
