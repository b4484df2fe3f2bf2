/** Reads JSON whose shape is only partly documented: values of an unexpected kind count as absent. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Trimmed text; undefined if empty. Codes and ids may also be numbers. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return text === "" ? undefined : text;
}

/** A list, bare or under `data`; undefined otherwise. */
export function listOf(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body;
  if (isObject(body) && Array.isArray(body["data"])) return body["data"];
  return undefined;
}

const DECIMAL = /^-?[0-9]{1,14}(\.[0-9]+)?$/;

/** An amount in euro, as a number or text, in cents; undefined if it is neither. */
export function centsOf(value: unknown): number | undefined {
  if (typeof value === "string" && !DECIMAL.test(value)) return undefined;
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const cents = Math.round(Number(value) * 100);
  return Number.isSafeInteger(cents) ? cents : undefined;
}
