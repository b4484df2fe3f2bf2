/** Starts the HTTP server on the configured address and stops it without cutting off requests. */
import {
  createServer as createHttpServer,
  type RequestListener,
  type Server,
  type ServerOptions,
} from "node:http";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import { Server as NetServer } from "node:net";
import { setTimeout as setTimer } from "node:timers/promises";
import { toNodeHandler } from "h3";
import type { Appliance } from "../src/appliance.ts";
import type { Config } from "../src/config/config.ts";
import { linkUrlOf } from "../src/config/address.ts";
import { createApp, type ServerApp } from "./app.ts";
import { watchConnections } from "./listening/connections.ts";
import { guardRequests } from "./listening/gate.ts";
import { openAddress } from "./listening/listen-address.ts";
import { openRenewal, type Renewal } from "./listening/renewal.ts";
import { trustedNetworks } from "./peer.ts";
import { handleClientError, refusal, refuseRequest } from "./unreadable.ts";

export interface HttpServer extends Pick<ServerApp, "app"> {
  /**
   * `url` is `http://…` or `https://…`, or `unix:` and the path of the socket file. Throws ConfigurationError when the address
   * is in use or invalid, or TLS cannot be set up; it never falls back to another address.
   */
  start(): Promise<{ url: string }>;
  /** Reads the certificate files again, if TLS is on, and logs the result. */
  reload(): void;
  /** Stops accepting connections, waits for requests in progress, and cuts off the rest after `server.shutdown_seconds`. */
  stop(): Promise<void>;
}

/** `viewerFolder` is passed to `createApp`. */
export function createServer(appliance: Appliance, viewerFolder?: string): HttpServer {
  const { app, closeConnections } = createApp(appliance, viewerFolder);
  const settings = appliance.config.server;
  let renewal: Renewal | undefined;
  let end: (() => Promise<void>) | undefined;
  return {
    app,
    async start() {
      renewal = openCertificate(appliance);
      const server = createNodeServer(settings, renewal);
      const connections = watchConnections(server, appliance, trustedNetworks(settings.trustedProxies));
      handleRequests(server, guardRequests(toNodeHandler(app), connections, settings));
      const url = await openAddress(server, settings);
      if (isSecure(server)) renewal?.follow(server);
      // Over a socket file only a proxy connects, and its public address is unknown.
      const address = server.address();
      if (address !== null && typeof address === "object")
        appliance.setPublicUrl(
          linkUrlOf({ host: settings.host, port: address.port, isTls: settings.tls !== null }),
        );
      end = async () => {
        const closed = stopListening(server);
        const cut = setTimeout(connections.cut, settings.shutdownSeconds * 1000);
        await Promise.race([closed, setTimer(IN_FLIGHT_MS, undefined, { ref: false })]);
        connections.drain();
        // Stops Node's timer that looks for slow clients.
        server.close();
        await closed;
        clearTimeout(cut);
      };
      return { url };
    },
    reload: () => renewal?.check(),
    async stop() {
      renewal?.stop();
      closeConnections();
      await end?.();
    },
  };
}

/**
 * A request sent just before the stop is still read and gets a response with `connection: close`; behind a proxy it would otherwise
 * fail a document. Such a request arrives within this time.
 */
const IN_FLIGHT_MS = 50;

/** Closes like a plain TCP server: Node's HTTP `close` would cut idle keep-alive connections. Resolves when all connections are gone. */
function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
}

function openCertificate({ config, log, clock }: Appliance): Renewal | undefined {
  const { tls, tlsCheckSeconds } = config.server;
  if (tls === null) return undefined;
  return openRenewal({ files: tls, checkSeconds: tlsCheckSeconds, log, nowMs: clock.nowMs });
}

function isSecure(server: Server | HttpsServer): server is HttpsServer {
  return "setSecureContext" in server;
}

/** How often Node looks for slow clients, at most. */
const SLOW_CLIENT_CHECK_MS_MAX = 5000;

/** Uses Node's own servers, which accept every limit before they listen (docs/decisions/0008). */
function createNodeServer(settings: Config["server"], renewal: Renewal | undefined): Server | HttpsServer {
  const requestTimeout = settings.requestTimeoutSeconds * 1000;
  const headersTimeout = Math.min(settings.headersTimeoutSeconds * 1000, requestTimeout);
  const options: ServerOptions = {
    maxHeaderSize: settings.maxHeaderBytes,
    headersTimeout,
    requestTimeout,
    connectionsCheckingInterval: Math.min(SLOW_CLIENT_CHECK_MS_MAX, headersTimeout / 4),
    keepAliveTimeout: settings.keepAliveSeconds * 1000,
    // Node refuses with an empty body; the gate refuses in the API's form.
    requireHostHeader: false,
  };
  const server =
    renewal === undefined
      ? createHttpServer(options)
      : createHttpsServer({ ...options, ...renewal.options, handshakeTimeout: headersTimeout });
  // `watchConnections` handles the `timeout` event.
  server.timeout = settings.writeTimeoutSeconds * 1000;
  // Node silently drops headers beyond this count; the gate refuses such requests instead.
  server.maxHeadersCount = 0;
  return server;
}

const UNKNOWN_EXPECTATION = refusal(417, {
  en: "Only Expect: 100-continue is supported",
  el: "Υποστηρίζεται μόνο Expect: 100-continue",
});

function handleRequests(server: Server | HttpsServer, handle: RequestListener): void {
  server.on("request", handle);
  server.on("clientError", handleClientError);
  server.on("checkExpectation", (_request, response) => refuseRequest(response, UNKNOWN_EXPECTATION));
}
