/** Accepts the connections of a server, within its limits, and chooses a worker for each. */
import type { Server, Socket } from "node:net";
import type { Config } from "../../src/config/config.ts";
import type { Context } from "../../src/journal/context.ts";
import { createRefusalLog, SURPLUS_MAX } from "../listening/connections.ts";
import { isTrustedAddress, trustedNetworks } from "../peer.ts";

/** A process that can take connections. */
export interface Taker {
  /** `onSent` is called when the socket is on its way, after which it cannot be given to another. */
  take(connection: { id: number; isSurplus: boolean }, socket: Socket, onSent: () => void): void;
}

export interface Door {
  /** Accepts what `server` receives. Call before it listens. */
  watch(server: Server): void;
  /** From now on `taker` gets connections, the ones that wait for a worker first. */
  add(taker: Taker): void;
  /** `taker` has ended, and its connections with it, except for those that were not sent: another worker gets them. */
  remove(taker: Taker): void;
  /** A taker has received a connection. */
  taken(taker: Taker, id: number): void;
  /** A taker reports that a connection is closed. */
  closed(taker: Taker, id: number): void;
  /** Closes the connections that wait for a worker, and those that still come. */
  close(): void;
}

interface Connection {
  id: number;
  address: string;
  isSurplus: boolean;
  /** Undefined once a taker has it. */
  socket: Socket | undefined;
  isSent: boolean;
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
  const waiting: Connection[] = [];
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
    const isSurplus = openCount >= maxConnections;
    const connection: Connection = { id: lastId, address, isSurplus, socket, isSent: false };
    if (connection.isSurplus) refusals.note("server.max_connections");
    openCount += 1;
    ofAddress.set(address, (ofAddress.get(address) ?? 0) + 1);
    // Without a listener, a client that resets its connection would end the process.
    socket.on("error", () => socket.destroy());
    place(connection);
  }

  /** The worker with the fewest connections gets it; of several, the one that got none for longest. */
  function place(connection: Connection): void {
    let chosen: Taker | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [taker, { size }] of takers) if (size < fewest) [chosen, fewest] = [taker, size];
    if (chosen === undefined) {
      waiting.push(connection);
      return;
    }
    const connections = takers.get(chosen)!;
    connections.set(connection.id, connection);
    takers.delete(chosen);
    takers.set(chosen, connections);
    const { id, isSurplus } = connection;
    chosen.take({ id, isSurplus }, connection.socket!, () => {
      connection.isSent = true;
    });
  }

  /** Closes only the socket of this process. */
  function release(connection: Connection): void {
    connection.socket?.destroy();
    connection.socket = undefined;
  }

  function forget(connection: Connection): void {
    release(connection);
    const { address } = connection;
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
      for (const connection of waiting.splice(0)) place(connection);
    },
    remove(taker) {
      const own = takers.get(taker)?.values() ?? [];
      takers.delete(taker);
      for (const connection of own) {
        if (connection.socket === undefined || connection.isSent || isClosing) forget(connection);
        else place(connection);
      }
    },
    taken(taker, id) {
      const connection = takers.get(taker)?.get(id);
      if (connection !== undefined) release(connection);
    },
    closed(taker, id) {
      const connection = takers.get(taker)?.get(id);
      if (connection === undefined) return;
      takers.get(taker)!.delete(id);
      forget(connection);
    },
    close() {
      isClosing = true;
      for (const connection of waiting.splice(0)) forget(connection);
    },
  };
}
