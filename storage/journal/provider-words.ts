/**
 * Finds a provider's words in a stored snapshot or error: `provider_message` and `provider_raw`. They are the only part of a
 * snapshot that is ever removed (docs/contract.md#keyed-audit-chain).
 */

/** Present only if a key follows: inside a text, its quotation marks are escaped. */
const SIGNS = ['"provider_message":"', '"provider_raw":'] as const;

/** Where a snapshot contains an error. */
const ERROR_FIELDS = ["error", "last_error"] as const;

/** Removes the words from an error, and returns whether it had any. */
export function removeProviderWords(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const fields = error as { provider_message?: unknown; provider_raw?: unknown };
  const hasWords = typeof fields.provider_message === "string" || fields.provider_raw !== undefined;
  if (hasWords) {
    fields.provider_message = null;
    delete fields.provider_raw;
  }
  return hasWords;
}

/** The snapshot without a provider's words: `json` itself if it has none, or cannot be read. */
export function withoutProviderWords(json: string): string {
  if (!SIGNS.some((sign) => json.includes(sign))) return json;
  const snapshot = parseObject(json);
  if (snapshot === undefined) return json;
  const removed = ERROR_FIELDS.map((field) => removeProviderWords(snapshot[field]));
  return removed.includes(true) ? JSON.stringify(snapshot) : json;
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
