/**
 * The only way to change the database. What is written resolves once it is on disk. Items of a kind are data: those that arrive in the
 * same turn of the event loop share a transaction and an fsync (group commit), and each kind writes its items with one call. A unit is
 * a function with a transaction of its own, for what is rare. Items go before units that wait at the same time; otherwise both keep
 * their order. What runs in a transaction may run again (alone, after a batch failed, or after a connection was lost), so it must only
 * use its transaction, and wait for nothing else. See docs/decisions/0004-one-commit-for-what-arrives-together.md.
 */
import type { AuditKey } from "../encryption/key-ring.ts";
import type { IdPrefix } from "./ids.ts";
import { isUnwritable, StorageError } from "./errors.ts";
import { type KeyedSession, type NewRows, statement } from "./session.ts";

export interface Transaction extends KeyedSession {
  /** A new id, higher than every id that any process created before. */
  newId(prefix: IdPrefix): string;
  /**
   * The time of the write, for what is recorded: ISO text, the same for everything in one commit. Never earlier than the last id,
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
  /** Whether the appliance was held when the transaction began (appliance-state.ts). Costs no extra read. */
  readonly isHeld: boolean;
  /** Whether an erasure has replaced an idempotency key. Costs no extra read. */
  readonly hasErasedKeys: boolean;
  /**
   * Reads with `read`, or returns what it returned in this process since the last change of what is read so. Every change of
   * merchants, settings, connections, endpoints and letterheads, by any process, counts as one.
   */
  remember<T>(name: string, read: () => Promise<T>): Promise<T>;
  /** Called by each such change: what was remembered no longer counts, in this transaction and for all later ones. */
  outdate(): void;
  /**
   * Inserts rows, table by table in the order given. The rows of a table have the same columns. With a server, a row that it refuses
   * makes a later statement or the commit fail.
   */
  insertRows(rows: NewRows): Promise<void>;
  /** Notifies listeners of `news` once the transaction is on disk, possibly also news of one that was rolled back. */
  announce(news: News): void;
}

/** What listeners can be notified of after a commit, in this process and, with PostgreSQL, in others: new work for a queue. */
export type News = "documents" | "deliveries";

export type Unit<T> = (trx: Transaction) => Promise<T>;

/** The result of an item, or why it was not written. A refused item leaves the others alone. */
export type ItemResult<Result> = { value: Result } | { refusal: unknown };

/** Items that are written together. */
export interface Kind<Item, Result> {
  /** Writes the items, and returns their outcomes in the same order. */
  commit(trx: Transaction, items: readonly Item[]): Promise<readonly ItemResult<Result>[]>;
}

/** A kind whose items are written one after another. One that throws is written again without the others. */
export function inTurn<Item, Result>(
  write: (trx: Transaction, item: Item) => Promise<Result>,
): Kind<Item, Result> {
  return {
    async commit(trx, items) {
      const outcomes: ItemResult<Result>[] = [];
      for (const item of items) outcomes.push({ value: await write(trx, item) });
      return outcomes;
    },
  };
}

/** Runs `work` in a transaction, and resolves once it is on disk. Calls `notify` for its news then. */
export type Transact = <T>(work: Unit<T>, notify: (news: News) => void) => Promise<T>;

interface Waiting {
  kind: Kind<unknown, unknown>;
  item: unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The most items in one transaction, so that no commit keeps the event loop for long. */
const BATCH_MAX = 256;
/** How long deferred items wait for others: their own commit would cost as much as the write they log. */
const DEFER_MS = 50;
/** Fewer wait for more of them even while others are written: their rows share a compression and a seal. */
const DEFERRED_MIN = 8;

const NOTHING = inTurn(async () => undefined);
const UNITS = inTurn((trx, unit: Unit<unknown>) => unit(trx));

/** Bounds the memory used while nothing can be written. */
const DEFERRED_MAX = 10_000;
const TOO_MUCH_DEFERRED = {
  en: "The database cannot be written, and too many writes are waiting for it already; this one was dropped",
  el: "Η βάση δεν δέχεται εγγραφές και ήδη περιμένουν πάρα πολλές· αυτή παραλείφθηκε",
};

export interface Writer {
  /** Runs the unit in a transaction of its own. */
  write<T>(unit: Unit<T>): Promise<T>;
  /** Writes the item together with the others that wait. */
  add<Item, Result>(kind: Kind<Item, Result>, item: Item): Promise<Result>;
  /**
   * Writes several together, with the next items and after those, or alone after a short delay. For logs and the like: a power cut during
   * the delay loses the item.
   */
  defer<Item>(kind: Kind<Item, void>, item: Item): Promise<void>;
  /** Calls `listener` after each commit of this process that has `news` and, with PostgreSQL, soon after those of others. */
  onNews(news: News, listener: () => void): void;
  /** Writes what is deferred at once, and resolves when it is on disk or rejected. Does not wait for what is deferred later. */
  flush(): Promise<void>;
  /** Resolves once everything so far is on disk or rejected. */
  idle(): Promise<void>;
  /** Changes nothing, but throws if a write cannot be committed. */
  probe(): Promise<void>;
}

function waiting<Item, Result>(
  kind: Kind<Item, Result>,
  item: Item,
  resolve: (value: Result) => void,
  reject: (error: unknown) => void,
): Waiting {
  return { kind, item, resolve, reject } as Waiting;
}

/** Commits the items of each kind with one call, the kinds in the order of their first items. */
async function commitKinds(
  trx: Transaction,
  batch: readonly Waiting[],
): Promise<Map<Waiting, ItemResult<unknown>>> {
  const outcomes = new Map<Waiting, ItemResult<unknown>>();
  for (const [kind, entries] of Map.groupBy(batch, (entry) => entry.kind)) {
    const committed = await kind.commit(
      trx,
      entries.map(({ item }) => item),
    );
    for (const [index, entry] of entries.entries()) outcomes.set(entry, committed[index]!);
  }
  return outcomes;
}

const probeWrite = statement<object>()((db) =>
  db.updateTable("appliance").set({ id: 1 }).where("id", "=", 1),
);

export function createWriter(transact: Transact): Writer {
  let units: Waiting[] = [];
  let items: Waiting[] = [];
  let deferred: Waiting[] = [];
  /** Whether deferred items are written even if no others are. */
  let isDeferredDue = false;
  let deferredTimer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const listeners = new Map<News, () => void>();
  const notify = (news: News) => listeners.get(news)?.();

  function start(): void {
    running ??= new Promise<void>((done) => setImmediate(() => void drain().finally(done)));
  }

  function startDeferred(): void {
    isDeferredDue = true;
    start();
  }

  function startLater(): void {
    deferredTimer ??= setTimeout(() => {
      deferredTimer = undefined;
      startDeferred();
    }, DEFER_MS);
  }

  /** Takes the items that are written next, the deferred ones last. */
  function takeItems(): Waiting[] {
    const now = items.slice(0, BATCH_MAX);
    items = items.slice(BATCH_MAX);
    if (!isDeferredDue && (now.length === 0 || deferred.length < DEFERRED_MIN)) return now;
    clearTimeout(deferredTimer);
    deferredTimer = undefined;
    const later = deferred.slice(0, BATCH_MAX);
    deferred = deferred.slice(BATCH_MAX);
    isDeferredDue = deferred.length > 0;
    return now.concat(later);
  }

  /** If a batch fails, but not because nothing can be written, its items are written one by one. */
  async function commitItems(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await transact((trx) => commitKinds(trx, batch), notify);
      for (const [{ resolve, reject }, outcome] of outcomes)
        if ("value" in outcome) resolve(outcome.value);
        else reject(outcome.refusal);
    } catch (error) {
      if (batch.length === 1 || isUnwritable(error)) for (const { reject } of batch) reject(error);
      else for (const entry of batch) await commitItems([entry]);
    }
  }

  async function drain(): Promise<void> {
    for (;;) {
      const batch = takeItems();
      const alone = units;
      units = [];
      if (batch.length > 0) await commitItems(batch);
      for (const unit of alone) await commitItems([unit]);
      if (units.length + items.length === 0 && !isDeferredDue) break;
      // What arrived meanwhile is collected for one more turn, so that it shares the next transaction.
      await new Promise<void>((turn) => setImmediate(turn));
    }
    running = undefined;
    if (deferred.length > 0) startLater();
  }

  function write<T>(unit: Unit<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      units.push(waiting(UNITS, unit, resolve as (value: unknown) => void, reject));
      start();
    });
  }

  return {
    write,
    probe: () => write(async (trx) => void (await trx.run(probeWrite, {}))),
    add: (kind, item) =>
      new Promise((resolve, reject) => {
        items.push(waiting(kind, item, resolve, reject));
        start();
      }),
    defer(kind, item) {
      if (deferred.length + items.length >= DEFERRED_MAX)
        return Promise.reject(new StorageError(TOO_MUCH_DEFERRED));
      return new Promise<void>((resolve, reject) => {
        deferred.push(waiting(kind, item, resolve, reject));
        if (deferred.length >= BATCH_MAX) startDeferred();
        else startLater();
      });
    },
    async flush() {
      if (deferred.length === 0 && running === undefined) return;
      // Items are taken in order, so an empty one at the end settles last.
      await new Promise<unknown>((settle) => {
        deferred.push(waiting(NOTHING, undefined, settle, settle));
        startDeferred();
      });
    },
    onNews: (news, listener) => void listeners.set(news, listener),
    async idle() {
      while (running !== undefined || deferred.length > 0) {
        startDeferred();
        await running;
      }
    },
  };
}
