/**
 * Reads JSON that the program itself stored in a column. It was a typed value when it was written, so it needs no schema;
 * JSON from outside does.
 */
export function readJson<T>(text: string): T {
  return JSON.parse(text) as T;
}

/** Like `readJson`, for a column that may be null. */
export function readJsonOrNull<T>(text: string | null): T | null {
  return text === null ? null : readJson<T>(text);
}
