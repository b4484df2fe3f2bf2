/** Computes the delay until the next attempt of a delivery (docs/contract.md#webhook-schedule). Pure. */

/** Spreads out the retries of deliveries that failed together. */
const JITTER = 0.2;
/** `Retry-After` can extend a delay up to this factor. */
const RETRY_AFTER_FACTOR_MAX = 2;

export interface Failure {
  /** Attempts made so far: 1 after the first. */
  tries: number;
  /** Undefined if the response had none. */
  retryAfterMs: number | undefined;
  /** From 0 to 1. */
  random: number;
}

/**
 * Returns the milliseconds until the next attempt, or undefined once the schedule is exhausted. `delaysSeconds` are the delays
 * before each attempt, starting with the first. `Retry-After` is clamped to one to two times the delay, after the jitter, so
 * that no retry comes sooner than requested.
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

/** The longest that a retry may wait under this schedule. */
export function longestDelayMs(delaysSeconds: readonly number[]): number {
  return RETRY_AFTER_FACTOR_MAX * Math.max(...delaysSeconds) * 1000;
}

/** More than any attempts. Columns of attempts are integers of 32 bits. */
const ATTEMPTS_MAX = 2_147_483_647;

/**
 * The pause after each number of attempts. More attempts than the schedule has, after an unexpected failure or under an earlier
 * schedule, wait as long as its last.
 */
export function pausesOf(delaysSeconds: readonly number[]) {
  return delaysSeconds.map((seconds, attemptsMin) => ({
    attemptsMin,
    attemptsMax: attemptsMin === delaysSeconds.length - 1 ? ATTEMPTS_MAX : attemptsMin,
    pauseMs: seconds * 1000,
  }));
}
