/** When an endpoint that fails is disabled: decisions 10. Pure. */

/** Fewer failures than this, however long ago the first was, are a quiet endpoint's bad days. */
const FAILURES_MIN = 10;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** "Gone": the receiver says that it wants no more. */
const GONE = 410;

/** What is known of an endpoint's failures since its last success. */
export interface Health {
  /** Null after a success. */
  failing_since: string | null;
  failures: number;
  gone_at: string | null;
}

/** The same after one more failed attempt. `status` is null where no answer came. */
export function afterFailure(health: Health, status: number | null, now: string): Health {
  return {
    failing_since: health.failing_since ?? now,
    failures: health.failures + 1,
    gone_at: status === GONE ? now : health.gone_at,
  };
}

export const HEALTHY: Health = { failing_since: null, failures: 0, gone_at: null };

/** Whether the endpoint is to be disabled by the failure that made `after` of `before`. */
export function isToBeDisabled(
  before: Health,
  after: Health,
  status: number | null,
  options: { nowMs: number; disableAfterDays: number },
): boolean {
  if (status === GONE && before.gone_at !== null && options.nowMs - Date.parse(before.gone_at) <= HOUR_MS)
    return true;
  const sinceMs = after.failing_since === null ? options.nowMs : Date.parse(after.failing_since);
  return after.failures >= FAILURES_MIN && options.nowMs - sinceMs >= options.disableAfterDays * DAY_MS;
}
