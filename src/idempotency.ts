/** What makes two requests under one idempotency key the same request (decisions 4). Server and command line share it. */
import { createHash } from "node:crypto";

/**
 * The fingerprint of a creation: SHA-256, in lower-case hex, of the canonical JSON of `{ parameters, body }`.
 * `parameters` are those of the path, empty where the path has none; `body` is parsed JSON, undefined where there was
 * no body. White space, key order and the way a number was written (`1.0`, `1`) make no difference.
 */
export function fingerprint(parameters: Readonly<Record<string, string>>, body: unknown): string {
  return createHash("sha256").update(canonicalJson({ parameters, body })).digest("hex");
}

/**
 * JSON with the keys of every object in code unit order and no white space. Takes what `JSON.parse` gives; a key whose
 * value is undefined is left out, as `JSON.stringify` does. The depth is the caller's: the server allows 32.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  let text = "";
  for (const [key, member] of Object.entries(value).sort(byKey)) {
    if (member === undefined) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

function byKey([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}
