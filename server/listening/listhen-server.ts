/** Opens a port with listhen, which knows the addresses of this machine and makes certificates: docs/decisions/0013. */
import type { Server } from "node:http";
import { listen } from "listhen";

/** A certificate that was made for this run, in PEM. */
export interface OwnCertificate {
  cert: string;
  key: string;
}

export interface ListhenServer {
  server: Server;
  /** The certificate that was asked for. */
  certificate: OwnCertificate | undefined;
  /** The addresses under which other machines reach the server, such as `http://192.168.1.5:8787`; none on loopback. */
  findNetworkUrls(): Promise<string[]>;
}

export interface ListhenOptions {
  host: string;
  /** 0 for any free one. */
  port: number;
  /** The names and addresses in a certificate that is made for this run; undefined for plain HTTP. */
  certified: readonly string[] | undefined;
}

const CERTIFICATE_DAYS = 30;

/** Listens, with every option given, because listhen takes missing ones from the environment. A given port must be free. */
export async function openWithListhen({ host, port, certified }: ListhenOptions): Promise<ListhenServer> {
  const { server, https, getURLs } = await listen(() => {}, {
    hostname: host,
    port: port === 0 ? { random: true } : port,
    // Otherwise it takes another port if this one is in use.
    isProd: true,
    isTest: false,
    public: !isLoopback(host),
    https: certified !== undefined && { domains: [...certified], validityDays: CERTIFICATE_DAYS },
    // The program stops itself, and prints in the language of its reader.
    autoClose: false,
    showURL: false,
    // Its `open` would run a file in the shared temporary folder; the clipboard and tunnels are nobody's business here.
    open: false,
    clipboard: false,
    tunnel: false,
    extraURLs: [],
  });
  return {
    server: server as Server,
    certificate: https === false ? undefined : https,
    async findNetworkUrls() {
      const urls = await getURLs().catch(ignoreForbiddenLookup);
      return urls.filter(({ type }) => type === "network").map(({ url }) => url.replace(/\/$/, ""));
    },
  };
}

/** Under a service's sandbox without AF_NETLINK the system does not list its addresses. */
function ignoreForbiddenLookup(error: unknown): [] {
  if (error instanceof Error && "code" in error && error.code === "ERR_SYSTEM_ERROR") return [];
  throw error;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}
