/**
 * Finds the client's address and the URL it used, from the socket or from the headers of trusted proxies, and recognises hosts that
 * mean this machine. A name can be made to resolve to another address (DNS rebinding); an address cannot.
 */
import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6, SocketAddress } from "node:net";
import type { H3Event } from "h3";
import { UNIX_PEER } from "../src/foundation/setting-kinds.ts";

/** The peers whose X-Forwarded-… headers are trusted. */
export interface Trust {
  readonly networks: BlockList;
  /** Whether connections over the socket file are trusted. */
  readonly unix: boolean;
}

/** `proxies` is `server.trusted_proxies`: addresses, networks, and `unix`. */
export function trustedNetworks(proxies: readonly string[]): Trust {
  const networks = new BlockList();
  for (const proxy of proxies) {
    if (proxy === UNIX_PEER) continue;
    const [given = "", bits] = proxy.split("/");
    // An IPv4 network may be written as IPv6: `::ffff:10.0.0.0/104`.
    const address = normaliseAddress(given) ?? given;
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    const prefix = Number(bits) - (isIPv6(given) && family === "ipv4" ? 96 : 0);
    if (bits === undefined) networks.addAddress(address, family);
    else if (prefix >= 0) networks.addSubnet(address, prefix, family);
  }
  return { networks, unix: proxies.includes(UNIX_PEER) };
}

/** `address` comes from a socket or from `clientAddressOf`. */
export function isTrustedAddress(address: string, { networks, unix }: Trust): boolean {
  if (address === UNIX_PEER) return unix;
  const normalised = normaliseAddress(address);
  return normalised !== undefined && networks.check(normalised, isIPv6(normalised) ? "ipv6" : "ipv4");
}

/**
 * The address of the client: the socket's, or the one that trusted proxies report, read from the right; `unix` for a client
 * on the socket file whose address no proxy reports. Addresses are normalised, so that rate limits see one client as one.
 */
export function clientAddressOf(event: H3Event, trust: Trust): string {
  let address = peerAddressOf(event);
  const hops = (event.req.headers.get("x-forwarded-for") ?? "").split(",");
  while (hops.length > 0 && isTrustedAddress(address, trust)) {
    const next = addressOfHop(hops.pop()!);
    // Not an address (such as "unknown"): count the proxy itself as the client.
    if (next === undefined) break;
    address = next;
  }
  return address;
}

/** The address at the other end of the connection. */
function peerAddressOf(event: H3Event): string {
  const socket = (event.runtime?.node?.req as IncomingMessage | undefined)?.socket;
  if (socket === undefined) return "unknown";
  const { remoteAddress } = socket;
  if (remoteAddress !== undefined) return normaliseAddress(remoteAddress) ?? remoteAddress;
  // A closed connection has lost its address; a connection over a socket file never had one.
  return socket.destroyed ? "unknown" : UNIX_PEER;
}

const FORWARDING_HEADERS = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/**
 * Whether the request comes from a program on this machine, over loopback or the socket file. A forwarded request counts only
 * if a trusted proxy reports that it came from this machine.
 */
export function isFromThisMachine(event: H3Event, trust: Trust): boolean {
  const peer = peerAddressOf(event);
  if (!FORWARDING_HEADERS.some((name) => event.req.headers.has(name))) return isOfThisMachine(peer);
  const client = clientAddressOf(event, trust);
  return client !== peer && isOfThisMachine(peer) && isOfThisMachine(client);
}

function isOfThisMachine(address: string): boolean {
  return address === UNIX_PEER || address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
}

/** The address in an entry of X-Forwarded-For; some proxies add a port or brackets. Undefined if it is not an address. */
function addressOfHop(hop: string): string | undefined {
  const text = hop.trim();
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1];
  if (bracketed !== undefined) return isIPv6(bracketed) ? normaliseAddress(bracketed) : undefined;
  return normaliseAddress(text.replace(/^([\d.]+):\d{1,5}$/, "$1"));
}

/** Normalises an address: IPv4 in IPv6 notation becomes IPv4, IPv6 is shortened and loses its zone. Undefined if it is not an address. */
function normaliseAddress(text: string): string | undefined {
  const address = text.replace(/%.*$/, "");
  const version = isIP(address);
  if (version !== 6) return version === 4 ? address : undefined;
  const short = new SocketAddress({ address, family: "ipv6" }).address;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(short)?.[1] ?? short;
}

const HOST_FORM = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252}[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * The base URL that the caller used, without a trailing slash. `fallback` is the server's own guess;
 * `isSettled` means that the operator configured it, so that no header can change it. Otherwise a trusted proxy may set protocol
 * and host with the last entry of the respective header.
 */
export function publicUrlOf(
  event: H3Event,
  trust: Trust,
  { fallback, isSettled }: { fallback: string; isSettled: boolean },
): string {
  if (isSettled || !isTrustedAddress(peerAddressOf(event), trust)) return fallback;
  const protocol = lastOf(event, "x-forwarded-proto")?.toLowerCase();
  const host = lastOf(event, "x-forwarded-host") ?? lastOf(event, "host");
  if ((protocol !== "http" && protocol !== "https") || host === undefined || !HOST_FORM.test(host))
    return fallback;
  const url = `${protocol}://${host}`;
  return URL.canParse(url) ? new URL(url).origin : fallback;
}

function lastOf(event: H3Event, name: string): string | undefined {
  const value = event.req.headers.get(name)?.split(",").at(-1)?.trim();
  return value === "" ? undefined : value;
}

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
