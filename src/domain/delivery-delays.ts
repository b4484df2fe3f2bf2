/** Decides how long to wait before the next send or query (docs/contract.md#delivery-attempts, docs/contract.md#polling). */

export interface DeliveryPolicy {
  /** Pause before each attempt, starting with the first; one entry per attempt (`issuing.delays_seconds`). */
  delaysSeconds: readonly number[];
  /** How often and for how long a document must be absent before its absence counts as certain (set by the adapter). */
  settle: { askings: number; seconds: number };
  /** 0 to 1, for the jitter. */
  random(): number;
}

const POLL_MS_MIN = 2_000;
const POLL_MS_MAX = 60_000;
/** Cap on the pause that a provider may request. */
const RETRY_AFTER_MS_MAX = 3_600_000;
const JITTER = 0.1;

/** The pause after `polls` queries: doubles from 2 s to 60 s, ±10 % to spread the documents of one outage. */
export function pollDelayMs(polls: number, random: () => number): number {
  return jittered(Math.min(POLL_MS_MAX, POLL_MS_MIN * 2 ** Math.min(polls, 10)), random);
}

/** The pause before the next send after `attempts` sends; undefined when no attempt is left. */
export function retryDelayMs(attempts: number, policy: DeliveryPolicy): number | undefined {
  const seconds = policy.delaysSeconds[attempts];
  return seconds === undefined ? undefined : jittered(seconds * 1000, policy.random);
}

/** The longer of our own pause and the one the provider requested, up to an hour. */
export function withRetryAfter(delayMs: number, retryAfterMs: number | undefined): number {
  return Math.max(delayMs, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
}

/** The longest that a document may wait under this schedule. */
export function longestDelayMs(delaysSeconds: readonly number[]): number {
  return Math.max(
    RETRY_AFTER_MS_MAX,
    ...[...delaysSeconds, POLL_MS_MAX / 1000].map((seconds) => seconds * 1000 * (1 + JITTER)),
  );
}

function jittered(ms: number, random: () => number): number {
  return Math.round(ms * (1 + JITTER * (2 * random() - 1)));
}
