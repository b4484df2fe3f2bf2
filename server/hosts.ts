/** Which hosts are this machine's own. Only a name can be made to point elsewhere (DNS rebinding); an address cannot. */
import { isIP } from "node:net";

/** `hostname` as URL writes it, an IPv6 address in brackets. */
export function isLoopback(hostname: string): boolean {
  return (
    /^(?:.+\.)?localhost$/.test(hostname) || /^127(?:\.\d{1,3}){3}$/.test(hostname) || hostname === "[::1]"
  );
}

/** Whether a Host header names this machine in a way that no page from elsewhere can: `localhost`, or any address. */
export function isNearHost(host: string): boolean {
  const hostname = hostnameOf(host);
  return isLoopback(hostname) || isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0;
}

/** Empty for what is no host. */
function hostnameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
}
