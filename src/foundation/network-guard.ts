/**
 * Decides which addresses may be contacted on behalf of others (docs/contract.md#webhook-addresses, docs/contract.md#pdf): public
 * ones, those that the configuration allows, and in test mode this machine. Nobody must reach into the operator's network by
 * naming an address. Pure.
 */
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import type { Mode } from "../../storage/stored-values.ts";
import type { Text } from "./text.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Public addresses at which clouds serve a machine's credentials. */
const METADATA: ReadonlySet<string> = new Set(["168.63.129.16"]);

/** Global unicast (RFC 4291, section 2.4). Other addresses are special or unassigned. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];
/** The well-known prefix of NAT64 (RFC 6052): the last four bytes are the IPv4 address. */
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("64:ff9b::"), 96];
/** IPv4 in the deprecated IPv6-compatible notation, `::10.0.0.1` (RFC 4291, section 2.5.5.1). */
const IPV4_COMPATIBLE: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("::"), 96];

/** The address that packets reach: for mapped, compatible and NAT64 addresses the embedded IPv4 address. */
function destinationOf(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const isLow = address.range() === "loopback" || address.range() === "unspecified";
  if (isLow || !(address.match(NAT64) || address.match(IPV4_COMPATIBLE))) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

function isPublic(address: Address): boolean {
  if (METADATA.has(address.toString()) || address.range() !== "unicast") return false;
  return !(address instanceof ipaddr.IPv6) || address.match(GLOBAL_UNICAST);
}

function isWithin(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network as never, bits);
}

/** Why `address` (IP, as text) must not be contacted, with the setting that would allow it; undefined if it may be. */
export type NetworkGuard = (address: string, mode: Mode) => Text | undefined;

/** `allowed` are validated addresses and networks in CIDR notation, and `setting` is what contains them. */
export function createNetworkGuard(allowed: readonly string[], setting?: string): NetworkGuard {
  const networks = allowed.map((text) =>
    ipaddr.parseCIDR(text.includes("/") ? text : `${text}/${isIPv4(text) ? 32 : 128}`),
  );
  return (text, mode) => {
    if (!ipaddr.isValid(text))
      return { en: "its address is not an IP address", el: "η διεύθυνσή του δεν είναι διεύθυνση IP" };
    const written = ipaddr.parse(text);
    const address = destinationOf(written);
    if (isPublic(address)) return undefined;
    if (address.range() === "loopback" && mode === "test") return undefined;
    if ([written, address].some((one) => networks.some((network) => isWithin(one, network))))
      return undefined;
    const refused = {
      en: `${address.toString()} is not a public address`,
      el: `η ${address.toString()} δεν είναι δημόσια διεύθυνση`,
    };
    if (setting === undefined) return refused;
    const value = `${setting} = ["${address.toString()}/${address.kind() === "ipv4" ? 32 : 128}"]`;
    return {
      en: `${refused.en}; to allow deliveries to it, set ${value}`,
      el: `${refused.el}· για να επιτρέπονται αποστολές εκεί, ορίστε ${value}`,
    };
  };
}

/** The address in a URL's host; undefined if the host is a name. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(host) ? host : undefined;
}
