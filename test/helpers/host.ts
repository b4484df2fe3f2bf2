/** A server on 127.0.0.1 that can go down and come back on the same port. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export function createHost(
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  onError: (error: unknown) => void,
) {
  const servers: Server[] = [];
  let port = 0;

  async function listen(): Promise<void> {
    const server = createServer((request, response) => {
      serve(request, response).catch((error: unknown) => {
        onError(error);
        response.destroy();
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", resolve);
    });
    servers.push(server);
    port = (server.address() as AddressInfo).port;
  }

  async function end(server: Server | undefined): Promise<void> {
    const closed = new Promise((resolve) => server?.close(resolve));
    server?.closeAllConnections();
    if (server !== undefined) await closed;
  }

  return {
    /** Without a trailing slash. */
    origin: () => `http://127.0.0.1:${port}`,
    listen,
    /** Refuses connections, and ends open ones. */
    stop: () => end(servers.at(-1)),
    async close() {
      for (const server of servers) await end(server);
    },
  };
}
