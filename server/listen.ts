/** Starts the HTTP server on the configured address and stops it without cutting off requests. */
import type { RequestListener, Server } from "node:http";
import type { Server as HttpsServer } from "node:https";
import { Server as NetServer } from "node:net";
import { setTimeout as setTimer } from "node:timers/promises";
import { toNodeHandler } from "h3";
import type { Appliance } from "../src/appliance.ts";
import { linkUrlOf } from "../src/config/addresses.ts";
import { SELF_SIGNED } from "../src/config/config.ts";
import { createApp, type ServerApp } from "./app.ts";
import { type Connections, watchConnections } from "./listening/connections.ts";
import {
  discardRests,
  guardRequests,
  handleClientError,
  noteResponse,
  refusal,
  refuseRequest,
} from "./listening/gate.ts";
import { openServer } from "./listening/open-server.ts";
import { openRenewal, type Renewal } from "./listening/renewal.ts";
import { trustedNetworks } from "./peer.ts";

export interface Listening {
  url: string;
  /** The addresses under which other machines reach the server; none if only this one does, or it cannot be known. */
  findNetworkUrls(): Promise<string[]>;
}

export interface HttpServer extends Pick<ServerApp, "app"> {
  /**
   * `url` is `http://…` or `https://…`, or `unix:` and the path of the socket file. Throws ConfigurationError when the address
   * is in use or invalid, or TLS cannot be set up; it never falls back to another address.
   */
  start(): Promise<Listening>;
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
      let connections: Connections | undefined;
      const { server, url, findNetworkUrls } = await openServer(settings, renewal?.options, (opened) => {
        connections = watchConnections(opened, appliance, trustedNetworks(settings.trustedProxies));
        handleRequests(opened, guardRequests(toNodeHandler(app), connections, settings));
      });
      if (isSecure(server)) renewal?.follow(server);
      notePublicUrl(appliance, server);
      end = async () => {
        const closed = stopListening(server);
        const cut = setTimeout(() => connections?.cut(), settings.shutdownSeconds * 1000);
        await Promise.race([closed, setTimer(IN_FLIGHT_MS, undefined, { ref: false })]);
        connections?.drain();
        // Stops Node's timer that looks for slow clients.
        server.close();
        await closed;
        clearTimeout(cut);
      };
      return { url, findNetworkUrls };
    },
    reload: () => renewal?.check(),
    async stop() {
      renewal?.stop();
      closeConnections();
      await end?.();
    },
  };
}

/** Sets the address for links. Over a socket file only a proxy connects, and its public address is unknown. */
function notePublicUrl(appliance: Appliance, server: Server): void {
  const { host, tls } = appliance.config.server;
  const address = server.address();
  if (address !== null && typeof address === "object")
    appliance.setPublicUrl(linkUrlOf({ host, port: address.port, isTls: tls !== null }));
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
  if (tls === null || tls === SELF_SIGNED) return undefined;
  return openRenewal({ files: tls, checkSeconds: tlsCheckSeconds, log, nowMs: clock.nowMs });
}

function isSecure(server: Server | HttpsServer): server is HttpsServer {
  return "setSecureContext" in server;
}

const UNKNOWN_EXPECTATION = refusal(417, {
  en: "Only Expect: 100-continue is supported",
  el: "Υποστηρίζεται μόνο Expect: 100-continue",
});

function handleRequests(server: Server | HttpsServer, handle: RequestListener): void {
  for (const event of ["request", "checkContinue", "checkExpectation"]) server.on(event, noteResponse);
  const discarding = discardRests(handle);
  server.on("request", discarding);
  // Whoever reads the body asks for it.
  server.on("checkContinue", discarding);
  server.on("clientError", handleClientError);
  server.on(
    "checkExpectation",
    discardRests((_request, response) => refuseRequest(response, UNKNOWN_EXPECTATION)),
  );
}
