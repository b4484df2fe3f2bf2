/** Makes the server listen on the configured port or socket file, and explains failures. */
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import type { Config } from "../../src/config/config.ts";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import type { Text } from "../../src/foundation/text.ts";
import { bareHost, writtenPlace } from "../../src/config/addresses.ts";
import { clearSocketPath, permitSocket, describeSocketError } from "./socket-file.ts";

/**
 * Listens, and returns the address: `https://127.0.0.1:8787`, or `unix:/run/fiscal.sock`. Throws a ConfigurationError that
 * explains the failure; it never falls back to another address.
 */
export function openAddress(server: Server, config: Config["server"]): Promise<string> {
  return config.socket === null
    ? openPort(server, config)
    : openSocket(server, config.socket, config.socketMode);
}

/** Throws the ConfigurationError of `openAddress` if the port cannot be opened. Another program may take it afterwards. */
export async function requireFreePort(config: Config["server"]): Promise<void> {
  const probe = createServer();
  await openPort(probe, config);
  probe.close();
  await once(probe, "close");
}

async function openPort(server: Server, config: Config["server"]): Promise<string> {
  const { host, port } = config;
  const name = bareHost(host);
  try {
    await waitUntilListening(server, () => server.listen({ host: name, port }));
  } catch (error) {
    throw new ConfigurationError(
      describePortError(writtenPlace(name, port), error as NodeJS.ErrnoException),
      { cause: error },
    );
  }
  return urlOf(server, config);
}

/** The address of a server that listens on a port. */
export function urlOf(server: Server, { host, port, tls }: Config["server"]): string {
  const address = server.address();
  const usedPort = typeof address === "object" && address !== null ? address.port : port;
  return `${tls === null ? "http" : "https"}://${writtenPlace(bareHost(host), usedPort)}`;
}

async function openSocket(server: Server, path: string, mode: string): Promise<string> {
  await clearSocketPath(path);
  try {
    await waitUntilListening(server, () => {
      server.listen(path);
      if (server.listening) permitSocket(path, mode);
    });
  } catch (error) {
    throw new ConfigurationError(describeSocketError(path, error as NodeJS.ErrnoException), { cause: error });
  }
  return `unix:${path}`;
}

export function waitUntilListening(server: Server, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      resolve();
    });
    listen();
  });
}

/** Why listening failed, with the next step. */
function describePortError(address: string, error: NodeJS.ErrnoException): Text {
  switch (error.code) {
    case "EADDRINUSE":
      return {
        en: `The port of ${address} is in use; stop the program that uses it, or choose another --port or server.port`,
        el: `Η θύρα της διεύθυνσης ${address} χρησιμοποιείται· σταματήστε το πρόγραμμα που τη χρησιμοποιεί ή επιλέξτε άλλη με --port ή server.port`,
      };
    case "EACCES":
    case "EPERM":
      return {
        en: `Not permitted to listen on ${address}: ports below 1024 are for root; choose a --port from 1024 up and put a proxy in front of it, or grant the program CAP_NET_BIND_SERVICE`,
        el: `Δεν επιτρέπεται ακρόαση στη διεύθυνση ${address}: οι θύρες κάτω από 1024 είναι για τον root· επιλέξτε --port από 1024 και πάνω με proxy μπροστά ή δώστε στο πρόγραμμα το CAP_NET_BIND_SERVICE`,
      };
    case "EADDRNOTAVAIL":
      return {
        en: `Cannot listen on ${address}: no network interface of this machine has that address; correct --host or server.host`,
        el: `Δεν γίνεται ακρόαση στη διεύθυνση ${address}: καμία διεπαφή δικτύου αυτού του υπολογιστή δεν έχει αυτή τη διεύθυνση· διορθώστε το --host ή το server.host`,
      };
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return {
        en: `Cannot listen on ${address}: the host name does not resolve; correct --host or server.host`,
        el: `Δεν γίνεται ακρόαση στη διεύθυνση ${address}: το όνομα δεν αντιστοιχεί σε διεύθυνση· διορθώστε το --host ή το server.host`,
      };
    default: {
      const code = error.code ?? error.message;
      return {
        en: `Cannot listen on ${address} (${code}); correct --host and --port, or server.host and server.port`,
        el: `Δεν γίνεται ακρόαση στη διεύθυνση ${address} (${code})· διορθώστε τα --host και --port ή τα server.host και server.port`,
      };
    }
  }
}
