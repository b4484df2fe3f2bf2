/**
 * Shares the slots of the issuing queue (`issuing.concurrency`), so that calls which hang do not hold up others: some slots are
 * reserved for sends, one account never takes them all, and accounts that do not answer get few. Those are tracked separately for
 * sends and queries, so that their documents wait instead of using up their attempts (docs/contract.md#provider-availability).
 */
import { type Mode, MODES, type Provider } from "../../storage/stored-values.ts";
import { type CallKind, type Group, kindOf } from "./claimed-group.ts";

/**
 * How often a provider's whole queue is read while sends to it are in progress. It takes tens of milliseconds if a hundred
 * thousand documents wait for one counter, and every finished send would repeat it.
 */
const READ_ALL_MS = 1000;

export type Slots = ReturnType<typeof createSlots>;

/** `claimed` are groups that have been claimed but are not in progress yet. */
export function createSlots(
  concurrency: number,
  availability: Availability,
  inProgress: () => Iterable<Group>,
) {
  const quarter = Math.max(1, Math.floor(concurrency / 4));
  /** With a single slot, a query gets one of its own, or a hanging query would stop all sends. */
  const total = Math.max(2, concurrency);
  const kindMax: Record<CallKind, number> = {
    send: concurrency,
    query: Math.max(1, concurrency - quarter),
  };

  const readAllAtMs = new Map<Provider, number>();

  return {
    /**
     * How many more groups of the kind may start now, and the connections and modes that may not start one; undefined if nothing
     * more should be claimed in this round.
     */
    room(kind: CallKind, provider: Provider, claimed: readonly Group[], nowMs: number) {
      const all = [...inProgress(), ...claimed];
      const groups = all.filter((group) => kindOf(group) === kind);
      const free = Math.min(total - all.length, kindMax[kind] - groups.length);
      const byAccount = Map.groupBy(groups, ({ connectionId }) => connectionId);
      const countOf = (id: string) => byAccount.get(id)?.length ?? 0;
      const failing = availability.failing(kind, provider);
      const failingGroups = failing.reduce((sum, id) => sum + countOf(id), 0);
      const busyFailing = failing.filter((id) => countOf(id) > 0 || failingGroups >= quarter);
      const accountMax = Math.max(1, kindMax[kind] - 1);
      const atLimit = [...byAccount.keys()].filter((id) => id !== null && countOf(id) >= accountMax);
      // Passing over an account reads all its due documents, so it is not done after every send of a busy one.
      const hasClaimed = claimed.some(
        (group) => kindOf(group) === kind && group.adapter.provider === provider,
      );
      // The sandbox runs in this process: its calls gain nothing side by side, and what waits shares the next one.
      const isSandboxBusy =
        byAccount.get(null)?.some(({ adapter }) => adapter.provider === provider) ?? false;
      if (free <= 0 || isSandboxBusy || (atLimit.length > 0 && hasClaimed)) return undefined;
      // In an outage, a provider's calls leave half of the slots to other providers.
      const outageMax = Math.max(1, Math.floor(kindMax[kind] / 2));
      const own = groups.filter((group) => group.adapter.provider === provider);
      const crowded = availability
        .outages(kind, provider)
        .filter((mode) => own.filter((group) => group.mode === mode).length >= outageMax);
      const paused = availability.paused(kind, provider, nowMs);
      const excluded = new Set([...paused, ...busyFailing, ...atLimit, ...crowded] as string[]);
      return { free, excluded: [...excluded] };
    },
    /** Whether a claim may read the whole queue now, because the first due documents all wait for their counters. */
    mayReadAll(provider: Provider, claimed: readonly Group[], nowMs: number): boolean {
      const elapsedMs = nowMs - (readAllAtMs.get(provider) ?? Number.NEGATIVE_INFINITY);
      // The clock may have been set back.
      const isRecent = elapsedMs >= 0 && elapsedMs < READ_ALL_MS;
      const isSending = [...inProgress(), ...claimed].some(
        (group) => kindOf(group) === "send" && group.adapter.provider === provider,
      );
      if (isRecent && isSending) return false;
      readAllAtMs.set(provider, nowMs);
      return true;
    },
  };
}

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

const UNTRIED = { failures: 0, pauseMs: 0, pausedUntilMs: 0, requestedUntilMs: 0 };

export type Availability = ReturnType<typeof createAvailability>;

export function createAvailability() {
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
    /** The connections that must not be used now. After a pause, one group at a time tests the account. */
    paused: (kind: CallKind, provider: Provider, nowMs: number) =>
      select(kind, provider, (account) => isPaused(account, nowMs)),
    /** The connections whose last group got no answer. */
    failing: (kind: CallKind, provider: Provider) => select(kind, provider, ({ failures }) => failures > 0),
    /** The modes in which several accounts got no answer, and none got one since. */
    outages: (kind: CallKind, provider: Provider) =>
      MODES.filter((mode) => isOutage({ kind, provider, mode })),
    /** The provider answered, whether it accepted or refused; `retryAfterMs` if it requested a pause for the account. */
    answered(route: Route, nowMs: number, retryAfterMs: number | undefined): void {
      unanswered.delete(outageKey(route));
      if (retryAfterMs === undefined) accounts.delete(accountKey(route));
      else {
        const requestedUntilMs = requestedEnd(nowMs, retryAfterMs);
        accounts.set(accountKey(route), { ...UNTRIED, route, requestedUntilMs });
      }
    },
    /** The provider did not answer. */
    failed(route: Route, nowMs: number, retryAfterMs: number | undefined): void {
      const silent = unanswered.get(outageKey(route)) ?? new Set();
      unanswered.set(outageKey(route), silent.add(route.connectionId));
      const account: Account = accounts.get(accountKey(route)) ?? { ...UNTRIED, route };
      accounts.set(accountKey(route), account);
      account.failures += 1;
      account.requestedUntilMs = Math.max(account.requestedUntilMs, requestedEnd(nowMs, retryAfterMs));
      // A group that began before the pause says nothing new.
      if (!isDue(account) || isPaused({ ...account, requestedUntilMs: 0 }, nowMs)) return;
      account.pauseMs = account.pauseMs === 0 ? PAUSE_MS_MIN : Math.min(PAUSE_MS_MAX, account.pauseMs * 2);
      account.pausedUntilMs = nowMs + account.pauseMs;
    },
    /** The clock was set back. */
    endPauses(): void {
      for (const account of accounts.values())
        Object.assign(account, { pausedUntilMs: 0, requestedUntilMs: 0 });
    },
  };
}
