/** Makes the server listen on the configured port or socket file, and explains failures. Of the files in the way, only that of a dead server is removed. */
import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import type { Config } from "../../src/config/config.ts";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import type { Text } from "../../src/foundation/text.ts";
import { bareHost, requireSocketPath, writtenPlace } from "../../src/config/addresses.ts";
import { type BigIntStats, chmodSync, existsSync, lstatSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";

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

/** A local connection is accepted or refused immediately, unless the queue of a busy server is full. */
const CONNECT_TIMEOUT_MS = 1000;

/** Removes a dead socket at `path`. Throws ConfigurationError if a server listens on it, or if it is another kind of file. */
export async function clearSocketPath(path: string): Promise<void> {
  requireSocketPath(path);
  const found = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  if (found === undefined) return;
  if (!found.isSocket()) {
    throw new ConfigurationError({
      en: `server.socket is ${path}, which exists and is not a socket; choose another path`,
      el: `Το server.socket είναι ${path}, που υπάρχει και δεν είναι socket· επιλέξτε άλλη διαδρομή`,
    });
  }
  if (await isInUse(path)) {
    throw new ConfigurationError({
      en: `Another server listens on the socket ${path}; stop it, or choose another path for --socket or server.socket`,
      el: `Ένας άλλος διακομιστής χρησιμοποιεί το socket ${path}· σταματήστε τον ή επιλέξτε άλλη διαδρομή για το --socket ή το server.socket`,
    });
  }
  // Another starting server may have replaced the file in the meantime and listen on it now.
  if (identityOf(lstatSync(path, { throwIfNoEntry: false, bigint: true })) !== identityOf(found))
    return clearSocketPath(path);
  unlinkSync(path);
}

/** Inode numbers are reused, so the change time is included. */
function identityOf(found: BigIntStats | undefined): string | undefined {
  return found === undefined ? undefined : `${found.ino} ${found.ctimeNs}`;
}

/** Only a refused connection proves that the server is dead; a permission error or a timeout does not. */
function isInUse(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (isUsed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isUsed);
    };
    const timer = setTimeout(() => settle(true), CONNECT_TIMEOUT_MS);
    socket.on("connect", () => settle(true));
    socket.on("error", (error: NodeJS.ErrnoException) => settle(error.code !== "ECONNREFUSED"));
  });
}

/** Called right after the socket is created, so that it has the permissions of the umask only for an instant. */
function permitSocket(path: string, mode: string): void {
  chmodSync(path, Number.parseInt(mode, 8));
}

/** Why listening on the socket `path` failed, with the next step. */
function describeSocketError(path: string, error: NodeJS.ErrnoException): Text {
  const folder = dirname(path);
  // libuv reports EACCES for a missing folder, like Windows.
  if (!existsSync(folder))
    return {
      en: `The folder ${folder} of server.socket does not exist; create it, or choose another path`,
      el: `Ο φάκελος ${folder} του server.socket δεν υπάρχει· δημιουργήστε τον ή επιλέξτε άλλη διαδρομή`,
    };
  switch (error.code) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return {
        en: `Cannot create a socket in ${folder} (${error.code}); give the server's user write permission there`,
        el: `Δεν μπορεί να δημιουργηθεί socket στον φάκελο ${folder} (${error.code})· δώστε στον χρήστη του διακομιστή δικαίωμα εγγραφής εκεί`,
      };
    case "EADDRINUSE":
      return {
        en: `Another server has just started on the socket ${path}; choose another path for --socket or server.socket`,
        el: `Ένας άλλος διακομιστής μόλις ξεκίνησε στο socket ${path}· επιλέξτε άλλη διαδρομή για το --socket ή το server.socket`,
      };
    default: {
      const code = error.code ?? error.message;
      return {
        en: `Cannot listen on the socket ${path} (${code}); choose another path for --socket or server.socket`,
        el: `Δεν γίνεται ακρόαση στο socket ${path} (${code})· επιλέξτε άλλη διαδρομή για το --socket ή το server.socket`,
      };
    }
  }
}
