/**
 * Tracks which accounts at providers do not answer, separately for sends and queries, so that their documents wait instead of
 * using up their attempts (docs/contract.md#provider-availability). The state lives as long as the process.
 */
import type { Mode, Provider } from "../../storage/stored-values.ts";

export type CallKind = "send" | "query";

/** Calls of one kind that share one connection. */
export interface Route {
  kind: CallKind;
  provider: Provider;
  mode: Mode;
  connectionId: string;
}

/** Unanswered groups in a row before an account has to pause: fewer may be single broken connections. */
const FAILURES_MAX = 5;
/** Accounts of a provider without an answer, none in between, that count as an outage of the provider. */
const OUTAGE_ACCOUNTS = 3;
const PAUSE_MS_MIN = 5_000;
const PAUSE_MS_MAX = 60_000;
/** Cap on the pause that a provider may request. */
const REQUESTED_PAUSE_MS_MAX = 3_600_000;

interface Account {
  route: Route;
  /** Unanswered groups in a row. */
  failures: number;
  /** The length of the last pause; 0 before the first. */
  pauseMs: number;
  /** When the pause ends. It applies after FAILURES_MAX failures, or during an outage. */
  pausedUntilMs: number;
  /** When the pause ends that the provider requested. */
  requestedUntilMs: number;
}

export interface Availability {
  /** The connections that must not be used now for calls of this kind. After a pause, one group at a time tests the account. */
  paused(kind: CallKind, provider: Provider, nowMs: number): string[];
  /** The connections whose last group got no answer. */
  failing(kind: CallKind, provider: Provider): string[];
  /** The modes in which several accounts got no answer, and none got one since. */
  outages(kind: CallKind, provider: Provider): Mode[];
  /** The provider answered, with whatever outcome; `retryAfterMs` if it requested a pause for the account. */
  answered(route: Route, nowMs: number, retryAfterMs: number | undefined): void;
  /** The provider did not answer. */
  failed(route: Route, nowMs: number, retryAfterMs: number | undefined): void;
  /** Ends all pauses: the clock was set back. */
  endPauses(): void;
}

export function createAvailability(): Availability {
  const accounts = new Map<string, Account>();
  /** The accounts without an answer since any account last got one. */
  const unanswered = new Map<string, Set<string>>();

  const accountKey = ({ kind, connectionId }: Route) => `${kind} ${connectionId}`;
  const outageKey = ({ kind, provider, mode }: Omit<Route, "connectionId">) => `${kind} ${provider} ${mode}`;
  const isOutage = (of: Omit<Route, "connectionId">) =>
    (unanswered.get(outageKey(of))?.size ?? 0) >= OUTAGE_ACCOUNTS;
  const isDue = (account: Account) => account.failures >= FAILURES_MAX || isOutage(account.route);

  function isPaused(account: Account, nowMs: number): boolean {
    const untilMs = Math.max(account.requestedUntilMs, isDue(account) ? account.pausedUntilMs : 0);
    // An end beyond the longest pause means that the clock was set back.
    return nowMs < untilMs && untilMs - nowMs <= REQUESTED_PAUSE_MS_MAX;
  }

  function select(kind: CallKind, provider: Provider, matches: (account: Account) => boolean): string[] {
    return [...accounts.values()]
      .filter(({ route }) => route.kind === kind && route.provider === provider)
      .filter(matches)
      .map(({ route }) => route.connectionId);
  }

  function requestedEnd(nowMs: number, retryAfterMs: number | undefined): number {
    return retryAfterMs === undefined ? 0 : nowMs + Math.min(retryAfterMs, REQUESTED_PAUSE_MS_MAX);
  }

  return {
    paused: (kind, provider, nowMs) => select(kind, provider, (account) => isPaused(account, nowMs)),
    failing: (kind, provider) => select(kind, provider, ({ failures }) => failures > 0),
    outages: (kind, provider) =>
      (["test", "live"] as const).filter((mode) => isOutage({ kind, provider, mode })),
    answered(route, nowMs, retryAfterMs) {
      unanswered.delete(outageKey(route));
      if (retryAfterMs === undefined) accounts.delete(accountKey(route));
      else {
        const requestedUntilMs = requestedEnd(nowMs, retryAfterMs);
        accounts.set(accountKey(route), {
          route,
          failures: 0,
          pauseMs: 0,
          pausedUntilMs: 0,
          requestedUntilMs,
        });
      }
    },
    failed(route, nowMs, retryAfterMs) {
      const silent = unanswered.get(outageKey(route)) ?? new Set();
      unanswered.set(outageKey(route), silent.add(route.connectionId));
      const account: Account = accounts.get(accountKey(route)) ?? {
        route,
        failures: 0,
        pauseMs: 0,
        pausedUntilMs: 0,
        requestedUntilMs: 0,
      };
      accounts.set(accountKey(route), account);
      account.failures += 1;
      account.requestedUntilMs = Math.max(account.requestedUntilMs, requestedEnd(nowMs, retryAfterMs));
      // A group that began before the pause says nothing new.
      if (!isDue(account) || isPaused({ ...account, requestedUntilMs: 0 }, nowMs)) return;
      account.pauseMs = account.pauseMs === 0 ? PAUSE_MS_MIN : Math.min(PAUSE_MS_MAX, account.pauseMs * 2);
      account.pausedUntilMs = nowMs + account.pauseMs;
    },
    endPauses() {
      for (const account of accounts.values())
        Object.assign(account, { pausedUntilMs: 0, requestedUntilMs: 0 });
    },
  };
}
