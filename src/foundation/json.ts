/**
 * JSON that this product wrote itself: columns of its own tables. What comes from outside goes through a schema; these
 * were a typed value once, so reading them back is a statement about our own writing.
 */
export function readJson<T>(text: string): T {
  return JSON.parse(text) as T;
}

/** The same for a column that may be empty. */
export function readJsonOrNull<T>(text: string | null): T | null {
  return text === null ? null : readJson<T>(text);
}
