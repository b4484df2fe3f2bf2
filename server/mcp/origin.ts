/**
 * Who may call `/mcp` from a browser: pages of this server, and of this machine. A page from elsewhere that had its name
 * point here (DNS rebinding) is refused, as the MCP specification asks of every server (Transports, Security).
 */
import { isLoopback, isNearHost } from "../hosts.ts";

/** Why the call is refused; undefined for one that is not. `ownUrl` is where this server is reached. */
export function foreignCall(headers: Headers, ownUrl: string): string | undefined {
  const own = URL.canParse(ownUrl) ? new URL(ownUrl) : undefined;
  const origin = headers.get("origin");
  if (origin !== null && !isOwnOrigin(origin, own))
    return "Calls from pages of other origins are refused; if this is the server's own page, set server.public_url to its address";
  const host = headers.get("host");
  if (host !== null && own !== undefined && isLoopback(own.hostname) && !isNearHost(host))
    return "The Host header names another server; if this one is reached by that name, set server.public_url to it";
  return undefined;
}

function isOwnOrigin(origin: string, own: URL | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.origin === own?.origin || isLoopback(url.hostname);
}
