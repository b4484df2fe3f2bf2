/**
 * The only way to change the database. `write(unit)` runs the unit in a durable transaction and resolves once it is on disk.
 * Units that arrive in the same turn of the event loop share a transaction and an fsync (group commit). A unit that throws is
 * rejected alone and does not affect the others. A unit may run several times (after another unit of its batch failed, or a connection was
 * lost), so it must only use its transaction, and wait for nothing else. See docs/decisions/0004-one-commit-for-what-arrives-together.md.
 */
import type { AuditKey } from "../journal/audit-key.ts";
import type { IdPrefix } from "./ids.ts";
import { StorageError } from "./errors.ts";
import type { KeyedSession } from "./session.ts";

export interface Transaction extends KeyedSession {
  /** A new id, higher than every id that any process created before. */
  newId(prefix: IdPrefix): string;
  /**
   * The time of the write, for what is recorded: ISO text, the same for all units of one commit. Never earlier than the last id,
   * so it pauses after the clock was set back.
   */
  readonly now: string;
  readonly nowMs: number;
  /** The clock's time, for due times and leases, which must expire even after a clock was set back. */
  readonly clockMs: number;
  /** Authenticates what is written to the chain of events. */
  readonly auditKey: AuditKey;
  /**
   * Appends an id and its digest to the chain of events, and returns the link that the row stores. `documentId` is the document of
   * the event, or null. Throws if the id is not the highest in the chain.
   */
  extendChain(id: string, digest: Uint8Array, documentId: string | null): Uint8Array;
  /** Whether the appliance was held when the transaction began (held.ts). Costs no extra read. */
  readonly isHeld: boolean;
  /** Whether an erasure has replaced an idempotency key. Costs no extra read. */
  readonly hasErasedKeys: boolean;
  /** Notifies listeners of `news` once the transaction is on disk, possibly even if the unit is rolled back. */
  announce(news: News): void;
}

/** What listeners can be notified of after a commit, in this process and, with PostgreSQL, in others: new work for a queue. */
export type News = "documents" | "deliveries";

export type Unit<T> = (trx: Transaction) => Promise<T>;

/** A unit that waits for its transaction. */
export interface Job {
  unit: Unit<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Runs jobs in one transaction and settles each. Calls `notify` for the news of a transaction once it is on disk. */
export type CommitBatch = (jobs: readonly Job[], notify: (news: News) => void) => Promise<void>;

/** The most units in one transaction, so that no commit keeps its first unit waiting for long. */
const BATCH_MAX = 256;
/** How long deferred units wait for another write: their own commit would cost as much as the write they log. */
const DEFER_MS = 50;

const NOTHING: Unit<void> = async () => undefined;

/** Bounds the memory used while nothing can be written. */
const DEFERRED_MAX = 10_000;
const TOO_MUCH_DEFERRED = {
  en: "The database cannot be written, and too many writes are waiting for it already; this one was dropped",
  el: "Η βάση δεν δέχεται εγγραφές και ήδη περιμένουν πάρα πολλές· αυτή παραλείφθηκε",
};

export interface Writer {
  write<T>(unit: Unit<T>): Promise<T>;
  /**
   * Writes together with the next write, or alone after a short delay. For logs and the like: a power cut during the delay
   * loses the unit.
   */
  defer(unit: Unit<void>): Promise<void>;
  /** Calls `listener` after each commit that has `news`. */
  onNews(news: News, listener: () => void): void;
  /** Writes what is deferred at once, and resolves when it is on disk or rejected. Does not wait for what is deferred later. */
  flush(): Promise<void>;
  /** Resolves once every unit so far is on disk or rejected. */
  idle(): Promise<void>;
}

export function createWriter(commit: CommitBatch): Writer {
  let waiting: Job[] = [];
  let deferred: Job[] = [];
  let deferredTimer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const listeners = new Map<News, () => void>();
  const notify = (news: News) => listeners.get(news)?.();

  function startLater(): void {
    deferredTimer ??= setTimeout(() => {
      deferredTimer = undefined;
      start();
    }, DEFER_MS);
  }

  function start(): void {
    running ??= new Promise<void>((done) => setImmediate(() => void drain().finally(done)));
  }

  /** Takes the next batch: the waiting units first, then the deferred ones. */
  function takeBatch(): Job[] {
    clearTimeout(deferredTimer);
    deferredTimer = undefined;
    const all = deferred.length === 0 ? waiting : [...waiting, ...deferred];
    deferred = [];
    waiting = all.slice(BATCH_MAX);
    return all.length <= BATCH_MAX ? all : all.slice(0, BATCH_MAX);
  }

  async function drain(): Promise<void> {
    while (waiting.length + deferred.length > 0) {
      await commit(takeBatch(), notify);
      if (waiting.length === 0) break;
      // Units that arrived meanwhile are collected for one more turn, so that they share the next transaction.
      await new Promise<void>((turn) => setImmediate(turn));
    }
    running = undefined;
    if (deferred.length > 0) startLater();
  }

  return {
    write<T>(unit: Unit<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        waiting.push({ unit, resolve: resolve as (value: unknown) => void, reject });
        start();
      });
    },
    defer(unit) {
      if (deferred.length + waiting.length >= DEFERRED_MAX)
        return Promise.reject(new StorageError(TOO_MUCH_DEFERRED));
      return new Promise<void>((resolve, reject) => {
        deferred.push({ unit, resolve: resolve as (value: unknown) => void, reject });
        if (deferred.length >= BATCH_MAX) start();
        else startLater();
      });
    },
    async flush() {
      if (deferred.length === 0 && running === undefined) return;
      // Units are taken in order, so an empty one at the end settles last.
      await new Promise<void>((settle) => {
        deferred.push({ unit: NOTHING, resolve: () => settle(), reject: () => settle() });
        start();
      });
    },
    onNews: (news, listener) => void listeners.set(news, listener),
    async idle() {
      if (deferred.length > 0) start();
      while (running !== undefined || deferred.length > 0) {
        start();
        await running;
      }
    },
  };
}
