/** Where the server listens: an address and a port, or a socket file. It is that place or none. */
import type { Server } from "node:net";
import type { Config } from "../../src/config/config.ts";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import { bareHost, writtenPlace } from "../../src/config/address.ts";
import { isOurs } from "./neighbour.ts";
import { clearSocketPath, permitSocket, socketTrouble } from "./socket-file.ts";

/**
 * Listens, and returns the place as people and programs write it: `https://127.0.0.1:8787`, or `unix:/run/fiscal.sock`.
 * Throws ConfigurationError that says what is in the way: it never moves to another place.
 */
export function openPlace(server: Server, config: Config["server"]): Promise<string> {
  return config.socket === null
    ? openPort(server, config)
    : openSocket(server, config.socket, config.socketMode);
}

async function openPort(server: Server, { host, port, tls }: Config["server"]): Promise<string> {
  const name = bareHost(host);
  try {
    await listening(server, () => server.listen({ host: name, port }));
  } catch (error) {
    throw new ConfigurationError(await portTrouble(name, port, error as NodeJS.ErrnoException), {
      cause: error,
    });
  }
  const address = server.address();
  const taken = typeof address === "object" && address !== null ? address.port : port;
  return `${tls === null ? "http" : "https"}://${writtenPlace(name, taken)}`;
}

async function openSocket(server: Server, path: string, mode: string): Promise<string> {
  await clearSocketPath(path);
  try {
    await listening(server, () => {
      server.listen(path);
      if (server.listening) permitSocket(path, mode);
    });
  } catch (error) {
    throw new ConfigurationError(socketTrouble(path, error as NodeJS.ErrnoException), { cause: error });
  }
  return `unix:${path}`;
}

function listening(server: Server, begin: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      resolve();
    });
    begin();
  });
}

async function portTrouble(host: string, port: number, error: NodeJS.ErrnoException): Promise<string> {
  const place = writtenPlace(host, port);
  switch (error.code) {
    case "EADDRINUSE": {
      const who = (await isOurs(host, port)) ? "another fiscal answers there" : "another program has it";
      return `The port of ${place} is taken: ${who}; stop that one, or give another --port or server.port`;
    }
    case "EACCES":
    case "EPERM":
      return `The server may not listen on ${place}: ports below 1024 are for root; give a --port from 1024 on and put a proxy before it, or let the program have CAP_NET_BIND_SERVICE`;
    case "EADDRNOTAVAIL":
      return `The server cannot listen on ${place}: no network interface of this machine has that address; correct --host or server.host`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `The server cannot listen on ${place}: the name of the host does not resolve; correct --host or server.host`;
    default:
      return `The server cannot listen on ${place} (${error.code ?? "it failed"}); correct --host and --port, or server.host and server.port`;
  }
}
