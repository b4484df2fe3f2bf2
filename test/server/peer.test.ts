/** Determines where a request comes from. Headers are trusted only from trusted proxies. */
import type { H3Event } from "h3";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  clientAddressOf,
  isFromThisMachine,
  isTrustedAddress,
  publicUrlOf,
  trustedNetworks,
} from "../../server/peer.ts";
import { openServingPlace } from "../helpers/serving.ts";
import { forEachTest } from "../helpers/set-up.ts";

interface Caller {
  /** Undefined for the socket file. */
  peer?: string | undefined;
  headers?: Record<string, string>;
  isGone?: boolean;
}

/** The part of an event that identifies the client, as the server receives it. */
function eventOf({ peer, headers = {}, isGone = false }: Caller): H3Event {
  const socket = { remoteAddress: peer, destroyed: isGone };
  const event = { req: { headers: new Headers(headers) }, runtime: { node: { req: { socket } } } };
  return event as unknown as H3Event;
}

const forwarded = (value: string) => ({ "x-forwarded-for": value });

describe("the client's address", () => {
  const proxies = ["10.0.0.0/8", "2001:db8:1::/48", "::1"];

  test.each<[name: string, peer: string | undefined, header: string | null, address: string]>([
    ["is the socket's", "192.0.2.1", null, "192.0.2.1"],
    ["is the socket's whatever a stranger says", "192.0.2.1", "10.0.0.1", "192.0.2.1"],
    ["is what a proxy says", "10.0.0.1", "192.0.2.1", "192.0.2.1"],
    ["is the proxy's where it says nothing", "10.0.0.1", null, "10.0.0.1"],
    ["is the rightmost that is no proxy", "10.0.0.1", "198.51.100.7, 192.0.2.1,10.0.0.2", "192.0.2.1"],
    ["is the leftmost of proxies alone", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["is IPv4 where it came as IPv6", "::ffff:192.0.2.1", null, "192.0.2.1"],
    ["is a proxy's in that form too", "::ffff:10.0.0.1", "::ffff:192.0.2.1", "192.0.2.1"],
    ["is the same in hexadecimal", "::1", "::ffff:c000:201", "192.0.2.1"],
    ["has no port", "10.0.0.1", "192.0.2.1:4711", "192.0.2.1"],
    ["has no brackets", "10.0.0.1", "[2001:DB8::0:1]:443", "2001:db8::1"],
    ["has one form", "2001:db8:1::7", "2001:0db8:0000::1", "2001:db8::1"],
    ["has no zone", "fe80::1%eth0", null, "fe80::1"],
    ["is the proxy's where that knows none", "10.0.0.1", "192.0.2.9, unknown", "10.0.0.1"],
    ["is the proxy's behind an empty entry", "10.0.0.1", "192.0.2.9,", "10.0.0.1"],
    ["is the proxy's behind a name", "10.0.0.1", "_hidden", "10.0.0.1"],
    ["is none over the socket file", undefined, "192.0.2.9", "unix"],
  ])("%s", (_name, peer, header, address) => {
    const caller = { peer, headers: header === null ? {} : forwarded(header) };
    expect(clientAddressOf(eventOf(caller), trustedNetworks(proxies))).toBe(address);
  });

  test("is none of a connection that is gone", () => {
    const gone = eventOf({ isGone: true, headers: forwarded("192.0.2.9") });
    expect(clientAddressOf(gone, trustedNetworks(proxies))).toBe("unknown");
  });

  test("is the one named by the proxy behind the socket file, if that is trusted", () => {
    const trust = trustedNetworks(["unix"]);
    expect(clientAddressOf(eventOf({ headers: forwarded("192.0.2.9") }), trust)).toBe("192.0.2.9");
    expect(clientAddressOf(eventOf({}), trust)).toBe("unix");
    expect(clientAddressOf(eventOf({ isGone: true, headers: forwarded("192.0.2.9") }), trust)).toBe(
      "unknown",
    );
  });

  const address = fc.oneof(fc.ipV4(), fc.ipV6());
  const hop = fc.oneof(address, fc.string(), fc.constantFrom("unknown", "10.0.0.1", "[::1]:1", "10.0.0.1:9"));
  const printable = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, "?");

  test("of an untrusted connection is the connection's, regardless of the header", () => {
    fc.assert(
      fc.property(fc.array(hop), (hops) => {
        const caller = { peer: "192.0.2.1", headers: forwarded(printable(hops.join(","))) };
        expect(clientAddressOf(eventOf(caller), trustedNetworks(proxies))).toBe("192.0.2.1");
      }),
    );
  });

  test("ignores what the client itself wrote before the proxies' entries", () => {
    fc.assert(
      fc.property(fc.array(hop), address, (own, client) => {
        const trust = trustedNetworks(proxies);
        fc.pre(!isTrustedAddress(client, trust));
        const seen = (header: string) =>
          clientAddressOf(eventOf({ peer: "10.0.0.1", headers: forwarded(header) }), trust);
        expect(seen(printable([...own, client, "10.0.0.2"].join(",")))).toBe(seen(`${client}, 10.0.0.2`));
      }),
    );
  });
});

test("an IPv4 network written as IPv6 is that network", () => {
  const trust = trustedNetworks(["::ffff:10.0.0.0/104"]);
  expect(["10.255.0.1", "::ffff:10.0.0.1", "11.0.0.1"].map((each) => isTrustedAddress(each, trust))).toEqual([
    true,
    true,
    false,
  ]);
});

const NEAR = "127.0.0.1";

test.each<[name: string, isNear: boolean, peer: string | undefined, header?: string, proxy?: string]>([
  ["comes over the loopback", true, NEAR],
  ["comes over the loopback of IPv6", true, "::1"],
  ["comes over it in the form of IPv6", true, "::ffff:127.0.0.9"],
  ["comes by the socket file", true, undefined],
  ["does not come from elsewhere", false, "192.0.2.1"],
  ["is not who a proxy of this machine passes on", false, NEAR, "192.0.2.1", NEAR],
  ["is not who an unknown proxy passes on", false, NEAR, NEAR],
  ["is not who is passed on by another machine", false, "10.0.0.1", NEAR, "10.0.0.1"],
  ["may come through a trusted proxy", true, undefined, NEAR, "unix"],
])("a program of this machine %s", (_name, isNear, peer, header, proxy) => {
  const caller = { peer, headers: header === undefined ? {} : forwarded(header) };
  const trust = trustedNetworks(proxy === undefined ? [] : [proxy]);
  expect(isFromThisMachine(eventOf(caller), trust)).toBe(isNear);
});

test("a program of this machine is not who is passed on without a name, nor a connection that is gone", () => {
  const unnamed = eventOf({ peer: NEAR, headers: { via: "1.1 shop" } });
  expect(isFromThisMachine(unnamed, trustedNetworks([NEAR]))).toBe(false);
  expect(isFromThisMachine(eventOf({ isGone: true }), trustedNetworks(["unix"]))).toBe(false);
});

describe("the address that the caller used", () => {
  const asked = { "x-forwarded-proto": "https", "x-forwarded-host": "shop.example.com" };
  const OWN = "http://127.0.0.1:8787";
  const ours = { fallback: OWN, isSettled: false };
  const see = (peer: string | undefined, headers: Record<string, string>) =>
    publicUrlOf(eventOf({ peer, headers }), trustedNetworks(["10.0.0.1", "unix"]), ours);

  test("is the one named by a trusted proxy, over a port or the socket file", () => {
    expect([see("10.0.0.1", asked), see(undefined, asked)]).toEqual([
      "https://shop.example.com",
      "https://shop.example.com",
    ]);
    expect(see("10.0.0.1", { "x-forwarded-proto": "https", host: "shop.example.com:8443" })).toBe(
      "https://shop.example.com:8443",
    );
  });

  test("is in the entry of the nearest proxy", () => {
    const chain = {
      "x-forwarded-proto": "http, https",
      "x-forwarded-host": "evil.example, shop.example.com",
    };
    expect(see("10.0.0.1", chain)).toBe("https://shop.example.com");
  });

  test.each([
    [{ ...asked, "x-forwarded-proto": "javascript" }],
    [{ "x-forwarded-host": "shop.example.com" }],
    ...[
      "",
      "a b",
      "user@shop",
      "shop/path",
      "shop?x",
      "shop#x",
      "shop:port",
      "shop:99999",
      "[::1",
      "-",
      ".",
    ].map((host): [Record<string, string>] => [{ "x-forwarded-proto": "https", "x-forwarded-host": host }]),
  ])("is our own behind %j", (headers) => {
    expect(see("10.0.0.1", headers)).toBe(OWN);
  });

  test("has only protocol, host and port, whatever is sent", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.domain(), fc.webAuthority(), fc.ipV6()), (host) => {
        const headers = {
          "x-forwarded-proto": "https",
          "x-forwarded-host": host.replaceAll(/[^\x20-\x7e]/g, ""),
        };
        const url = see("10.0.0.1", headers);
        expect(new URL(url).origin).toBe(url);
      }),
    );
  });
});

describe("forwarded protocol and host, over a socket,", () => {
  const place = forEachTest(openServingPlace);
  const trusting = { FISCAL_SERVER__TRUSTED_PROXIES: "127.0.0.1" };
  const own = { ...trusting, FISCAL_SERVER__PUBLIC_URL: "https://own.example.com" };

  test.each<[name: string, env: Record<string, string>, links: string, mcp: number]>([
    [
      "determine links and allowed origins if the proxy is trusted",
      trusting,
      "https://shop.example.com/",
      200,
    ],
    ["are ignored if the proxy is not trusted", {}, "http://127.0.0.1:", 403],
    ["are ignored if server.public_url is set", own, "https://own.example.com/", 403],
  ])("%s", async (_name, env, links, mcp) => {
    const { url, bench } = await place.start(env);
    const headers = {
      authorization: `Bearer ${await bench.makeKey("test")}`,
      "x-forwarded-proto": "https",
      "x-forwarded-host": "shop.example.com",
    };
    const sessions = `/api/v1/merchants/${await bench.makeMerchant()}/connect_sessions`;
    const made = await fetch(url + sessions, { method: "POST", headers });
    const { data } = (await made.json()) as { data: { url: string } };
    expect(data.url.slice(0, links.length)).toBe(links);
    // From a page of the shop.
    const called = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        origin: "https://shop.example.com",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    expect(called.status).toBe(mcp);
  });
});
