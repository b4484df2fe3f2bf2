/** Writes the address that a server listens on, for logs and links. */

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
