/** Reads the `Retry-After` header of a response (RFC 9110, section 10.2.3). */

const HTTP_DATE = /^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;

/** Milliseconds from `nowMs`, for seconds or an HTTP date; undefined for anything else. A past date means now. */
export function readRetryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1000;
  const instant = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - nowMs);
}
