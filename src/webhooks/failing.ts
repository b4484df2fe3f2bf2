/** Decides when a failing endpoint is disabled (docs/contract.md#failing-endpoints). Pure. */

/** With fewer failures the endpoint just receives few events, however long ago the first failure was. */
const FAILURES_MIN = 10;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** "Gone": the receiver wants no more events. */
const GONE = 410;

/** An endpoint's failures since its last success. */
export interface Health {
  /** Null after a success. */
  failing_since: string | null;
  failures: number;
  gone_at: string | null;
}

/** The health after one more failed attempt. `status` is null if there was no response. */
export function afterFailure(health: Health, status: number | null, now: string): Health {
  return {
    failing_since: health.failing_since ?? now,
    failures: health.failures + 1,
    gone_at: status === GONE ? now : health.gone_at,
  };
}

export const HEALTHY: Health = { failing_since: null, failures: 0, gone_at: null };

/** Whether the failure between `before` and `after` disables the endpoint. */
export function shouldDisable(
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
