/** Writes the address that a server listens on, for logs and links, and checks the path of a socket file. */
import { ConfigurationError } from "../foundation/errors.ts";

/** The loopback address for each address that means every interface. */
const LOOPBACK_OF: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** The address at which this machine reaches a server that listens on `host`. */
export function reachedAt(host: string): string {
  return LOOPBACK_OF[host] ?? host;
}

/** `host` means every interface of this machine. */
export function isEveryInterface(host: string): boolean {
  return Object.hasOwn(LOOPBACK_OF, host);
}

/** `host` without the brackets of an IPv6 address in a URL. */
export function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

/** `[::1]:8787`; `host` without brackets. */
export function writtenPlace(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** A URL that a browser can open, which `http://0.0.0.0` is not. `host` may have brackets. */
export function linkUrlOf({ host, port, isTls }: { host: string; port: number; isTls: boolean }): string {
  return `${isTls ? "https" : "http"}://${writtenPlace(reachedAt(bareHost(host)), port)}`;
}

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
