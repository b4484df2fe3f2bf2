/** Addresses that the server cannot listen on: each error is one line with the reason and the next step. */
import { expect, test } from "vitest";
import { openBench } from "../../helpers/appliance.ts";
import { findFreePort, openServingPlace } from "../../helpers/serving.ts";
import { closing, forEachTest } from "../../helpers/set-up.ts";

const place = forEachTest(openServingPlace);

test("a port in use is an error with the next step, and the server that uses it continues", async () => {
  const { url, port } = await place.start();
  const message = await place.refusal({ FISCAL_SERVER__PORT: String(port) });
  expect(message).toContainAll(`127.0.0.1:${port}: the port is in use`, "--port");
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test("a given port that browsers block is opened too", async () => {
  expect((await place.start({ FISCAL_SERVER__PORT: "6566" })).url).toBe("http://127.0.0.1:6566");
});

test.each([
  ["is no address of this machine", "192.0.2.1", "no network interface of this machine"],
  ["does not resolve", "no-such-host.invalid", "does not resolve"],
])("an address that cannot be listened on: it %s", async (_name, host, message) => {
  expect(await place.refusal({ FISCAL_SERVER__HOST: host })).toContainAll(message, "--host");
});

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
  ["::1", "[::1]"],
  ["[::1]", "[::1]"],
  ["localhost", "localhost"],
])("server.host %s opens the given or a free port, and links use %s", async (host, written) => {
  const env = { FISCAL_SERVER__HOST: host };
  for (const given of [await findFreePort(), 0]) {
    const { port, url, bench } = await place.start({ ...env, FISCAL_SERVER__PORT: String(given) });
    if (given > 0) expect(new URL(url).port).toBe(String(given));
    expect(bench.appliance.publicUrl()).toBe(`http://${written}:${port}`);
    expect((await fetch(`${bench.appliance.publicUrl()}/healthz`)).status).toBe(200);
  }
  // In commands too.
  await using bench = await closing(openBench({ env }));
  expect(bench.appliance.publicUrl()).toBe(`http://${written}:8787`);
});
