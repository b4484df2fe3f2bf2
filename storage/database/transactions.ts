/** Opens transactions whose ids, times and event chain continue those of every process on the database. */
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import { type Builder, greatest } from "./dialect.ts";
import type { AuditKey, KeyRing } from "../encryption/key-ring.ts";
import { hexOf, createChainEnd, type StoredEnd } from "../journal/event-chain.ts";
import { NewerSchemaError, StorageError } from "./errors.ts";
import { createIdGenerator } from "./ids.ts";
import { type Row, SCHEMA_VERSION } from "./schema.ts";
import { statement, type WritingSession } from "./session.ts";
import type { News, Transaction } from "./write.ts";

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

export interface StoredProgress {
  /** When the appliance was created. */
  createdAt: string;
  /** When its last hold ended; null if there was none. */
  resumedAt: string | null;
  lastId: string;
  /** The newest event in the chain, or its note, and its link in hexadecimal digits; empty without one. */
  linkId: string;
  link: string;
}

export interface Transactions {
  /** Opens the transaction that has read `head`, the appliance row as `selectHead` selects it. */
  open(head: Head | undefined): Transaction;
  /** What `Transaction.remember` has read under the name; undefined if nothing, or if a later transaction found a change. */
  remembered(name: string): unknown;
  /** The last id created here. */
  lastId(): string;
  /** Accepts an earlier end of the chain from now on, because the database is known to have lost writes. */
  restartChain(): void;
  /** Stores the last id, the clock's time, the end of the chain and the epoch, if the transaction changed one of them, or anything later. */
  saveHead(): Promise<unknown>;
  /** How far the database had come when the transaction began. */
  stored(): StoredProgress;
  /** How far it has come, if the transaction is committed. */
  saved(): StoredProgress;
  /** The news since the last commit. */
  takeNews(): readonly News[];
}

export function progressOf(
  row: Pick<Row<"appliance">, "created_at" | "resumed_at" | "last_id" | "chain_id" | "chain">,
): StoredProgress {
  return {
    createdAt: row.created_at,
    resumedAt: row.resumed_at,
    lastId: row.last_id,
    linkId: row.chain_id,
    link: hexOf(row.chain),
  };
}

export function createTransactions(
  session: WritingSession,
  nowMs: () => number,
  ring: KeyRing,
): Transactions {
  const ids = createIdGenerator();
  const news = new Set<News>();
  let chain = createChainEnd();
  /** When the last hold had ended, as the last transaction found it. */
  let resumedAt: string | null = null;
  let firstId = ids.last();
  let stored: StoredProgress = { createdAt: "", resumedAt: null, lastId: firstId, linkId: "", link: "" };
  let saved = stored;
  let clockMs = 0;
  /** The stored time of the clock when the transaction began. */
  let clockAt = "";
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

  /** Ids carry their time, but not every transaction that sets a due time creates one. */
  function isClockAhead(): boolean {
    return new Date(clockMs - CLOCK_STEP_MS).toISOString() > clockAt;
  }

  function build(row: { auditKey: AuditKey; isHeld: boolean; hasErasedKeys: boolean }): Transaction {
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
      ...row,
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

  return {
    open(head) {
      if (head === undefined)
        throw new StorageError({
          en: "The database has no appliance row: it was not made by fiscal",
          el: "Από τη βάση λείπει η εγγραφή της συσκευής: δεν δημιουργήθηκε από το fiscal",
        });
      // A newer program may migrate the schema while this one runs.
      if (head.schema > SCHEMA_VERSION) throw new NewerSchemaError();
      // From here on, values are sealed with the key in force.
      ring.follow(head.key_check);
      const auditKey = ring.openAuditKey(head.audit_key);
      ids.raiseTo(head.last_id);
      firstId = ids.last();
      stored = saved = progressOf(head);
      clockMs = nowMs();
      clockAt = head.clock_at;
      // After a hold the database may be an older one, whose epochs are used a second time.
      if (head.epoch !== epoch || head.resumed_at !== resumedAt) remembered.clear();
      ({ epoch } = head);
      isOutdated = false;
      // The end of the chain before the hold may have been lost with the writes that caused it.
      if (head.resumed_at !== resumedAt) chain = createChainEnd();
      resumedAt = head.resumed_at;
      chain.open(auditKey, { chainId: head.chain_id, chain: head.chain, mac: head.chain_seal });
      return build({ auditKey, isHeld: head.state === "held", hasErasedKeys: head.erased_keys === 1 });
    },
    remembered: (name) => remembered.get(name),
    lastId: () => ids.last(),
    restartChain: () => void (chain = createChainEnd()),
    // Not async: what fails before the statement is sent must keep the caller from committing.
    saveHead() {
      if (ids.last() === firstId && !chain.isExtended() && !isOutdated && !isClockAhead())
        return Promise.resolve(0);
      const lastId = ids.last();
      const end = chain.toStore();
      saved = { ...stored, lastId, linkId: end.chainId, link: hexOf(end.chain) };
      return session.run(updateHead, {
        lastId,
        clockAt: new Date(clockMs).toISOString(),
        epoch: epoch + (isOutdated ? 1 : 0),
        ...end,
      });
    },
    stored: () => stored,
    saved: () => saved,
    takeNews() {
      const taken = [...news];
      news.clear();
      return taken;
    },
  };
}
