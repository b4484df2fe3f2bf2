/**
 * Limits open connections, closes idle and slow ones, and ends them all at shutdown. Without a proxy in front, clients that only
 * hold connections open must not be able to block the server.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server, Socket } from "node:net";
import type { Config } from "../../src/config/config.ts";
import type { Context } from "../../src/journal/context.ts";
import { isTrustedAddress, type Trust } from "../peer.ts";

export interface Connections {
  /** Counts a request as in progress until its response is sent or its client is gone. False on a connection over the limit. */
  begin(request: IncomingMessage, response: ServerResponse): boolean;
  /** Closes idle connections, now and whenever one becomes idle. */
  drain(): void;
  /** Closes all connections immediately. */
  cut(): void;
}

interface Connection {
  /** The TCP socket, below TLS. */
  socket: Socket;
  address: string;
  isSurplus: boolean;
  inProgress: number;
  hasServed: boolean;
}

/** This many connections over the limit still get a 503 response; any more are closed without one. */
const SURPLUS_MAX = 64;

/**
 * Identifies a connection below and above TLS: the addresses of both ends, or the socket itself for a socket file. The local address
 * is included because a client may use the same port towards several addresses of this machine.
 */
type ConnectionKey = string | Socket;

function connectionKeyOf(socket: Socket): ConnectionKey {
  const { remoteAddress, remotePort, localAddress } = socket;
  return remotePort === undefined ? socket : `${remoteAddress} ${remotePort} ${localAddress}`;
}

type Surroundings = Pick<Context, "log" | "clock"> & { config: Pick<Config, "server"> };

/** Call before `server` listens. */
export function watchConnections(server: Server, around: Surroundings, trust: Trust): Connections {
  const { maxConnections, maxConnectionsPerAddress, socket: socketFile } = around.config.server;
  const open = new Map<ConnectionKey, Connection>();
  const ofAddress = new Map<string, number>();
  const refusals = createRefusalLog(around);
  let isDraining = false;
  server.maxConnections = maxConnections + SURPLUS_MAX;
  server.on("drop", () => refusals.note("server.max_connections"));
  // While listening: the system could not accept a connection, usually for lack of file descriptors. Later ones may succeed.
  server.on("error", (error: NodeJS.ErrnoException) => {
    if (server.listening) refusals.note(`the system's (${error.code ?? "unknown"})`);
  });

  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    const count = (ofAddress.get(address) ?? 0) + 1;
    // All clients behind a proxy share its address.
    const isLimited =
      maxConnectionsPerAddress > 0 && socketFile === null && !isTrustedAddress(address, trust);
    if (isDraining || (isLimited && count > maxConnectionsPerAddress)) {
      if (!isDraining) refusals.note("server.max_connections_per_address");
      socket.destroy();
      return;
    }
    const key = connectionKeyOf(socket);
    const connection = {
      socket,
      address,
      isSurplus: open.size >= maxConnections,
      inProgress: 0,
      hasServed: false,
    };
    open.set(key, connection);
    ofAddress.set(address, count);
    socket.once("close", () => {
      if (open.get(key) === connection) open.delete(key);
      const rest = (ofAddress.get(address) ?? 1) - 1;
      if (rest === 0) ofAddress.delete(address);
      else ofAddress.set(address, rest);
    });
  });

  /**
   * Node reports a socket without traffic. That is normal while a response is being prepared, and while a request is arriving,
   * which has its own time limits. An idle connection is closed, and so is a client that does not read its response, which frees
   * the buffered data.
   */
  server.on("timeout", (socket: Socket) => {
    const connection = open.get(connectionKeyOf(socket));
    const isIdle = connection === undefined || (connection.hasServed && connection.inProgress === 0);
    if (isIdle || socket.writableLength > 0) socket.destroy();
    else socket.setTimeout(socket.timeout ?? 0);
  });

  return {
    begin(request, response) {
      const connection = open.get(connectionKeyOf(request.socket));
      if (connection === undefined) return true;
      connection.inProgress += 1;
      response.once("close", () => {
        connection.inProgress -= 1;
        connection.hasServed = true;
        if (isDraining && connection.inProgress === 0) connection.socket.destroySoon();
      });
      if (connection.isSurplus) refusals.note("server.max_connections");
      return !connection.isSurplus;
    },
    drain() {
      isDraining = true;
      for (const { socket, inProgress } of open.values()) if (inProgress === 0) socket.destroy();
    },
    cut() {
      for (const { socket } of open.values()) socket.destroy();
    },
  };
}

const WARN_INTERVAL_MS = 60_000;

/** Logs refusals at most once a minute, so that flooding the server does not flood its log. */
function createRefusalLog({ log, clock }: Pick<Context, "log" | "clock">) {
  const counts = new Map<string, { refused: number; loggedMs: number }>();
  return {
    /** `limit` is the setting or system limit that was reached. */
    note(limit: string) {
      const entry = counts.get(limit) ?? { refused: 0, loggedMs: Number.NEGATIVE_INFINITY };
      entry.refused += 1;
      const nowMs = clock.nowMs();
      if (nowMs - entry.loggedMs >= WARN_INTERVAL_MS) {
        log.warn({ limit, refused: entry.refused }, "connections were refused: there are too many");
        entry.refused = 0;
        entry.loggedMs = nowMs;
      }
      counts.set(limit, entry);
    },
  };
}
