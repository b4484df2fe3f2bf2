/** Connects only to addresses that the network guard allows. */
import { isIP, type LookupFunction, type Socket } from "node:net";
import { callbackify } from "node:util";
import type { buildConnector } from "undici";
import type { Mode } from "../../storage/stored-values.ts";
import type { Resolver } from "./host-names.ts";
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

/**
 * undici's connector, limited to addresses that the guard allows. The name is resolved and checked at each connection, before the time
 * for connecting begins.
 */
export function createGuardedConnector(
  build: BuildConnector,
  { guard, mode, resolver, timeoutMs }: ConnectorOptions,
): ReturnType<BuildConnector> {
  /** The addresses just checked. */
  const lookup: LookupFunction = (hostname, options, done) => {
    const addresses = resolver.known(hostname) ?? [];
    const [first] = addresses;
    if (first === undefined) done(noAddress(), "", 0);
    else if (options.all === true) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };
  const connect = build({ timeout: timeoutMs, lookup });

  function refuse(address: string): void {
    const because = guard.refusal(address, mode);
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
        const refusal = peer === undefined ? undefined : guard.refusal(peer, mode);
        if (refusal === undefined) return done(null, socket as never);
        socket.destroy();
        done(new BlockedAddressError(refusal.en), null);
      });
    check(options.hostname.replace(/^\[|\]$/g, ""), (error) =>
      error === null ? connectTo() : done(error, null),
    );
  };
}
