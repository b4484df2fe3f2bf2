/** Connects only to addresses that the network guard allows. */
import { type LookupAddress, lookup as ask } from "node:dns";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { callbackify } from "node:util";
import type { buildConnector } from "undici";
import type { Mode } from "../../storage/stored-values.ts";
import type { NetworkGuard } from "./network-guard.ts";

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

/** undici's connector, limited to addresses that the guard allows. The name is resolved and checked at each connection. */
export function createGuardedConnector(
  build: BuildConnector,
  { guard, mode, resolver, timeoutMs }: ConnectorOptions,
): ReturnType<BuildConnector> {
  const addressesOf = callbackify(async (hostname: string): Promise<LookupAddress[]> => {
    const addresses = await resolver.resolve(hostname);
    const refusal = firstRefusal(addresses);
    if (refusal !== undefined) throw refusal;
    return addresses;
  });
  const lookup: LookupFunction = (hostname, options, done) => {
    addressesOf(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) done(error, "", 0);
      else if (options.all === true) done(null, addresses);
      else if (first === undefined) done(noAddress(), "", 0);
      else done(null, first.address, first.family);
    });
  };
  function firstRefusal(addresses: readonly LookupAddress[]): BlockedAddressError | undefined {
    for (const { address } of addresses) {
      const because = guard.refusal(address, mode);
      if (because !== undefined) return new BlockedAddressError(because.en);
    }
    return undefined;
  }
  const connect = build({ timeout: timeoutMs, lookup });
  return (options, done) => {
    const host = options.hostname.replace(/^\[|\]$/g, "");
    // A literal address is not resolved, so check it here.
    const literal = isIP(host) === 0 ? undefined : guard.refusal(host, mode);
    if (literal !== undefined) return done(new BlockedAddressError(literal.en), null);
    connect(options, (...[error, socket]: [Error, null] | [null, Socket]) => {
      if (error !== null) return done(error, null);
      const peer = socket.remoteAddress;
      const refusal = peer === undefined ? undefined : guard.refusal(peer, mode);
      if (refusal === undefined) return done(null, socket as never);
      socket.destroy();
      done(new BlockedAddressError(refusal.en), null);
    });
  };
}

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
