/** Creates the HTTP server with its limits and makes it listen: with listhen where it can, otherwise with Node alone. */
import { createServer as createHttpServer, type Server, type ServerOptions } from "node:http";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import type { listen } from "listhen";
import { bareHost, isEveryInterface } from "../../src/config/addresses.ts";
import type { SecureOptions } from "../../src/config/certificate.ts";
import { type Config, SELF_SIGNED } from "../../src/config/config.ts";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import { openAddress, requireFreePort, urlOf, waitUntilListening } from "./listen-address.ts";

type Settings = Config["server"];

export interface OpenServer {
  server: Server | HttpsServer;
  url: string;
  /** docs/contract.md#start-of-the-server */
  findNetworkUrls(): Promise<string[]>;
}

/**
 * `secure` are the options of the configured certificate. `prepare` adds the listeners, before any connection is accepted. Throws the
 * ConfigurationError of `openAddress`.
 */
export async function openServer(
  settings: Settings,
  secure: SecureOptions | undefined,
  prepare: (server: Server | HttpsServer) => void,
): Promise<OpenServer> {
  const [host, { port, tls, socket }] = [bareHost(settings.host), settings];
  const isSelfSigned = tls === SELF_SIGNED;
  const isSuitable = canListhen(host, port);
  if (isSelfSigned && !isSuitable && port !== 0) throw notSuitable();
  if (isSelfSigned || (tls === null && socket === null && isSuitable))
    return openByListhen(settings, host, isSelfSigned ? namesOf(host) : undefined, prepare);
  const server = createNodeServer(settings, secure);
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

function notSuitable(): ConfigurationError {
  return new ConfigurationError({
    en: "--https needs a host without a zone and a port from 1024 up that browsers open; choose another --port, or use --tls-cert and --tls-key",
    el: "Το --https χρειάζεται διεύθυνση χωρίς ζώνη και θύρα από 1024 και πάνω που ανοίγουν οι φυλλομετρητές· επιλέξτε άλλη --port ή χρησιμοποιήστε --tls-cert και --tls-key",
  });
}

/** What a certificate for `host` is made for: this machine, and the host if it names one. */
function namesOf(host: string): string[] {
  return [...new Set(["localhost", "127.0.0.1", "::1", ...(isEveryInterface(host) ? [] : [host])])];
}

/**
 * listhen, which knows the addresses of this machine and makes certificates (docs/decisions/0013), opens the port; the server with our
 * limits takes over its handle in the same turn, before any connection is accepted.
 */
async function openByListhen(
  settings: Settings,
  host: string,
  certified: string[] | undefined,
  prepare: (server: Server | HttpsServer) => void,
): Promise<OpenServer> {
  // Loaded here: certificates of one's own and socket files do without.
  const { listen: openPort } = await import("listhen");
  // listhen does not say why a port cannot be used.
  await requireFreePort(settings);
  const { port } = settings;
  // With every option given, because listhen takes missing ones from the environment.
  const opened = await openPort(() => {}, {
    hostname: host,
    port: port === 0 ? { random: true } : port,
    // Otherwise it takes another port if this one is in use.
    isProd: true,
    isTest: false,
    public: !isLoopback(host),
    https: certified !== undefined && { domains: certified, validityDays: CERTIFICATE_DAYS },
    // The program stops itself, and prints in the language of its reader.
    autoClose: false,
    showURL: false,
    // Its `open` would run a file in the shared temporary folder; the clipboard and tunnels are nobody's business here.
    open: false,
    clipboard: false,
    tunnel: false,
    extraURLs: [],
  });
  const server = createNodeServer(settings, opened.https === false ? undefined : opened.https);
  prepare(server);
  await waitUntilListening(server, () => server.listen(opened.server));
  return { server, url: urlOf(server, settings), findNetworkUrls: () => findNetworkUrls(opened) };
}

const CERTIFICATE_DAYS = 30;

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** Such as `http://192.168.1.5:8787`; none on loopback. */
async function findNetworkUrls({ getURLs }: Awaited<ReturnType<typeof listen>>): Promise<string[]> {
  const urls = await getURLs().catch(ignoreForbiddenLookup);
  return urls.filter(({ type }) => type === "network").map(({ url }) => url.replace(/\/$/, ""));
}

/** Under a service's sandbox without AF_NETLINK the system does not list its addresses. */
function ignoreForbiddenLookup(error: unknown): [] {
  if (error instanceof Error && "code" in error && error.code === "ERR_SYSTEM_ERROR") return [];
  throw error;
}

/** How often Node looks for slow clients, at most. */
const SLOW_CLIENT_CHECK_MS_MAX = 5000;

function createNodeServer(
  settings: Settings,
  secure: SecureOptions | { cert: string; key: string } | undefined,
): Server | HttpsServer {
  const requestTimeout = settings.requestTimeoutSeconds * 1000;
  const headersTimeout = Math.min(settings.headersTimeoutSeconds * 1000, requestTimeout);
  const limits: ServerOptions = {
    maxHeaderSize: settings.maxHeaderBytes,
    headersTimeout,
    requestTimeout,
    connectionsCheckingInterval: Math.min(SLOW_CLIENT_CHECK_MS_MAX, headersTimeout / 4),
    keepAliveTimeout: settings.keepAliveSeconds * 1000,
    // Node refuses with an empty body; the gate refuses in the API's form.
    requireHostHeader: false,
  };
  const server =
    secure === undefined
      ? createHttpServer(limits)
      : createHttpsServer({
          minVersion: "TLSv1.2",
          ...limits,
          ...secure,
          handshakeTimeout: headersTimeout,
        });
  // `watchConnections` handles the `timeout` event.
  server.timeout = settings.writeTimeoutSeconds * 1000;
  // Node silently drops headers beyond this count; the gate refuses such requests instead.
  server.maxHeadersCount = 0;
  return server;
}
