/**
 * Connects only to addresses that the network guard allows. Host names are those of webhooks' receivers, which anybody with an API key
 * may choose: names whose servers never answer must not keep the others waiting. A query occupies one of the few threads of libuv until
 * the system gives up, after ten seconds or more.
 */
import { isIP, type LookupFunction, type Socket } from "node:net";
import { callbackify } from "node:util";
import type { buildConnector } from "undici";
import type { Mode } from "../../storage/stored-values.ts";
import type { NetworkGuard } from "./network-guard.ts";
import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { createTurns } from "./turns.ts";

/** Thrown while connecting if the guard refuses the address. */
export class BlockedAddressError extends Error {
  override readonly name = "BlockedAddressError";
  readonly code = "FISCAL_BLOCKED";
}

function noAddress(): NodeJS.ErrnoException {
  return Object.assign(new Error("The host has no address"), { code: "ENOTFOUND" });
}

type BuildConnector = typeof buildConnector;

interface ConnectorOptions {
  guard: NetworkGuard;
  mode: Mode;
  resolver: Resolver;
  /** For connecting. */
  timeoutMs: number;
}

/** undici's connector for allowed addresses. A name is resolved and checked first, before the time for connecting begins. */
export function createGuardedConnector(
  build: BuildConnector,
  { guard, mode, resolver, timeoutMs }: ConnectorOptions,
): ReturnType<BuildConnector> {
  /** The addresses just checked. */
  const findChecked: LookupFunction = (hostname, options, done) => {
    const addresses = resolver.known(hostname) ?? [];
    const [first] = addresses;
    if (first === undefined) done(noAddress(), "", 0);
    else if (options.all === true) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };
  const connect = build({ timeout: timeoutMs, lookup: findChecked });

  function refuse(address: string): void {
    const because = guard(address, mode);
    if (because !== undefined) throw new BlockedAddressError(because.en);
  }

  /** A literal address is not resolved. */
  const check = callbackify(async (host: string): Promise<void> => {
    const addresses = isIP(host) === 0 ? await resolver.resolve(host, mode) : [{ address: host }];
    for (const { address } of addresses) refuse(address);
  });

  return (options, done) => {
    const connectTo = () =>
      connect(options, (...[error, socket]: [Error, null] | [null, Socket]) => {
        if (error !== null) return done(error, null);
        const peer = socket.remoteAddress;
        const refusal = peer === undefined ? undefined : guard(peer, mode);
        if (refusal === undefined) return done(null, socket as never);
        socket.destroy();
        done(new BlockedAddressError(refusal.en), null);
      });
    check(options.hostname.replace(/^\[|\]$/g, ""), (error) =>
      error === null ? connectTo() : done(error, null),
    );
  };
}

export interface Resolver {
  /** All addresses of the host. Rejects with the system's error, with `EAI_AGAIN` if there is no answer in time, or NoTurnError. */
  resolve(hostname: string, mode: Mode): Promise<readonly LookupAddress[]>;
  /** The addresses found last, however long ago: a connection begins some time after they were checked. */
  known(hostname: string): readonly LookupAddress[] | undefined;
}

/** How many names wait, and for how long. More than there are slots for deliveries. */
const WAITING_MAX = 1024;
const TURN_MS = 5_000;
/** How long a query may take. */
const ANSWER_MS = 5_000;
/** How long a name that did not answer is not queried again. */
const SILENCE_MS = 60_000;
/** How long addresses are used for further connections. */
const FRESH_MS = 5_000;
/** Names that are remembered; beyond this the one that was remembered first is forgotten. */
const NAMES_MAX = 10_000;

interface Memory {
  addresses: readonly LookupAddress[];
  /** When it was found, or when it had not answered in time. By `performance.now()`. */
  atMs: number;
  hasAnswered: boolean;
}

const askSystem = (hostname: string): Promise<LookupAddress[]> => lookup(hostname, { all: true });

/** `ask` is the system's query. */
export function createResolver(ask = askSystem): Resolver {
  const memories = new Map<string, Memory>();
  const queries = new Map<string, Promise<readonly LookupAddress[]>>();
  /**
   * Queries at the same time. Names that were resolved before do not wait for new ones, nor live ones for test ones. In all, five of the
   * eight threads that libuv uses for names (`bin/run.js`); providers have the rest.
   */
  const turnsOf = (max: number) => createTurns({ max, waitingMax: WAITING_MAX, waitMs: TURN_MS });
  const turns = { test: { new: turnsOf(1), met: turnsOf(1) }, live: { new: turnsOf(1), met: turnsOf(2) } };

  function remember(hostname: string, memory: Memory): void {
    memories.delete(hostname);
    memories.set(hostname, memory);
    const [oldest] = memories.keys();
    if (memories.size > NAMES_MAX && oldest !== undefined) memories.delete(oldest);
  }

  async function query(hostname: string, mode: Mode): Promise<readonly LookupAddress[]> {
    const endTurn = await turns[mode][memories.get(hostname)?.hasAnswered === true ? "met" : "new"].take();
    const asking = ask(hostname);
    // The turn ends with the query, not when its answer is late: only then its thread is free.
    asking.then(endTurn, endTurn);
    const late = Symbol();
    const { promise: lateness, resolve: setLate } = Promise.withResolvers<typeof late>();
    const timer = setTimeout(() => setLate(late), ANSWER_MS);
    try {
      const answer = await Promise.race([asking, lateness]);
      const hasAnswered = answer !== late;
      const addresses = hasAnswered ? answer : [];
      remember(hostname, { addresses, atMs: performance.now(), hasAnswered });
      if (!hasAnswered) throw noAnswer();
      return addresses;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    known(hostname) {
      const memory = memories.get(hostname);
      return memory?.hasAnswered === true ? memory.addresses : undefined;
    },
    async resolve(hostname, mode) {
      const memory = memories.get(hostname);
      const ageMs = performance.now() - (memory?.atMs ?? Number.NEGATIVE_INFINITY);
      if (memory?.hasAnswered === true && ageMs < FRESH_MS) return memory.addresses;
      if (memory?.hasAnswered === false && ageMs < SILENCE_MS) throw noAnswer();
      const running = queries.get(`${mode} ${hostname}`);
      if (running !== undefined) return running;
      const pending = query(hostname, mode).finally(() => queries.delete(`${mode} ${hostname}`));
      queries.set(`${mode} ${hostname}`, pending);
      return pending;
    },
  };
}

function noAnswer(): NodeJS.ErrnoException {
  return Object.assign(new Error("The host name was not resolved in time"), { code: "EAI_AGAIN" });
}
