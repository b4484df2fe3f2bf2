/** The socket file: that of a dead server is cleared away, that of a living one is not, and nothing else ever is. */
import { type BigIntStats, chmodSync, existsSync, lstatSync, unlinkSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import { requireSocketPath } from "../../src/config/socket-path.ts";

/** On this machine a connection is taken or refused at once, unless the queue of a busy server is full. */
const ANSWER_WAIT_MS = 1000;

/** Makes room for a socket at `path`. Throws ConfigurationError where something else is there, or a server that answers. */
export async function clearSocketPath(path: string): Promise<void> {
  requireSocketPath(path);
  const found = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  if (found === undefined) return;
  if (!found.isSocket()) {
    throw new ConfigurationError(
      `server.socket names ${path}, where something other than a socket lies; it is left alone: choose another path`,
    );
  }
  if (await isAnswered(path)) {
    throw new ConfigurationError(
      `Another server listens on the socket ${path}; stop that one, or choose another path for --socket or server.socket`,
    );
  }
  // Another server that starts may have cleared it away meanwhile, and listen there by now.
  if (nameOf(lstatSync(path, { throwIfNoEntry: false, bigint: true })) !== nameOf(found))
    return clearSocketPath(path);
  unlinkSync(path);
}

/** Numbers of files are used again: the instant tells one from the other. */
function nameOf(found: BigIntStats | undefined): string | undefined {
  return found === undefined ? undefined : `${found.ino} ${found.ctimeNs}`;
}

/** Only what refuses is dead. Whoever may not ask, or gets no answer, must not take it away either. */
function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (isThere: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isThere);
    };
    const timer = setTimeout(() => settle(true), ANSWER_WAIT_MS);
    socket.on("connect", () => settle(true));
    socket.on("error", (error: NodeJS.ErrnoException) => settle(error.code !== "ECONNREFUSED"));
  });
}

/** Called in the turn in which the socket was made: only in between does it have the permissions of the umask. */
export function permitSocket(path: string, mode: string): void {
  chmodSync(path, Number.parseInt(mode, 8));
}

/** What listening on `path` failed of, with the next step. */
export function socketTrouble(path: string, error: NodeJS.ErrnoException): string {
  // libuv says EACCES for a folder that is not there, as Windows does.
  if (!existsSync(dirname(path)))
    return `The folder ${dirname(path)} of server.socket is not there; make it, or choose another path`;
  switch (error.code) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `No socket can be made in ${dirname(path)} (${error.code}); the user that the server runs as must be allowed to write there`;
    case "EADDRINUSE":
      return `Another server has just taken the socket ${path}; choose another path for --socket or server.socket`;
    default:
      return `The server cannot listen on the socket ${path} (${error.code ?? "it failed"}); choose another path for --socket or server.socket`;
  }
}
