/**
 * Decides which browser pages may call `/mcp`: those of this server and of this machine. A page that makes its own name
 * resolve to this machine (DNS rebinding) is refused, as the MCP specification requires (Transports, Security).
 */
import { isLoopback, isLocalOrAddress } from "../hosts.ts";

/** The reason to refuse the call; undefined if it is allowed. `ownUrl` is the server's public URL. */
export function findForeignOrigin(headers: Headers, ownUrl: string): string | undefined {
  const own = URL.canParse(ownUrl) ? new URL(ownUrl) : undefined;
  const origin = headers.get("origin");
  if (origin !== null && !isOwnOrigin(origin, own))
    return "Calls from pages of other origins are refused; if this is the server's own address, set server.public_url to it";
  const host = headers.get("host");
  if (host !== null && own !== undefined && isLoopback(own.hostname) && !isLocalOrAddress(host))
    return "The Host header names another server; if clients reach this one by that name, set server.public_url to it";
  return undefined;
}

function isOwnOrigin(origin: string, own: URL | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.origin === own?.origin || isLoopback(url.hostname);
}
