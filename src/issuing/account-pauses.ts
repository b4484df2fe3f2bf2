/** Remembers the pauses that providers requested for single accounts, by connection. */
import type { Clock } from "../foundation/clock.ts";

/** Cap on the pause that a provider may request. */
export const PAUSE_MS_MAX = 3_600_000;

export interface AccountPauses {
  pause(connectionId: string | null, retryAfterMs: number): void;
  /** When the account may send again, as an ISO instant; undefined if it may now. */
  pausedUntil(connectionId: string): string | undefined;
}

export function createAccountPauses(clock: Clock): AccountPauses {
  const ends = new Map<string, number>();
  return {
    pause(connectionId, retryAfterMs) {
      if (connectionId === null) return;
      ends.set(connectionId, clock.nowMs() + Math.min(retryAfterMs, PAUSE_MS_MAX));
    },
    pausedUntil(connectionId) {
      const endMs = ends.get(connectionId);
      const nowMs = clock.nowMs();
      if (endMs === undefined) return undefined;
      // An end beyond the longest pause means that the clock was set back.
      if (endMs > nowMs && endMs <= nowMs + PAUSE_MS_MAX) return new Date(endMs).toISOString();
      ends.delete(connectionId);
      return undefined;
    },
  };
}
