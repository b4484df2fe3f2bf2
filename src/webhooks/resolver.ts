/**
 * Names of hosts to addresses, with the system's own resolver. It works in a few threads that everything in the process
 * shares, and goes on long after a connection that waited for it was given up: so there is one question about a host at
 * a time, whoever asks, and never so many that others find no thread.
 */
import { lookup as ask, type LookupAddress } from "node:dns";

/** Of the threads that `bin/run.js` asks for, libuv gives names half; the rest of that half is for providers. */
const QUESTIONS_MAX = 5;

export interface Resolver {
  /** Every address of the host. Rejects with the system's error. */
  resolve(hostname: string): Promise<LookupAddress[]>;
}

export function createResolver(): Resolver {
  const asked = new Map<string, Promise<LookupAddress[]>>();
  const waiting: (() => void)[] = [];
  let open = 0;

  async function question(hostname: string): Promise<LookupAddress[]> {
    if (open >= QUESTIONS_MAX) await new Promise<void>((turn) => waiting.push(turn));
    open += 1;
    try {
      return await new Promise((tell, fail) => {
        ask(hostname, { all: true }, (error, addresses) => (error === null ? tell(addresses) : fail(error)));
      });
    } finally {
      open -= 1;
      asked.delete(hostname);
      waiting.shift()?.();
    }
  }

  return {
    resolve(hostname) {
      const known = asked.get(hostname);
      if (known !== undefined) return known;
      const answer = question(hostname);
      asked.set(hostname, answer);
      return answer;
    },
  };
}
