/**
 * The connections that are open: how many there may be, which of them do nothing, and how they end. A server that anybody
 * reaches must not be filled by clients that only hold on to it.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server, Socket } from "node:net";
import type { Config } from "../../src/config/config.ts";
import type { Context } from "../../src/journal/context.ts";
import { isTrustedAddress, type Trust } from "../peer.ts";

export interface Connections {
  /** Notes that a request is under way until its answer is sent or its client gone. False on a connection that is one too many. */
  begin(request: IncomingMessage, response: ServerResponse): boolean;
  /** Ends the connections that have no request under way, now and as they come to have none. */
  drain(): void;
  /** Ends all of them at once. */
  cut(): void;
}

interface Connection {
  /** As it is on the network, below TLS. */
  socket: Socket;
  address: string;
  isSurplus: boolean;
  underWay: number;
  hasServed: boolean;
}

/** Beyond the limit this many are let in to be told so in our own words; what comes beyond them is closed unheard. */
const SURPLUS_MAX = 64;

/**
 * Of both ends, or the socket itself where it has none (a socket file): the same below and above TLS. A client may use one
 * port of its own towards several addresses of this machine.
 */
type Name = string | Socket;

function nameOf(socket: Socket): Name {
  const { remoteAddress, remotePort, localAddress } = socket;
  return remotePort === undefined ? socket : `${remoteAddress} ${remotePort} ${localAddress}`;
}

type Surroundings = Pick<Context, "log" | "clock"> & { config: Pick<Config, "server"> };

/** Counts the connections of `server`, which has not begun to listen. */
export function watchConnections(server: Server, around: Surroundings, trust: Trust): Connections {
  const { maxConnections, maxConnectionsPerAddress, socket: socketFile } = around.config.server;
  const open = new Map<Name, Connection>();
  const ofAddress = new Map<string, number>();
  const refusals = createRefusalLog(around);
  let isDraining = false;
  server.maxConnections = maxConnections + SURPLUS_MAX;
  server.on("drop", () => refusals.note("server.max_connections"));
  // Of a server that listens: the system could not hand over a connection, mostly for want of file descriptors. The next may come.
  server.on("error", (error: NodeJS.ErrnoException) => {
    if (server.listening) refusals.note(`the system's (${error.code ?? "unknown"})`);
  });

  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    const count = (ofAddress.get(address) ?? 0) + 1;
    // All that a proxy passes on has its address.
    const isLimited =
      maxConnectionsPerAddress > 0 && socketFile === null && !isTrustedAddress(address, trust);
    if (isDraining || (isLimited && count > maxConnectionsPerAddress)) {
      if (!isDraining) refusals.note("server.max_connections_per_address");
      socket.destroy();
      return;
    }
    const name = nameOf(socket);
    const connection = {
      socket,
      address,
      isSurplus: open.size >= maxConnections,
      underWay: 0,
      hasServed: false,
    };
    open.set(name, connection);
    ofAddress.set(address, count);
    socket.once("close", () => {
      if (open.get(name) === connection) open.delete(name);
      const rest = (ofAddress.get(address) ?? 1) - 1;
      if (rest === 0) ofAddress.delete(address);
      else ofAddress.set(address, rest);
    });
  });

  /**
   * Node tells of a socket on which nothing moved. While the answer is being worked out that is as it should be, and so it
   * is while a request is on its way, which has limits of its own; a client that does not read is cut off, and what was
   * kept for it let go.
   */
  server.on("timeout", (socket: Socket) => {
    const connection = open.get(nameOf(socket));
    const isIdle = connection === undefined || (connection.hasServed && connection.underWay === 0);
    if (isIdle || socket.writableLength > 0) socket.destroy();
    else socket.setTimeout(socket.timeout ?? 0);
  });

  return {
    begin(request, response) {
      const connection = open.get(nameOf(request.socket));
      if (connection === undefined) return true;
      connection.underWay += 1;
      response.once("close", () => {
        connection.underWay -= 1;
        connection.hasServed = true;
        if (isDraining && connection.underWay === 0) connection.socket.destroySoon();
      });
      if (connection.isSurplus) refusals.note("server.max_connections");
      return !connection.isSurplus;
    },
    drain() {
      isDraining = true;
      for (const { socket, underWay } of open.values()) if (underWay === 0) socket.destroy();
    },
    cut() {
      for (const { socket } of open.values()) socket.destroy();
    },
  };
}

const TELL_EVERY_MS = 60_000;

/** Says at most once a minute how many were refused: whoever floods the server must not flood its log. */
function createRefusalLog({ log, clock }: Pick<Context, "log" | "clock">) {
  const counts = new Map<string, { refused: number; toldMs: number }>();
  return {
    /** `limit`: the setting, or what else is at its end. */
    note(limit: string) {
      const entry = counts.get(limit) ?? { refused: 0, toldMs: Number.NEGATIVE_INFINITY };
      entry.refused += 1;
      const nowMs = clock.nowMs();
      if (nowMs - entry.toldMs >= TELL_EVERY_MS) {
        log.warn({ limit, refused: entry.refused }, "connections were refused: there are too many");
        entry.refused = 0;
        entry.toldMs = nowMs;
      }
      counts.set(limit, entry);
    },
  };
}
