/** Prepares the path of the socket file: removes the file of a dead server, and nothing else. */
import { type BigIntStats, chmodSync, existsSync, lstatSync, unlinkSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import type { Text } from "../../src/foundation/text.ts";
import { requireSocketPath } from "../../src/config/addresses.ts";

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
export function permitSocket(path: string, mode: string): void {
  chmodSync(path, Number.parseInt(mode, 8));
}

/** Why listening on the socket `path` failed, with the next step. */
export function describeSocketError(path: string, error: NodeJS.ErrnoException): Text {
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
