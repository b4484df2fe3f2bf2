/** Follows a list by cursor, as a client that must miss nothing (docs/contract.md#pagination). */
import { ask, pause } from "./clients.ts";

export interface Followed {
  name: string;
  /** `/api/v1/events` */
  path: string;
  key: string;
  /** The server to ask next. */
  url(): string;
}

const POLL_MS = 100;

export interface Item {
  id: string;
  type: string;
}

interface Page {
  data: Item[];
  has_more: boolean;
}

/** Begins with what the list has now. */
export function follow(followed: Followed) {
  const { path, key, url } = followed;
  const ids: string[] = [];
  let isFinishing = false;

  async function read(): Promise<void> {
    for (;;) {
      const isLast = isFinishing;
      const page = await readNext();
      if (page?.has_more === true) continue;
      if (isLast && page !== undefined) return;
      await pause(POLL_MS);
    }
  }

  async function readNext(): Promise<Page | undefined> {
    if (ids.length === 0) {
      const data = await readAll(followed);
      for (const { id } of data) ids.push(id);
      return { data, has_more: false };
    }
    const page = await readPage(`${url()}${path}?limit=100&ending_before=${ids.at(-1)}`, key);
    // The newest comes first.
    for (const { id } of page?.data.toReversed() ?? []) ids.push(id);
    return page;
  }

  const reading = read();
  // Reported by `finish`.
  reading.catch(() => undefined);
  return {
    followed,
    /** In the order of the list, oldest first. */
    ids,
    /** Reads to the end, and stops. */
    async finish() {
      isFinishing = true;
      await reading;
    },
  };
}

export type Reader = ReturnType<typeof follow>;

/** The whole list, oldest first, read from its newest item on. */
export async function readAll({ path, key, url }: Followed): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const after = items.length === 0 ? "" : `&starting_after=${items.at(-1)!.id}`;
    const page = await readPage(`${url()}${path}?limit=100${after}`, key);
    if (page === undefined) continue;
    items.push(...page.data);
    if (!page.has_more) return items.reverse();
  }
}

/** Undefined if the server does not answer for now. */
async function readPage(url: string, key: string): Promise<Page | undefined> {
  const response = await ask(url, { headers: { authorization: `Bearer ${key}` } });
  if (response === undefined || response.status === 503) return undefined;
  if (response.status !== 200)
    throw new Error(`${url} got ${response.status}: ${JSON.stringify(response.body)}`);
  return response.body as Page;
}
