/** Recognises hosts that mean this machine. A name can be made to resolve to another address (DNS rebinding); an address cannot. */
import { isIP } from "node:net";

/** `hostname` as `URL` returns it, with IPv6 addresses in brackets. */
export function isLoopback(hostname: string): boolean {
  return (
    /^(?:.+\.)?localhost$/.test(hostname) || /^127(?:\.\d{1,3}){3}$/.test(hostname) || hostname === "[::1]"
  );
}

/** Whether a Host header is `localhost` or an address, which a rebound foreign page cannot send. */
export function isLocalOrAddress(host: string): boolean {
  const hostname = hostnameOf(host);
  return isLoopback(hostname) || isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0;
}

/** Empty for an invalid host. */
function hostnameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
}
