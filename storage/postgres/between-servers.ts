/**
 * The servers of one database share counters for rate limits (docs/contract.md#rate-limits-of-several-machines), and tell each other
 * about new work with NOTIFY, so that none has to wait for its next look. Notices have a connection of their own and are sent after the
 * commit, because within a transaction NOTIFY would keep all other commits waiting.
 */
import { randomUUID } from "node:crypto";
import type { Client, ClientConfig, Pool } from "pg";
import type { AuditKey } from "../encryption/key-ring.ts";
import type { Counted, SharedCounters } from "../database/store.ts";
import type { News } from "../database/write.ts";
import { connect, drop, readingFrom } from "./postgres-connection.ts";
import { explainFailure } from "./postgres-errors.ts";

/** Whether the window goes on. One that ends later than a window of now would is from before the limit or the clock was changed. */
const GOES_ON =
  "counter.ends_at between statement_timestamp() and clock_timestamp() + (excluded.ends_at - statement_timestamp())";

/** Adds one to a counter, or begins its window. One that waited for another server may find a window that began after it. */
const COUNT = `insert into shared_counters as counter (digest, used, ends_at)
  values ($1, 1, statement_timestamp() + make_interval(secs => $2::bigint))
  on conflict (digest) do update set
    used = 1 + case when ${GOES_ON} then counter.used else 0 end,
    ends_at = case when ${GOES_ON} then counter.ends_at else excluded.ends_at end
  returning used, ceil(extract(epoch from ends_at - statement_timestamp()))::bigint as "resetSeconds"`;

/** Leaves what another server is counting or deleting. */
const DELETE_OLD = `delete from shared_counters where digest in (
  select digest from shared_counters where ends_at < statement_timestamp() for update skip locked)`;

const DELETE_EVERY_MS = 60_000;

/**
 * Counters under digests of their keys: there are so few addresses that a plain digest would tell which one it is. `pool` is only for
 * this, because transactions must not make requests wait.
 */
export function createSharedCounters(pool: Pool, auditKey: AuditKey): SharedCounters {
  const database = readingFrom(pool);
  let deletedAtMs = -Infinity;

  async function deleteOld(): Promise<void> {
    if (performance.now() - deletedAtMs < DELETE_EVERY_MS) return;
    deletedAtMs = performance.now();
    await database.query({ name: "fiscal_forget", text: DELETE_OLD, values: [] });
  }

  return {
    async count(key, seconds) {
      const digest = auditKey.authenticate(JSON.stringify(["counter", key]));
      try {
        // In the order of the calls: the pool has one connection.
        const counting = { name: "fiscal_count", text: COUNT, values: [digest, seconds] };
        const [, { rows }] = await Promise.all([deleteOld(), database.query(counting)]);
        return rows[0] as Counted;
      } catch (error) {
        throw explainFailure(error);
      }
    },
  };
}

/** News within this time goes out in one notice. */
const TOGETHER_MS = 20;
/** Until then the queues look for work by themselves, every second. */
const RETRY_MS = 1000;
/** Databases may have several schemas; a notice that is meant for another one does no harm. */
const CHANNEL = "fiscal";

export interface Notices {
  /** Calls `listener` for notices of other processes. */
  on(news: News, listener: () => void): void;
  /** Tells the others, soon. Does nothing after `close`. */
  tell(news: News): void;
  /** Sends the news that still waits. */
  close(): Promise<void>;
}

export function createNotices(address: ClientConfig): Notices {
  /** Begins the notices of this process, which receives them as well. */
  const sender = randomUUID();
  const listeners = new Map<string, () => void>();
  const untold = new Set<News>();
  let opened: Promise<Client | undefined> | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();

  /** Undefined if the server cannot be reached. */
  function open(): Promise<Client | undefined> {
    opened ??= connect(address).then(listen, reopenLater);
    return opened;
  }

  async function listen(client: Client): Promise<Client> {
    client.on("notification", ({ payload = "" }) => {
      const [from, news = ""] = payload.split(" ");
      if (from !== sender) listeners.get(news)?.();
    });
    client.once("end", reopenLater);
    await client.query(`listen ${CHANNEL}`).catch(() => drop(client));
    return client;
  }

  /** A lost connection is no failure: the queues look for work by themselves. */
  function reopenLater(): undefined {
    opened = undefined;
    if (listeners.size === 0) return;
    setTimeout(() => {
      if (!isClosed) void open();
    }, RETRY_MS).unref();
  }

  async function send(): Promise<void> {
    const told = [...untold].map((news) => `${sender} ${news}`);
    untold.clear();
    const client = await open();
    if (client === undefined) return;
    const notices = client.query("select pg_notify($1, notice) from unnest($2::text[]) as notice", [
      CHANNEL,
      told,
    ]);
    await notices.catch(() => drop(client));
  }

  function sendNow(): void {
    clearTimeout(timer);
    timer = undefined;
    sending = sending.then(send);
  }

  return {
    on(news, listener) {
      listeners.set(news, listener);
      void open();
    },
    tell(news) {
      if (isClosed) return;
      untold.add(news);
      timer ??= setTimeout(sendNow, TOGETHER_MS);
    },
    async close() {
      isClosed = true;
      if (timer !== undefined) sendNow();
      await sending;
      const client = await opened;
      if (client !== undefined) drop(client);
    },
  };
}
