/** Serves connections that another process accepted. */
import type { Socket } from "node:net";
import { setTimeout as setTimer } from "node:timers/promises";
import { toNodeHandler } from "h3";
import type { Appliance } from "../../src/appliance.ts";
import { createApp } from "../app.ts";
import { handleRequests, IN_FLIGHT_MS, isSecure, openCertificate } from "../listen.ts";
import { watchConnections } from "../listening/connections.ts";
import { guardRequests } from "../listening/gate.ts";
import { createNodeServer } from "../listening/open-server.ts";
import { trustedNetworks } from "../peer.ts";
import type { Together } from "../together.ts";

export interface Receiver {
  /** `isSurplus`: the connection is over the limit, and its requests get 503. */
  receive(socket: Socket, isSurplus: boolean): void;
  reload(): void;
  /** Waits for requests in progress, and cuts off the rest after `server.shutdown_seconds`. */
  stop(): Promise<void>;
}

export function createReceiver(
  appliance: Appliance,
  viewerFolder: string | undefined,
  together: Together,
): Receiver {
  const { app, closeConnections } = createApp(appliance, viewerFolder, together);
  const settings = appliance.config.server;
  const renewal = openCertificate(appliance);
  const server = createNodeServer(settings, renewal);
  const surplus = new WeakSet<Socket>();
  // The process that accepts connections limits them.
  const unlimited = { ...settings, maxConnections: Number.POSITIVE_INFINITY, maxConnectionsPerAddress: 0 };
  const connections = watchConnections(
    server,
    { ...appliance, config: { server: unlimited } },
    trustedNetworks(settings.trustedProxies),
    (socket) => surplus.has(socket),
  );
  handleRequests(server, guardRequests(toNodeHandler(app), connections, settings));
  if (isSecure(server)) renewal?.follow(server);
  // Node looks for slow clients from here on.
  server.emit("listening");
  return {
    receive(socket, isSurplus) {
      if (isSurplus) surplus.add(socket);
      // As for the sockets that Node's server accepts: a client may end its side after the request.
      socket.allowHalfOpen = true;
      server.emit("connection", socket);
      socket.resume();
    },
    reload: () => renewal?.check(),
    async stop() {
      renewal?.stop();
      closeConnections();
      const cut = setTimeout(() => connections.cut(), settings.shutdownSeconds * 1000);
      await Promise.race([connections.ended(), setTimer(IN_FLIGHT_MS, undefined, { ref: false })]);
      connections.drain();
      // Stops Node's timer that looks for slow clients.
      server.close();
      await connections.ended();
      clearTimeout(cut);
    },
  };
}
