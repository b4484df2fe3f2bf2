/**
 * Parses JSON that the program itself stored in a column. No schema is checked, because only typed values are stored.
 * Never use it for JSON from outside.
 */
export function readJson<T>(text: string): T {
  return JSON.parse(text) as T;
}

/** Like `readJson`, for a column that may be null. */
export function readJsonOrNull<T>(text: string | null): T | null {
  return text === null ? null : readJson<T>(text);
}
