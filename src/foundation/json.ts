/** Parses JSON that the program itself stored: no schema is checked. Never use it for JSON from outside. */
export function readJson<T>(text: string): T {
  return JSON.parse(text) as T;
}

/** Like `readJson`, for a column that may be null. */
export function readJsonOrNull<T>(text: string | null): T | null {
  return text === null ? null : readJson<T>(text);
}

/** JSON from outside, of which nothing is certain. Undefined if `text` is not JSON, such as an error page or a truncated body. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
