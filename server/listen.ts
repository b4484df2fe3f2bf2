/** The HTTP server: starts on the address it was told or not at all, and stops without cutting a request. */
import type { RequestListener } from "node:http";
import { toNodeHandler } from "h3";
import { listen, type Listener } from "listhen";
import type { Appliance } from "../src/appliance.ts";
import { ConfigurationError } from "../src/errors.ts";
import { createApp, type ServerApp } from "./app.ts";
import { answerUnreadable, refuseRequest } from "./unreadable.ts";

export interface HttpServer extends Pick<ServerApp, "app"> {
  /** Throws ConfigurationError when the port is taken: it never moves to another one. */
  start(): Promise<{ url: string }>;
  /** Takes no new connection, waits for the requests under way, and cuts what is open after `server.shutdown_seconds`. */
  stop(): Promise<void>;
}

/** Longer than the idle time of usual proxies, so that it is never we who close a connection that one is about to use. */
const KEEP_ALIVE_MS = 75_000;

/** RFC 9112, 3.2: a request of HTTP/1.1 without Host is 400. */
function withHost(handle: RequestListener): RequestListener {
  return (request, response) => {
    if (request.headers.host === undefined && request.httpVersion === "1.1")
      refuseRequest(response, 400, "The request is not valid HTTP: it has no Host header");
    else handle(request, response);
  };
}

/** `viewerFolder` is that of `createApp`. */
export function createServer(appliance: Appliance, viewerFolder?: string): HttpServer {
  const { app, closeConnections } = createApp(appliance, viewerFolder);
  const { host, port, shutdownSeconds } = appliance.config.server;
  let listener: Listener | undefined;
  return {
    app,
    async start() {
      try {
        listener = await listen(withHost(toNodeHandler(app)), {
          hostname: host,
          isProd: true,
          autoClose: false,
          showURL: false,
          ...(port === 0 ? { port: { random: true, host } } : { port }),
        });
      } catch (error) {
        throw new ConfigurationError(
          `The server cannot listen on ${host}:${port}; another --port or server.port may be free`,
          {
            cause: error,
          },
        );
      }
      const { server } = listener;
      if ("keepAliveTimeout" in server) {
        server.keepAliveTimeout = KEEP_ALIVE_MS;
        server.on("clientError", answerUnreadable);
        // Node's own refusals have no body: `withHost` and this one have ours.
        Reflect.set(server, "requireHostHeader", false);
        server.on("checkExpectation", (_request, response) =>
          refuseRequest(response, 417, "Only Expect: 100-continue is understood"),
        );
      }
      const address = listener.address as { port: number } | null;
      const shown = host.includes(":") ? `[${host}]` : host;
      const url = `http://${shown}:${address?.port ?? port}`;
      appliance.setPublicUrl(url);
      return { url };
    },
    async stop() {
      if (listener === undefined) return;
      closeConnections();
      const { server } = listener;
      // Answers from outside the pipeline do not close their connection: it ends as soon as it is idle.
      if ("keepAliveTimeout" in server) server.keepAliveTimeout = 1;
      const cut = setTimeout(() => {
        if ("closeAllConnections" in server) server.closeAllConnections();
      }, shutdownSeconds * 1000);
      await listener.close();
      clearTimeout(cut);
    },
  };
}
