/**
 * Links the events of transactions that ran beside others, and makes their rows appear in lists. Ids define the order, but such
 * transactions commit in another one, so a row may come to stand before rows that were read already. Lists therefore end at
 * `sealed.through`: every transaction with lower ids has ended. See docs/decisions/0016-side-by-side.md.
 */
import type { Client, ClientConfig } from "pg";
import type { AuditKey } from "../journal/audit-key.ts";
import { createChainEnd } from "../journal/chain-end.ts";
import type { StoredProgress } from "../database/transactions.ts";
import { LANE_LOCK } from "./own-tables.ts";
import { connectToWrite, drop } from "./postgres-connection.ts";
import { explainFailure, isConnectionLost } from "./postgres-errors.ts";

/** How long after a commit its events are linked, together with those of other commits. */
const PAUSE_MS = 20;
/** How long open transactions are waited for; a longer one, of any program in this database, delays the lists. */
const WAIT_MS = 250;
const CHECK_MS = 2;
/** How long transactions of all databases are waited for, before it is looked up which of them are in this one. */
const LOOK_UP_MS = 20;
/** After a wait in vain, alone transactions get a turn first. */
const RETRY_MS = 500;
/** The most events of one step. */
export const EVENTS_MAX = 1000;

export interface SealerOptions {
  followKey(keyCheck: Uint8Array): void;
  openAuditKey(sealed: Uint8Array): AuditKey;
  nowMs(): number;
  remember(progress: StoredProgress): void;
  /** Whether the database seems to be behind what was seen. */
  isLost(progress: StoredProgress): boolean;
  /** Makes the writer look, which holds the appliance if writes were lost. */
  checkForLoss(): Promise<void>;
  /** Called when it fails, and not again before it has succeeded. It tries again by itself. */
  onFailure(error: unknown): void;
}

export interface Sealer {
  /** Seals what is committed now, soon. Never waits. */
  wake(): void;
  /** Seals what is committed now. Resolves also if it cannot, and at once after `close`. */
  sealNow(): Promise<void>;
  /** Accepts an earlier end of the chain from now on, because the database is known to have lost writes. */
  restartChain(): void;
  /** Ends after the runs that were asked for. */
  close(): Promise<void>;
}

/** An event without its link: `chain` has its digest instead. */
export interface PendingEvent {
  id: string;
  chain: Uint8Array;
  document_id: string | null;
}

interface HeadRow {
  last_id: string;
  chain_id: string;
  chain: Uint8Array;
  chain_seal: Uint8Array;
  audit_key: Uint8Array;
  key_check: Uint8Array;
  created_at: string;
  resumed_at: string | null;
}

/** The transaction has no id yet. */
const BEGIN = `begin isolation level read committed read write; select pg_advisory_xact_lock_shared(${LANE_LOCK})`;
/** One server seals at a time. */
const SEALER_LOCK = "select pg_advisory_xact_lock(7162534416)";

const HEAD =
  "select last_id, chain_id, chain, chain_seal, audit_key, key_check, created_at, resumed_at from appliance where id = 1";

export const PENDING = {
  name: "fiscal_pending",
  text: "select id, chain, document_id from events where id > $1 and id <= $2 order by id limit $3",
};
export const LINK = {
  name: "fiscal_link",
  text: "update events set chain = link.chain from unnest($1::text[], $2::bytea[]) as link (id, chain) where events.id = link.id",
};

export function createSealer(
  address: ClientConfig,
  { followKey, openAuditKey, nowMs, remember, isLost, checkForLoss, onFailure }: SealerOptions,
): Sealer {
  let chain = createChainEnd();
  /** When the last hold had ended, as it was found last. */
  let resumedAt: string | null = null;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let isClosed = false;
  let hasFailed = false;

  async function open(): Promise<Client> {
    client ??= await connectToWrite(address);
    return client;
  }

  /**
   * From the next transaction on, new ids are higher than all that are committed now. Those with lower ids are open already.
   */
  async function raise(on: Client): Promise<void> {
    const clockAt = new Date(nowMs()).toISOString();
    await on.query(
      `${BEGIN}; update appliance set last_id = newest, clock_at = greatest(clock_at, '${clockAt}')` +
        " from (select max(last_id) as newest from lanes) as lane where appliance.id = 1 and last_id < newest; commit",
    );
  }

  /** Returns false if a transaction that is open for long prevents it. */
  async function seal(on: Client): Promise<boolean> {
    const results = (await on.query(`${BEGIN}; ${SEALER_LOCK}; ${HEAD}`)) as unknown as { rows: HeadRow[] }[];
    const head = results.at(-1)!.rows[0]!;
    const progress = { createdAt: head.created_at, resumedAt: head.resumed_at, lastId: head.last_id };
    if (isLost(progress)) {
      await on.query("rollback");
      await checkForLoss();
      return true;
    }
    // The end of the chain before the hold may have been lost with the writes that caused it.
    if (head.resumed_at !== resumedAt) chain = createChainEnd();
    resumedAt = head.resumed_at;
    // Every transaction that began before `last_id` was raised has a lower id than this one.
    await on.query("select pg_current_xact_id()");
    if (!(await untilOldest(on))) {
      await on.query("rollback");
      return false;
    }
    const { rows } = await on.query<PendingEvent>({
      ...PENDING,
      values: [head.chain_id, `evt_${head.last_id}`, EVENTS_MAX],
    });
    const through = rows.length < EVENTS_MAX ? head.last_id : rows.at(-1)!.id.slice("evt_".length);
    if (rows.length > 0) await link(on, head, rows);
    await on.query({ text: "update sealed set through = $1 where through < $1", values: [through] });
    await on.query("commit");
    remember(progress);
    return rows.length < EVENTS_MAX || seal(on);
  }

  async function link(on: Client, head: HeadRow, events: readonly PendingEvent[]): Promise<void> {
    followKey(head.key_check);
    chain.open(openAuditKey(head.audit_key), {
      chainId: head.chain_id,
      chain: head.chain,
      seal: head.chain_seal,
    });
    const links = events.map((event) => chain.extend(event.id, event.chain, event.document_id));
    const { chainId, chain: end, seal: endSeal } = chain.toStore();
    await Promise.all([
      on.query({ ...LINK, values: [events.map(({ id }) => id), links] }),
      on.query({
        text: "update appliance set chain_id = $1, chain = $2, chain_seal = $3 where id = 1",
        values: [chainId, end, endSeal],
      }),
    ]);
  }

  function forget(): void {
    if (client !== undefined) drop(client);
    client = undefined;
  }

  async function attempt(): Promise<boolean> {
    const isFresh = client === undefined;
    try {
      const on = await open();
      await raise(on);
      return await seal(on);
    } catch (error) {
      // The server ends the transaction with its connection.
      forget();
      // An idle connection may be dead: it is replaced once.
      if (isFresh || !isConnectionLost(error)) throw error;
      return attempt();
    }
  }

  async function run(): Promise<void> {
    try {
      const isDone = await attempt();
      if (!isDone) wakeAfter(RETRY_MS);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) onFailure(explainFailure(error));
      hasFailed = true;
      wakeAfter(RETRY_MS);
    }
  }

  function wakeAfter(ms: number): void {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void sealNow();
    }, ms).unref();
  }

  /** A run that is under way may have begun too early: another one follows, for all who ask meanwhile. */
  async function sealNow(): Promise<void> {
    if (isClosed) return;
    await runNext();
  }

  function runNext(): Promise<void> {
    if (running === undefined) return (running = run().finally(() => (running = undefined)));
    next ??= running.then(() => {
      next = undefined;
      return runNext();
    });
    return next;
  }

  return {
    wake: () => wakeAfter(PAUSE_MS),
    sealNow,
    restartChain: () => void (chain = createChainEnd()),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      if (timer !== undefined) void runNext();
      await (next ?? running);
      forget();
    },
  };
}

/** Waits until no other transaction that may write to this database is older than the one of `on`. */
async function untilOldest(on: Client): Promise<boolean> {
  const beganAtMs = Date.now();
  for (;;) {
    const waitedMs = Date.now() - beganAtMs;
    const { rows } = await on.query<{ is_oldest: number }>(waitedMs < LOOK_UP_MS ? OLDEST : OLDEST_HERE);
    if (rows[0]!.is_oldest === 1) return true;
    if (waitedMs > WAIT_MS) return false;
    await new Promise<void>((done) => setTimeout(done, CHECK_MS));
  }
}

/** Of all databases of the server. */
const OLDEST = "select pg_snapshot_xmin(pg_current_snapshot()) = pg_current_xact_id() as is_oldest";

/**
 * Only those count that are known to be in another database. One that is not found, because it has ended or is about to take its
 * lock, is looked up again.
 */
const OLDEST_HERE = `select count(*) = 0 as is_oldest from pg_snapshot_xip(pg_current_snapshot()) as older
  where older < pg_current_xact_id()
    and not exists (select 1 from pg_locks join pg_stat_activity using (pid)
      where locktype = 'transactionid' and mode = 'ExclusiveLock' and granted and transactionid = older::xid
        and datname <> current_database())
    and not exists (select 1 from pg_prepared_xacts where transaction = older::xid and database <> current_database())`;
