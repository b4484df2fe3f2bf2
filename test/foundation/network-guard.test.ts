import fc from "fast-check";
import { expect, test } from "vitest";
import { createNetworkGuard, literalAddress } from "../../src/foundation/network-guard.ts";

const guard = createNetworkGuard([], "[webhooks] allow_networks");

/** In words of a text, separated by white space. */
const words = (text: string) => text.trim().split(/\s+/);

test.each([
  ...words(`10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 168.63.129.16 100.64.0.1
    100.100.100.200 0.0.0.0 0.1.2.3 192.0.0.192 192.0.2.1 198.18.0.1 203.0.113.9 240.0.0.1 255.255.255.255
    224.0.0.1 :: fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 fec0::1 ff02::1 64:ff9b:1::1 2002:a00:1::
    2001::1 2001:db8::1 100::1 4000::1`).map((address) => [address, address]),
  ["::ffff:10.0.0.1", "10.0.0.1"],
  ["::ffff:a9fe:a9fe", "169.254.169.254"],
  ["::10.0.0.1", "10.0.0.1"],
  ["64:ff9b::a00:1", "10.0.0.1"],
  ["64:ff9b::a9fe:a9fe", "169.254.169.254"],
])("rejects addresses that are not public, in every notation: %s", (address, reached) => {
  for (const mode of ["test", "live"] as const)
    expect(guard(address!, mode)?.en).toContain(`${reached} is not a public address`);
});

test("a rejection names the address and the setting that would allow it, and that setting does", () => {
  for (const [address, named] of [
    ["10.1.2.3", "10.1.2.3/32"],
    ["::ffff:10.1.2.3", "10.1.2.3/32"],
    ["fd00::5", "fd00::5/128"],
  ] as const) {
    expect(guard(address, "live")?.en).toContain(`[webhooks] allow_networks = ["${named}"]`);
    expect(guard(address, "live")?.el).toContain(`ορίστε [webhooks] allow_networks = ["${named}"]`);
    expect(createNetworkGuard([named])(address, "live")).toBeUndefined();
  }
});

test.each(["1.1.1.1", "93.184.216.34", "2606:4700::1111", "2a02:587::1", "64:ff9b::101:101"])(
  "%s is public",
  (address) => {
    expect(guard(address, "live")).toBeUndefined();
  },
);

test("allows loopback for test endpoints only", () => {
  for (const address of ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"]) {
    expect(guard(address, "test")).toBeUndefined();
    expect(guard(address, "live")?.en).toContain("not a public address");
  }
});

test("an allowed network allows its addresses and no others, also as IPv6", () => {
  const allowing = createNetworkGuard(
    ["10.1.0.0/16", "fd00:1::/32", "192.168.0.7"],
    "[webhooks] allow_networks",
  );
  for (const address of ["10.1.0.1", "::ffff:10.1.255.255", "fd00:1::9", "192.168.0.7"])
    expect(allowing(address, "live")).toBeUndefined();
  for (const address of ["10.2.0.1", "fd00:2::9", "192.168.0.8"])
    expect(allowing(address, "live")?.en).toContain("allow_networks");
});

test("an embedded IPv4 address passes only if it would pass by itself", () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.constantFrom("::ffff:", "::", "64:ff9b::"), (inner, prefix) => {
      const alone = guard(inner, "live") !== undefined;
      if (alone) expect(guard(`${prefix}${inner}`, "live")).toBeDefined();
    }),
  );
});

test.each([
  ["http://2130706433/", "127.0.0.1"],
  ["http://0x7f.1/", "127.0.0.1"],
  ["http://0177.0.0.1/", "127.0.0.1"],
  ["http://127.1/", "127.0.0.1"],
  ["http://[::ffff:7f00:1]/", "::ffff:7f00:1"],
  ["http://receiver.example/", undefined],
])("the host of %s is the address %s", (url, address) => {
  expect(literalAddress(new URL(url))).toBe(address);
});
