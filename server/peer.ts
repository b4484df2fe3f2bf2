/** Who a request comes from, and by which address: the socket's word, or that of proxies that are trusted. */
import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6, SocketAddress } from "node:net";
import type { H3Event } from "h3";
import { UNIX_PEER } from "../src/config/setting-values.ts";

/** Whose X-Forwarded-… headers are believed. */
export interface Trust {
  readonly networks: BlockList;
  /** Whoever comes by the socket file. */
  readonly unix: boolean;
}

/** `proxies` as `server.trusted_proxies` has them: addresses, networks, and `unix`. */
export function trustedNetworks(proxies: readonly string[]): Trust {
  const networks = new BlockList();
  for (const proxy of proxies) {
    if (proxy === UNIX_PEER) continue;
    const [given = "", bits] = proxy.split("/");
    // A network of IPv4 in the form of IPv6 is the same network: `::ffff:10.0.0.0/104`.
    const address = plainAddress(given) ?? given;
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    const prefix = Number(bits) - (isIPv6(given) && family === "ipv4" ? 96 : 0);
    if (bits === undefined) networks.addAddress(address, family);
    else if (prefix >= 0) networks.addSubnet(address, prefix, family);
  }
  return { networks, unix: proxies.includes(UNIX_PEER) };
}

/** `address` as a socket or `clientAddressOf` gives it. */
export function isTrustedAddress(address: string, { networks, unix }: Trust): boolean {
  if (address === UNIX_PEER) return unix;
  const plain = plainAddress(address);
  return plain !== undefined && networks.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
}

/**
 * The address of the client: the socket's, or what trusted proxies say, read from the right; `unix` for who comes by the
 * socket file without a proxy that says more. Addresses are written in one form only, so that one client is one client.
 */
export function clientAddressOf(event: H3Event, trust: Trust): string {
  let address = peerAddressOf(event);
  const hops = (event.req.headers.get("x-forwarded-for") ?? "").split(",");
  while (hops.length > 0 && isTrustedAddress(address, trust)) {
    const next = addressOfHop(hops.pop()!);
    // Not an address ("unknown"): who the proxy had it from is not known, so the proxy itself stands for them.
    if (next === undefined) break;
    address = next;
  }
  return address;
}

/** Whoever is at the other end of the connection. */
function peerAddressOf(event: H3Event): string {
  const socket = (event.runtime?.node?.req as IncomingMessage | undefined)?.socket;
  if (socket === undefined) return "unknown";
  const { remoteAddress } = socket;
  if (remoteAddress !== undefined) return plainAddress(remoteAddress) ?? remoteAddress;
  // A connection that is gone has no address any more; one of a socket file never had one, nor an end of ours.
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
 * Whether a program of this machine asks, for itself: over the loopback or the socket file. What was passed on counts only
 * where a trusted proxy says that it came from here.
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

/** One entry of X-Forwarded-For: an address, by some proxies with a port or with brackets. Undefined for what is none. */
function addressOfHop(hop: string): string | undefined {
  const text = hop.trim();
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1];
  if (bracketed !== undefined) return isIPv6(bracketed) ? plainAddress(bracketed) : undefined;
  return plainAddress(text.replace(/^([\d.]+):\d{1,5}$/, "$1"));
}

/** An address in its one form: IPv4 that came as IPv6 in its own, IPv6 shortened and without a zone. Undefined for what is none. */
function plainAddress(text: string): string | undefined {
  const address = text.replace(/%.*$/, "");
  const version = isIP(address);
  if (version !== 6) return version === 4 ? address : undefined;
  const short = new SocketAddress({ address, family: "ipv6" }).address;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(short)?.[1] ?? short;
}

const HOST_FORM = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252}[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * The address that the caller used, without a slash at its end. `fallback` is where the server is reached as far as it knows;
 * `isSettled` where the operator said so, which no header changes. Otherwise a trusted proxy may say the protocol and the
 * host that it was asked by, each by the last entry of its header.
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
