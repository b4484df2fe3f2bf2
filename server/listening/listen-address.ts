/** Makes the server listen on the configured port or socket file, and explains failures. Of the files in the way, only that of a dead server is removed. */
import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import type { Config } from "../../src/config/config.ts";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import { sameInBoth, type Text } from "../../src/foundation/text.ts";
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
    throw cannotListen(writtenPlace(name, port), PORT_SETTINGS, reasonOf(error, PORT_REASONS), error);
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
      // At once, so that the socket has the permissions of the umask only for an instant.
      if (server.listening) chmodSync(path, Number.parseInt(mode, 8));
    });
  } catch (error) {
    // libuv reports EACCES for a missing folder, like Windows.
    const reason = existsSync(dirname(path)) ? reasonOf(error, SOCKET_REASONS) : NO_FOLDER;
    throw cannotListen(path, SOCKET_SETTINGS, reason, error);
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

const PORT_SETTINGS: Text = {
  en: "--host and --port, or server.host and server.port",
  el: "τα --host και --port ή τα server.host και server.port",
};
const SOCKET_SETTINGS: Text = { en: "--socket or server.socket", el: "το --socket ή το server.socket" };

function cannotListen(place: string, settings: Text, reason: Text, cause?: unknown): ConfigurationError {
  return new ConfigurationError(
    {
      en: `Cannot listen on ${place}: ${reason.en}; correct ${settings.en}`,
      el: `Δεν γίνεται ακρόαση στο ${place}: ${reason.el}· διορθώστε ${settings.el}`,
    },
    { cause },
  );
}

/** By the codes of Node. */
type Reasons = Readonly<Record<string, Text>>;

function reasonOf(error: unknown, reasons: Reasons): Text {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ""] ?? sameInBoth(code ?? message);
}

const ROOT_ONLY: Text = {
  en: "ports below 1024 are for root, and for a program with CAP_NET_BIND_SERVICE; a proxy can forward one to a higher port",
  el: "οι θύρες κάτω από 1024 είναι για τον root και για πρόγραμμα με το CAP_NET_BIND_SERVICE· ένας proxy μπορεί να προωθεί μία σε θύρα από 1024 και πάνω",
};
const NO_NAME: Text = { en: "the host name does not resolve", el: "το όνομα δεν αντιστοιχεί σε διεύθυνση" };

const PORT_REASONS: Reasons = {
  EADDRINUSE: { en: "the port is in use", el: "η θύρα χρησιμοποιείται" },
  EACCES: ROOT_ONLY,
  EPERM: ROOT_ONLY,
  EADDRNOTAVAIL: {
    en: "no network interface of this machine has that address",
    el: "καμία διεπαφή δικτύου αυτού του υπολογιστή δεν έχει αυτή τη διεύθυνση",
  },
  ENOTFOUND: NO_NAME,
  EAI_AGAIN: NO_NAME,
};

const NO_FOLDER: Text = { en: "its folder does not exist", el: "ο φάκελός του δεν υπάρχει" };
const NOT_WRITABLE: Text = {
  en: "the server's user may not write to its folder",
  el: "ο χρήστης του διακομιστή δεν έχει δικαίωμα εγγραφής στον φάκελό του",
};
const OTHER_SERVER: Text = { en: "another server listens there", el: "εκεί ακούει άλλος διακομιστής" };
const NOT_A_SOCKET: Text = { en: "it exists and is not a socket", el: "υπάρχει και δεν είναι socket" };

const SOCKET_REASONS: Reasons = {
  EACCES: NOT_WRITABLE,
  EPERM: NOT_WRITABLE,
  EROFS: NOT_WRITABLE,
  EADDRINUSE: OTHER_SERVER,
};

/** A local connection is accepted or refused immediately, unless the queue of a busy server is full. */
const CONNECT_TIMEOUT_MS = 1000;

/** Removes a dead socket at `path`. Throws ConfigurationError if a server listens on it, or if it is another kind of file. */
export async function clearSocketPath(path: string): Promise<void> {
  requireSocketPath(path);
  const found = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  if (found === undefined) return;
  if (!found.isSocket()) throw cannotListen(path, SOCKET_SETTINGS, NOT_A_SOCKET);
  if (await isInUse(path)) throw cannotListen(path, SOCKET_SETTINGS, OTHER_SERVER);
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
