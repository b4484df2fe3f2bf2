/** The HTTP server: starts on the place it was told or not at all, and stops without cutting a request. */
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
import { guarded } from "./listening/gate.ts";
import { openPlace } from "./listening/place.ts";
import { openRenewal, type Renewal } from "./listening/renewal.ts";
import { trustedNetworks } from "./peer.ts";
import { answerUnreadable, refusal, refuseRequest } from "./unreadable.ts";

export interface HttpServer extends Pick<ServerApp, "app"> {
  /**
   * `url` is `http://…` or `https://…`, or `unix:` and the path of the socket file. Throws ConfigurationError when the place
   * is taken or cannot be, or TLS not be spoken: it never moves to another one.
   */
  start(): Promise<{ url: string }>;
  /** Reads the certificate's files again, where there are any, and says in the log what it came to. */
  reload(): void;
  /** Takes no new connection, waits for the requests under way, and cuts what is open after `server.shutdown_seconds`. */
  stop(): Promise<void>;
}

/** `viewerFolder` is that of `createApp`. */
export function createServer(appliance: Appliance, viewerFolder?: string): HttpServer {
  const { app, closeConnections } = createApp(appliance, viewerFolder);
  const settings = appliance.config.server;
  let renewal: Renewal | undefined;
  let end: (() => Promise<void>) | undefined;
  return {
    app,
    async start() {
      renewal = openCertificate(appliance);
      const server = makeServer(settings, renewal);
      const connections = watchConnections(server, appliance, trustedNetworks(settings.trustedProxies));
      answerRequests(server, guarded(toNodeHandler(app), connections, settings));
      const url = await openPlace(server, settings);
      if (isSecure(server)) renewal?.follow(server);
      // By a socket file only a proxy comes, whose address the program cannot know.
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
        // Node's own end of it: it no longer looks for slow clients.
        server.close();
        await closed;
        clearTimeout(cut);
      };
      return { url };
    },
    reload: () => renewal?.look(),
    async stop() {
      renewal?.stop();
      closeConnections();
      await end?.();
    },
  };
}

/**
 * A request that its client sent before it could know of the end is still read, and answered with `connection: close`: behind
 * a proxy it would be an error of somebody's document otherwise. It is here within this time, or was not sent yet.
 */
const IN_FLIGHT_MS = 50;

/** Without what Node's servers of HTTP add: they cut every connection that waits for its next request. Resolves when all are gone. */
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

const CHECKING_MS_MAX = 5000;

/**
 * Made with Node's own servers. listhen, which would be the house's library for it, makes its server without options and
 * starts it in the same step: there is no way to its size of headers and to the interval at which slow clients are looked
 * for, it knows no socket files, and its search for a port hides why there is none.
 */
function makeServer(settings: Config["server"], renewal: Renewal | undefined): Server | HttpsServer {
  const requestTimeout = settings.requestTimeoutSeconds * 1000;
  const headersTimeout = Math.min(settings.headersTimeoutSeconds * 1000, requestTimeout);
  const options: ServerOptions = {
    maxHeaderSize: settings.maxHeaderBytes,
    headersTimeout,
    requestTimeout,
    connectionsCheckingInterval: Math.min(CHECKING_MS_MAX, headersTimeout / 4),
    keepAliveTimeout: settings.keepAliveSeconds * 1000,
    // Node's own refusals have no body: the gate has ours.
    requireHostHeader: false,
  };
  const server =
    renewal === undefined
      ? createHttpServer(options)
      : createHttpsServer({ ...options, ...renewal.options, handshakeTimeout: headersTimeout });
  // Silence on a connection, which `watchConnections` judges; Node would drop headers beyond its count without a word.
  server.timeout = settings.writeTimeoutSeconds * 1000;
  server.maxHeadersCount = 0;
  return server;
}

const UNKNOWN_EXPECTATION = refusal(417, "Only Expect: 100-continue is understood");

function answerRequests(server: Server | HttpsServer, handle: RequestListener): void {
  server.on("request", handle);
  server.on("clientError", answerUnreadable);
  server.on("checkExpectation", (_request, response) => refuseRequest(response, UNKNOWN_EXPECTATION));
}
