/**
 * Which addresses deliveries may go to (decisions 10): public ones, those that the configuration allows, and for test endpoints
 * the machine itself. Whoever may make endpoints must not reach into the operator's network with them. Pure.
 */
import ipaddr from "ipaddr.js";
import type { Mode } from "../../storage/stored-values.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** What the ranges are called to people; one that is missing here is called by its own name. */
const RANGE_NAMES: Readonly<Record<string, string>> = {
  unspecified: "unspecified",
  broadcast: "broadcast",
  multicast: "multicast",
  linkLocal: "link-local",
  loopback: "loopback",
  carrierGradeNat: "carrier-grade NAT",
  private: "private",
  uniqueLocal: "private (unique local)",
  deprecatedSiteLocal: "private (site-local)",
  "6to4": "6to4",
  teredo: "Teredo",
  reserved: "reserved",
};

/** Where clouds answer with a machine's own credentials though the address is a public one. */
const METADATA: ReadonlySet<string> = new Set(["168.63.129.16"]);

/** Global unicast (RFC 4291, section 2.4). What is neither in it nor named in a range is handed out to nobody. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];
/** The well-known prefix of NAT64 (RFC 6052): the IPv4 address stands in the last four bytes. */
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("64:ff9b::"), 96];
/** IPv4 written as IPv6 in the old way, `::10.0.0.1` (RFC 4291, section 2.5.5.1). */
const IPV4_COMPATIBLE: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("::"), 96];

/** The address that a packet ends at: the IPv4 one inside of mapped, compatible and NAT64 addresses. */
function destinationOf(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const isLow = address.range() === "loopback" || address.range() === "unspecified";
  if (isLow || !(address.match(NAT64) || address.match(IPV4_COMPATIBLE))) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

/** Why an address is not public; undefined for one that is. */
function describeRange(address: Address): string | undefined {
  if (METADATA.has(address.toString())) return "cloud metadata";
  const range = address.range();
  if (range !== "unicast") return RANGE_NAMES[range] ?? `special (${range})`;
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST)) return "reserved";
  return undefined;
}

function isWithin(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network as never, bits);
}

export interface NetworkGuard {
  /**
   * Why `address` (an IP address as text) may not be delivered to for endpoints of `mode`, in a sentence that names the address
   * and the configuration that would allow it; undefined where it may.
   */
  refusal(address: string, mode: Mode): string | undefined;
}

/** `allowed` are addresses and networks in CIDR notation, as the configuration has checked them. */
export function createNetworkGuard(allowed: readonly string[]): NetworkGuard {
  const networks = allowed.map((text): [Address, number] => {
    if (text.includes("/")) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  });
  return {
    refusal(text, mode) {
      if (!ipaddr.isValid(text)) return "its address cannot be read";
      const written = ipaddr.parse(text);
      const address = destinationOf(written);
      const range = describeRange(address);
      if (range === undefined) return undefined;
      if (range === "loopback" && mode === "test") return undefined;
      if ([written, address].some((one) => networks.some((network) => isWithin(one, network))))
        return undefined;
      const bits = address.kind() === "ipv4" ? 32 : 128;
      return `${address.toString()} is a ${range} address; where deliveries may go to it, the configuration says [webhooks] allow_networks = ["${address.toString()}/${bits}"]`;
    },
  };
}

/** The address that stands in a URL's host in place of a name; undefined for a name. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(host) ? host : undefined;
}
