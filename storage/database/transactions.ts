/** Runs transactions whose ids, times and event chain continue those of every process on the database, the same way on both engines. */
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import { type Builder, greatest } from "./dialect.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import { hexOf, createChainEnd, type StoredEnd } from "../journal/event-chain.ts";
import { NewerSchemaError, StorageError, type StorageText } from "./errors.ts";
import { createIdGenerator } from "./ids.ts";
import { SCHEMA_VERSION } from "./schema.ts";
import { statement, type WritingSession } from "./session.ts";
import { type Memory, progressOf, type StoredProgress } from "./lost-writes.ts";
import type { News, Transact, Transaction, Unit } from "./write.ts";

/**
 * Selects the appliance row, for a transaction that has just begun and keeps all others waiting. Each engine stores the version of the
 * schema in its own way.
 */
export function selectHead(db: Builder, schemaVersion: RawBuilder<number>) {
  return db
    .selectFrom("appliance")
    .select([
      "last_id",
      "clock_at",
      "erased_keys",
      "epoch",
      "key_check",
      "audit_key",
      "chain_id",
      "chain",
      "chain_seal",
      "state",
      "created_at",
      "resumed_at",
    ])
    .select(schemaVersion.as("schema"))
    .where("id", "=", 1);
}

export type Head =
  ReturnType<typeof selectHead> extends SelectQueryBuilder<infer _B, infer _T, infer Found> ? Found : never;

const updateHead = statement<StoredEnd & { lastId: string; clockAt: string; epoch: number }>()((db, p) =>
  db
    .updateTable("appliance")
    .set({
      last_id: p.lastId,
      clock_at: greatest(sql<string>`clock_at`, sql<string>`${p.clockAt}`),
      chain_id: p.chainId,
      chain: p.chain,
      chain_seal: p.mac,
      epoch: p.epoch,
    })
    .where("id", "=", 1),
);

/** Beyond this many values, all are forgotten and read again. */
const REMEMBERED_MAX = 5000;

/** How far the stored time of the clock may be behind that of the last change. */
const CLOCK_STEP_MS = 1000;

/** The connection of the writer. */
export interface WritingConnection {
  /** Of its transactions. */
  readonly session: WritingSession;
  /**
   * Begins a transaction once no other process has one, and keeps theirs waiting. Returns the appliance row, and whether commits of this
   * process are missing from the database.
   */
  begin(): Promise<{ head: Head | undefined; hasLostCommits: boolean }>;
  /** Resolves once all is on disk. `lastId`: the last id that this process has created. */
  commit(lastId: string): Promise<void>;
  /** After `error`. */
  rollBack(error: unknown): Promise<void>;
  /** Runs an attempt at a transaction, and again if its connection was lost. */
  persist<T>(attempt: () => Promise<T>): Promise<T>;
}

export interface Transactions {
  transact: Transact;
  /** See `Store.remembered`. */
  remembered(name: string): unknown;
}

/** `memory` is undefined for a database that is not the appliance's, such as the draft of a backup. */
export function createTransactions(
  connection: WritingConnection,
  nowMs: () => number,
  { ring, memory }: { ring: KeyRing; memory: Memory | undefined },
): Transactions {
  const { session } = connection;
  const ids = createIdGenerator();
  const news = new Set<News>();
  let chain = createChainEnd();
  /** When the last hold had ended, as the last transaction that was committed found it. */
  let resumedAt: string | null = null;
  const remembered = new Map<string, unknown>();
  /** The stored epoch that `remembered` belongs to, and whether the transaction has outdated it. */
  let epoch = -1;
  let isOutdated = false;

  async function remember<T>(name: string, read: () => Promise<T>): Promise<T> {
    if (isOutdated) return read();
    const known = remembered.get(name);
    if (known !== undefined) return known as T;
    const value = await read();
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    if (!isOutdated) remembered.set(name, value);
    return value;
  }

  /** Opens the transaction that has found `head`. */
  function open(head: Head): Transaction {
    // A newer program may migrate the schema while this one runs.
    if (head.schema > SCHEMA_VERSION) throw new NewerSchemaError();
    // From here on, values are sealed with the key in force.
    ring.follow(head.key_check);
    const auditKey = ring.openAuditKey(head.audit_key);
    ids.raiseTo(head.last_id);
    // After a hold the database may be an older one, whose epochs are used a second time.
    if (head.epoch !== epoch || head.resumed_at !== resumedAt) remembered.clear();
    ({ epoch } = head);
    isOutdated = false;
    // The end of the chain before the hold may have been lost with the writes that caused it.
    if (head.resumed_at !== resumedAt) chain = createChainEnd();
    chain.open(auditKey, { chainId: head.chain_id, chain: head.chain, mac: head.chain_seal });
    const clockMs = nowMs();
    const ms = Math.max(clockMs, ids.lastMs());
    let now: string | undefined;
    return {
      all: (query, parameters) => session.all(query, parameters),
      first: (query, parameters) => session.first(query, parameters),
      run: (query, parameters) => session.run(query, parameters),
      query: (built) => session.query(built),
      cipher: ring,
      newId: (prefix) => `${prefix}_${ids.next(ms)}`,
      nowMs: ms,
      clockMs,
      auditKey,
      isHeld: head.state === "held",
      hasErasedKeys: head.erased_keys === 1,
      extendChain: chain.extend,
      remember,
      outdate: () => void (isOutdated = true),
      insertRows: (rows) => session.insertRows(rows),
      announce: (item) => void news.add(item),
      get now() {
        now ??= new Date(ms).toISOString();
        return now;
      },
    };
  }

  /**
   * Stores the last id, the clock's time, the end of the chain and the epoch, if the transaction changed one of them, or anything later.
   * Returns how far the database has come once it is committed.
   */
  async function saveHead({ clockMs }: Transaction, head: Head, firstId: string): Promise<StoredProgress> {
    const stored = progressOf(head);
    const lastId = ids.last();
    // Ids carry their time, but not every transaction that sets a due time creates one.
    const isClockAhead = new Date(clockMs - CLOCK_STEP_MS).toISOString() > head.clock_at;
    if (lastId === firstId && !chain.isExtended() && !isOutdated && !isClockAhead) return stored;
    const end = chain.toStore();
    const clockAt = new Date(clockMs).toISOString();
    await session.send(updateHead, { lastId, clockAt, epoch: epoch + (isOutdated ? 1 : 0), ...end });
    return { ...stored, lastId, linkId: end.chainId, link: hexOf(end.chain) };
  }

  /** `held`: the database had lost writes, and the appliance is held now instead. */
  async function attempt<T>(work: Unit<T>): Promise<{ value: T } | "held"> {
    try {
      const { head, hasLostCommits } = await connection.begin();
      if (head === undefined) throw new StorageError(NOT_OURS);
      const trx = open(head);
      const firstId = ids.last();
      const stored = progressOf(head);
      // After another server has held the appliance for the same loss, and it was resumed, the database counts as it is.
      const isLost = (hasLostCommits && stored.resumedAt === resumedAt) || memory?.isLost(stored) === true;
      if (isLost) await memory?.holdAfterLoss(trx, stored);
      const value = isLost ? undefined : await work(trx);
      const saved = await saveHead(trx, head, firstId);
      await connection.commit(ids.last());
      ({ resumedAt } = stored);
      memory?.remember(saved);
      if (isLost) chain = createChainEnd();
      return isLost ? "held" : { value: value as T };
    } catch (error) {
      await connection.rollBack(error);
      throw error;
    }
  }

  return {
    async transact(work, notify) {
      for (;;) {
        const ending = await connection.persist(() => attempt(work));
        if (ending === "held") continue;
        const told = [...news];
        news.clear();
        for (const item of told) notify(item);
        return ending.value;
      }
    },
    remembered: (name) => remembered.get(name),
  };
}

const NOT_OURS: StorageText = {
  en: "The database has no appliance row: it was not made by fiscal",
  el: "Από τη βάση λείπει η εγγραφή της συσκευής: δεν δημιουργήθηκε από το fiscal",
};
