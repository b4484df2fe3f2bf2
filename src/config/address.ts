/** How the place that a server listens on is written. */

/** Addresses that mean every interface, and the one of them by which this machine reaches itself. */
const LOOPBACK_OF: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Where who listens on `host` is reached from this machine. */
export function reachedAt(host: string): string {
  return LOOPBACK_OF[host] ?? host;
}

/** `host` without the brackets that a literal IPv6 address has in addresses of the web, as the system takes it. */
export function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

/** `[::1]:8787`; `host` without brackets. */
export function writtenPlace(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** For links, which are opened in a browser: none of them opens `http://0.0.0.0`. `host` with or without brackets. */
export function linkUrlOf({ host, port, isTls }: { host: string; port: number; isTls: boolean }): string {
  return `${isTls ? "https" : "http"}://${writtenPlace(reachedAt(bareHost(host)), port)}`;
}
