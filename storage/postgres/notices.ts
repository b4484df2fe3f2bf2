/**
 * A server announces new work with NOTIFY to the others on its database, which would otherwise find it up to a second later. Notices have
 * their own connection and are sent after the commit, because NOTIFY within a transaction would make all other commits wait.
 */
import { randomUUID } from "node:crypto";
import type { Client, ClientConfig } from "pg";
import type { News } from "../database/write.ts";
import { connect, drop } from "./postgres-connection.ts";

/** News within this time goes out in one notice. */
const TOGETHER_MS = 20;
/** Until then the queues look for work by themselves, every second. */
const RETRY_MS = 1000;
/** Databases may have several schemas; a notice that is meant for another one does no harm. */
const CHANNEL = "fiscal";

export interface Notices {
  on(news: News, listener: () => void): void;
  /** Tells the others, soon. Does nothing after `close`. */
  tell(news: News): void;
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
