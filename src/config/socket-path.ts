/** The path of the socket file that the server may listen on in place of a port. */
import { ConfigurationError } from "../foundation/errors.ts";

/** `sun_path` of unix(7) has 108 bytes, of macOS's unix(4) 104, and a zero ends it. A longer one is cut off without a word. */
const PATH_BYTES_MAX = process.platform === "darwin" ? 103 : 107;

/** Throws ConfigurationError for a path that the system would cut, or a system that has no such files. */
export function requireSocketPath(path: string): void {
  if (process.platform === "win32")
    throw new ConfigurationError(
      "server.socket is for Linux and macOS; use server.host and server.port here",
    );
  const bytes = Buffer.byteLength(path);
  if (bytes <= PATH_BYTES_MAX) return;
  throw new ConfigurationError(
    `server.socket is ${bytes} bytes long and the system takes ${PATH_BYTES_MAX}; choose a shorter path, as /run/fiscal/fiscal.sock`,
  );
}
