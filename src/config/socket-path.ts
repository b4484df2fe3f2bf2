/** Checks the path of the socket file that the server may listen on instead of a port. */
import { ConfigurationError } from "../foundation/errors.ts";

/** `sun_path` has 108 bytes in Linux's unix(7) and 104 in macOS's unix(4), including the final zero. Longer paths are silently cut. */
const PATH_BYTES_MAX = process.platform === "darwin" ? 103 : 107;

/** Throws ConfigurationError for a path that is too long, or on Windows. */
export function requireSocketPath(path: string): void {
  if (process.platform === "win32")
    throw new ConfigurationError({
      en: "server.socket is for Linux and macOS; use server.host and server.port here",
      el: "το server.socket υπάρχει μόνο σε Linux και macOS· εδώ χρησιμοποιήστε τα server.host και server.port",
    });
  const bytes = Buffer.byteLength(path);
  if (bytes <= PATH_BYTES_MAX) return;
  throw new ConfigurationError({
    en: `server.socket is ${bytes} bytes long and the system takes ${PATH_BYTES_MAX}; choose a shorter path, as /run/fiscal/fiscal.sock`,
    el: `το server.socket έχει ${bytes} bytes και το σύστημα δέχεται ${PATH_BYTES_MAX}· διαλέξτε συντομότερη διαδρομή, όπως /run/fiscal/fiscal.sock`,
  });
}
