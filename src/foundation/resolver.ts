/**
 * Resolves host names with the system's resolver. It occupies libuv threads that the whole process shares, and continues long
 * after a waiting connection was given up. So there is only one query per host at a time, and a limit on concurrent queries.
 */
import { lookup as ask, type LookupAddress } from "node:dns";

/** libuv uses half of the threads that `bin/run.js` configures for names; the rest of that half is for providers. */
const CONCURRENT_QUERIES_MAX = 5;

export interface Resolver {
  /** All addresses of the host. Rejects with the system's error. */
  resolve(hostname: string): Promise<LookupAddress[]>;
}

export function createResolver(): Resolver {
  const queries = new Map<string, Promise<LookupAddress[]>>();
  const waiting: (() => void)[] = [];
  let open = 0;

  async function query(hostname: string): Promise<LookupAddress[]> {
    if (open >= CONCURRENT_QUERIES_MAX) await new Promise<void>((turn) => waiting.push(turn));
    open += 1;
    try {
      return await new Promise((settle, fail) => {
        ask(hostname, { all: true }, (error, addresses) =>
          error === null ? settle(addresses) : fail(error),
        );
      });
    } finally {
      open -= 1;
      queries.delete(hostname);
      waiting.shift()?.();
    }
  }

  return {
    resolve(hostname) {
      const known = queries.get(hostname);
      if (known !== undefined) return known;
      const pending = query(hostname);
      queries.set(hostname, pending);
      return pending;
    },
  };
}
