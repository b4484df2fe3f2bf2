/** When a delivery is tried again: decisions 10. Pure. */

/** Deliveries that failed together are not all tried again together. */
const JITTER = 0.2;
/** `Retry-After` counts up to this many times the step. */
const RETRY_AFTER_FACTOR_MAX = 2;

export interface Failure {
  /** How many attempts of the schedule have been made: 1 after the first. */
  tries: number;
  /** Undefined where the answer named none. */
  retryAfterMs: number | undefined;
  /** From 0 to 1. */
  random: number;
}

/**
 * Milliseconds until the next attempt; undefined once the schedule is through. `delaysSeconds` has the delay before each
 * attempt, from the first. A `Retry-After` is taken between one and two times the step; that comes after the jitter, so
 * that none comes sooner than was asked for.
 */
export function nextDelayMs(
  { tries, retryAfterMs, random }: Failure,
  delaysSeconds: readonly number[],
): number | undefined {
  const seconds = delaysSeconds[tries];
  if (seconds === undefined) return undefined;
  const stepMs = seconds * 1000;
  const jitteredMs = Math.round(stepMs * (1 - JITTER + 2 * JITTER * random));
  if (retryAfterMs === undefined) return jitteredMs;
  const askedMs = Math.max(jitteredMs, retryAfterMs);
  return Math.min(Math.max(askedMs, stepMs), stepMs * RETRY_AFTER_FACTOR_MAX);
}
