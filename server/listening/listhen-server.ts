/** Opens plain HTTP on a host and a port with listhen, which knows the addresses of this machine: docs/decisions/0013. */
import type { RequestListener, Server } from "node:http";
import { listen } from "listhen";

export interface ListhenServer {
  server: Server;
  /** The addresses under which other machines reach the server, such as `http://192.168.1.5:8787`; none on loopback. */
  findNetworkUrls(): Promise<string[]>;
}

/** Listens, with every option given, because listhen takes missing ones from the environment. The port must be free. */
export async function openWithListhen(
  handle: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<ListhenServer> {
  const { server, getURLs } = await listen(handle, {
    hostname: host,
    port,
    // Otherwise it takes another port if this one is in use.
    isProd: true,
    isTest: false,
    public: !isLoopback(host),
    // The program stops itself, and prints in the language of its reader.
    autoClose: false,
    showURL: false,
    // Its `open` would run a file in the shared temporary folder; the clipboard and tunnels are nobody's business here.
    open: false,
    clipboard: false,
    tunnel: false,
    https: false,
    extraURLs: [],
  });
  return {
    server: server as Server,
    async findNetworkUrls() {
      const urls = await getURLs();
      return urls.filter(({ type }) => type === "network").map(({ url }) => url.replace(/\/$/, ""));
    },
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}
