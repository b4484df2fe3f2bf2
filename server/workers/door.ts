/** Accepts the connections of a server, within its limits, and chooses a worker for each. */
import type { Server, Socket } from "node:net";
import type { Config } from "../../src/config/config.ts";
import type { Context } from "../../src/journal/context.ts";
import { createRefusalLog, SURPLUS_MAX } from "../listening/connections.ts";
import { isTrustedAddress, trustedNetworks } from "../peer.ts";

/** A process that can take connections. */
export interface Taker {
  take(connection: { id: number; isSurplus: boolean }, socket: Socket): void;
}

export interface Door {
  /** Accepts what `server` receives. Call before it listens. */
  watch(server: Server): void;
  /** From now on `taker` gets connections, the ones that wait for a worker first. */
  add(taker: Taker): void;
  /** `taker` has ended, and its connections with it. */
  remove(taker: Taker): void;
  /** A taker reports that a connection is closed. */
  closed(taker: Taker, id: number): void;
  /** Closes the connections that wait for a worker, and those that still come. */
  close(): void;
}

interface Connection {
  id: number;
  address: string;
  isSurplus: boolean;
}

type Surroundings = Pick<Context, "log" | "clock"> & { config: Pick<Config, "server"> };

export function createDoor(around: Surroundings): Door {
  const {
    maxConnections,
    maxConnectionsPerAddress,
    socket: socketFile,
    trustedProxies,
  } = around.config.server;
  const trust = trustedNetworks(trustedProxies);
  const refusals = createRefusalLog(around);
  const takers = new Map<Taker, Map<number, Connection>>();
  const waiting = new Map<Connection, Socket>();
  const ofAddress = new Map<string, number>();
  let openCount = 0;
  let lastId = 0;
  let isClosing = false;

  /** The limit that a new connection from `address` exceeds. */
  function limitFor(address: string): string | undefined {
    if (openCount >= maxConnections + SURPLUS_MAX) return "server.max_connections";
    const isLimited =
      maxConnectionsPerAddress > 0 && socketFile === null && !isTrustedAddress(address, trust);
    return isLimited && (ofAddress.get(address) ?? 0) >= maxConnectionsPerAddress
      ? "server.max_connections_per_address"
      : undefined;
  }

  function accept(socket: Socket): void {
    const address = socket.remoteAddress ?? "";
    const limit = limitFor(address);
    if (isClosing || limit !== undefined) {
      if (limit !== undefined) refusals.note(limit);
      socket.destroy();
      return;
    }
    lastId += 1;
    const connection = { id: lastId, address, isSurplus: openCount >= maxConnections };
    if (connection.isSurplus) refusals.note("server.max_connections");
    openCount += 1;
    ofAddress.set(address, (ofAddress.get(address) ?? 0) + 1);
    // Without a listener, a client that resets its connection would end the process.
    socket.on("error", () => socket.destroy());
    place(connection, socket);
  }

  /** The worker with the fewest connections gets it; of several, the one that got none for longest. */
  function place(connection: Connection, socket: Socket): void {
    let chosen: Taker | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [taker, { size }] of takers) if (size < fewest) [chosen, fewest] = [taker, size];
    if (chosen === undefined) {
      waiting.set(connection, socket);
      return;
    }
    const connections = takers.get(chosen)!;
    connections.set(connection.id, connection);
    takers.delete(chosen);
    takers.set(chosen, connections);
    chosen.take({ id: connection.id, isSurplus: connection.isSurplus }, socket);
  }

  function forget({ address }: Connection): void {
    openCount -= 1;
    const rest = (ofAddress.get(address) ?? 1) - 1;
    if (rest === 0) ofAddress.delete(address);
    else ofAddress.set(address, rest);
  }

  return {
    watch(server) {
      server.removeAllListeners("connection");
      // The worker reads the request.
      Object.assign(server, { pauseOnConnect: true });
      server.on("connection", accept);
      // While listening: the system could not accept a connection, usually for lack of file descriptors.
      server.on("error", (error: NodeJS.ErrnoException) => {
        if (server.listening) refusals.note(`the system's (${error.code ?? "unknown"})`);
      });
    },
    add(taker) {
      takers.set(taker, new Map());
      for (const [connection, socket] of waiting) {
        waiting.delete(connection);
        place(connection, socket);
      }
    },
    remove(taker) {
      for (const connection of takers.get(taker)?.values() ?? []) forget(connection);
      takers.delete(taker);
    },
    closed(taker, id) {
      const connection = takers.get(taker)?.get(id);
      if (connection === undefined) return;
      takers.get(taker)!.delete(id);
      forget(connection);
    },
    close() {
      isClosing = true;
      for (const socket of waiting.values()) socket.destroy();
      waiting.clear();
    },
  };
}
