/** Creates the HTTP server with its limits and makes it listen: with listhen where it can, otherwise with Node alone. */
import { createServer as createHttpServer, type Server, type ServerOptions } from "node:http";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import { bareHost } from "../../src/config/address.ts";
import type { Config } from "../../src/config/config.ts";
import { openAddress, requireFreePort, urlOf } from "./listen-address.ts";
import type { Renewal } from "./renewal.ts";

type Settings = Config["server"];

export interface OpenServer {
  server: Server | HttpsServer;
  url: string;
  /** docs/contract.md#start-of-the-server */
  findNetworkUrls(): Promise<string[]>;
}

/** `prepare` adds the listeners, before any connection is accepted. Throws the ConfigurationError of `openAddress`. */
export async function openServer(
  settings: Settings,
  renewal: Renewal | undefined,
  prepare: (server: Server | HttpsServer) => void,
): Promise<OpenServer> {
  const [host, { port, tls, socket }] = [bareHost(settings.host), settings];
  if (tls === null && socket === null && canListhen(host, port)) return openPlain(settings, host, prepare);
  const server = createNodeServer(settings, renewal);
  prepare(server);
  return { server, url: await openAddress(server, settings), findNetworkUrls: async () => [] };
}

/** Ports from 1024 on that listhen silently replaces by 3000, because browsers block them (get-port-please 3.2). */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 10_080,
]);
const PORT_MIN = 1024;

/** listhen replaces other host names by `localhost`; a zone (`fe80::1%eth0`) is one of them. */
const HOST_FORM = /^(?!-)[\d.:A-Za-z-]{1,63}(?<!-)$/;

/** Whether listhen listens exactly there. Port 0 is the system's choice, which listhen would make in two steps. */
function canListhen(host: string, port: number): boolean {
  return port >= PORT_MIN && !BLOCKED_PORTS.has(port) && HOST_FORM.test(host);
}

async function openPlain(
  settings: Settings,
  host: string,
  prepare: (server: Server) => void,
): Promise<OpenServer> {
  // Loaded here: TLS and socket files do without.
  const { openWithListhen } = await import("./listhen-server.ts");
  // listhen does not say why a port cannot be used.
  await requireFreePort(settings);
  const { server, findNetworkUrls } = await openWithListhen(() => {}, { host, port: settings.port });
  // Connections are accepted once this turn of the event loop is over.
  server.removeAllListeners("request");
  setLimits(server, settings);
  prepare(server);
  return { server, url: urlOf(server, settings), findNetworkUrls };
}

/** How often Node looks for slow clients, at most. */
const SLOW_CLIENT_CHECK_MS_MAX = 5000;

function limitsOf(settings: Settings) {
  const requestTimeout = settings.requestTimeoutSeconds * 1000;
  const headersTimeout = Math.min(settings.headersTimeoutSeconds * 1000, requestTimeout);
  return {
    maxHeaderSize: settings.maxHeaderBytes,
    headersTimeout,
    requestTimeout,
    connectionsCheckingInterval: Math.min(SLOW_CLIENT_CHECK_MS_MAX, headersTimeout / 4),
    keepAliveTimeout: settings.keepAliveSeconds * 1000,
    // Node refuses with an empty body; the gate refuses in the API's form.
    requireHostHeader: false,
  } satisfies ServerOptions;
}

/** Limits that Node has only as properties. */
function setProperties(server: Server | HttpsServer, settings: Settings): void {
  // `watchConnections` handles the `timeout` event.
  server.timeout = settings.writeTimeoutSeconds * 1000;
  // Node silently drops headers beyond this count; the gate refuses such requests instead.
  server.maxHeadersCount = 0;
}

function createNodeServer(settings: Settings, renewal: Renewal | undefined): Server | HttpsServer {
  const limits = limitsOf(settings);
  const server =
    renewal === undefined
      ? createHttpServer(limits)
      : createHttpsServer({ ...limits, ...renewal.options, handshakeTimeout: limits.headersTimeout });
  setProperties(server, settings);
  return server;
}

/**
 * Sets the same limits on a server that listens already. Node keeps its options as properties, three of them
 * undocumented, and reads the interval when the server begins to listen (docs/decisions/0013). test/server/listening/limits.test.ts checks each limit.
 */
function setLimits(server: Server, settings: Settings): void {
  Object.assign(server, limitsOf(settings));
  setProperties(server, settings);
  server.emit("listening");
}
