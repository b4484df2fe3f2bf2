/** A listening server on 127.0.0.1 that can go away and come back under the same port. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Host {
  /** Without a slash at its end. */
  origin(): string;
  listen(): Promise<void>;
  /** Takes no connection for `ms`; what is being answered is answered. */
  pause(ms: number): void;
  /** Takes no connection, and ends those that stand. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export function createHost(
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  onError: (error: unknown) => void,
): Host {
  const servers: Server[] = [];
  let port = 0;
  let returning: NodeJS.Timeout | undefined;

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
    origin: () => `http://127.0.0.1:${port}`,
    listen,
    pause(ms) {
      if (returning !== undefined) return;
      // The listening socket is gone at once, though the server ends with its last answer.
      servers.at(-1)?.close();
      returning = setTimeout(() => {
        returning = undefined;
        listen().catch(onError);
      }, ms);
    },
    stop: () => end(servers.at(-1)),
    async close() {
      clearTimeout(returning);
      for (const server of servers) await end(server);
    },
  };
}
