/** Clients that tie up the server: too many, too slow, sending too much, or not reading. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { watchConnections } from "../../../server/listening/connections.ts";
import { trustedNetworks } from "../../../server/peer.ts";
import {
  closeOf,
  findFreePort,
  openServingPlace,
  plainRequest,
  postHead,
  readToClose,
} from "../../helpers/serving.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const place = forEachTest(openServingPlace);

function bodyOf(answer: string): { code: string; message: string; retryable: boolean } {
  return JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
}

/** A kept-alive connection whose request has been answered. */
async function hold(port: number): Promise<Socket> {
  const socket = await place.open(port);
  socket.write("GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n");
  await once(socket, "data");
  return socket;
}

test("headers longer than max_header_bytes get 431", async () => {
  const { port } = await place.start({ FISCAL_SERVER__MAX_HEADER_BYTES: "4096" });
  const answer = await place.ask(port, plainRequest("/healthz", [`A: ${"a".repeat(5000)}`]));
  expect(answer).toMatch(/^HTTP\/1\.1 431 .*\r\n[^]*x-request-id: req_/);
  expect(bodyOf(answer)).toMatchObject({ code: "validation_failed", retryable: false });
  expect(await place.ask(port, plainRequest("/healthz", [`A: ${"a".repeat(3000)}`]))).toContain(" 200 ");
});

test("headers beyond max_headers get 431, and none is dropped silently", async () => {
  const { port } = await place.start({ FISCAL_SERVER__MAX_HEADERS: "20" });
  const headers = (count: number) => Array.from({ length: count }, (_unused, index) => `A${index}: 1`);
  expect(await place.ask(port, plainRequest("/healthz", headers(18)))).toContain(" 200 ");
  const answer = await place.ask(port, plainRequest("/healthz", headers(19)));
  expect(answer).toContain(" 431 ");
  expect(bodyOf(answer).message).toContain("more than 20 headers");
});

test("limits hold on a port that listhen opened", async () => {
  const { port } = await place.start({
    FISCAL_SERVER__PORT: String(await findFreePort()),
    FISCAL_SERVER__MAX_HEADER_BYTES: "4096",
    FISCAL_SERVER__MAX_CONNECTIONS: "1",
    FISCAL_SERVER__HEADERS_TIMEOUT_SECONDS: "1",
  });
  expect(await place.ask(port, plainRequest("/healthz", [`A: ${"a".repeat(5000)}`]))).toContain(" 431 ");
  const slow = place.ask(port, "GET /healthz HTTP/1.1\r\nHost: he");
  await expect.poll(() => place.ask(port, plainRequest("/readyz"))).toContain(" 503 ");
  expect(await slow).toContain(" 408 ");
});

describe("slow clients", () => {
  const quick = { FISCAL_SERVER__HEADERS_TIMEOUT_SECONDS: "1", FISCAL_SERVER__REQUEST_TIMEOUT_SECONDS: "1" };

  test("that send nothing, half a header, or half a body get 408 and are closed", async () => {
    const { port, bench } = await place.start(quick);
    const key = await bench.makeKey("test");
    const half = `${postHead("/api/v1/documents", key, ["Content-Length: 10"])}{"a"`;
    const texts = ["", "GET /healthz HTTP/1.1\r\nHost: he", half];
    const answers = await Promise.all(texts.map((text) => place.ask(port, text)));
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n[^]*x-request-id: req_/);
      expect(bodyOf(answer)).toMatchObject({ code: "validation_failed", retryable: false });
      expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    }
  });

  test("do not include those waiting for a slow response", async () => {
    const { port, bench } = await place.start({
      ...quick,
      FISCAL_SERVER__WRITE_TIMEOUT_SECONDS: "1",
      FISCAL_SERVER__KEEP_ALIVE_SECONDS: "1",
    });
    const [slow, idle] = [await place.open(port), await hold(port)];
    // Meanwhile a connection without a request is closed after keep_alive_seconds and the second that Node adds.
    const idleClosed = closeOf(idle);
    const { ready } = bench.appliance;
    bench.appliance.ready = () => idleClosed.then(ready);
    const ended = readToClose(slow);
    slow.write(plainRequest("/readyz"));
    expect(await ended).toContain(" 200 ");
  });

  test("that do not read are cut off after write_timeout_seconds, which frees their buffers", async () => {
    const { port, bench, server } = await place.start({ FISCAL_SERVER__WRITE_TIMEOUT_SECONDS: "1" });
    const large = "x".repeat(32 * 1_048_576);
    const cut = new Promise<void>((resolve) => {
      server.app.on("GET", "/large", (event) => {
        event.runtime?.node?.res?.once("close", () => resolve());
        return large;
      });
    });
    const socket = await place.open(port);
    socket.pause();
    const closed = closeOf(socket);
    socket.write(plainRequest("/large"));
    await cut;
    let received = 0;
    socket.on("data", (chunk: Buffer) => (received += chunk.length));
    socket.resume();
    await closed;
    expect(received).toBeLessThan(large.length);
    expect(bench.logged.filter((line) => line.startsWith("error"))).toEqual([]);
  });
});

describe("connections", () => {
  test("beyond max_connections get 503, except for the health check, and are logged once", async () => {
    const { port, bench } = await place.start({ FISCAL_SERVER__MAX_CONNECTIONS: "2" });
    const [first] = [await hold(port), await hold(port)];
    for (let count = 0; count < 3; count += 1) {
      const answer = await place.ask(port, plainRequest("/readyz"));
      expect(answer).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 1\r\n/);
      expect(bodyOf(answer)).toMatchObject({ code: "service_unavailable", retryable: true });
    }
    expect(await place.ask(port, plainRequest("/healthz"))).toContain(" 200 ");
    const warnings = () => bench.logged.filter((line) => line.includes("too many"));
    expect(warnings()).toEqual([expect.stringContaining('"limit":"server.max_connections","refused":1')]);
    bench.advance(60_000);
    await place.ask(port, plainRequest("/readyz"));
    // There are three earlier ones, because the health check counts too.
    expect(warnings()[1]).toMatch(/"refused":4/);
    first.destroy();
    await expect.poll(() => place.ask(port, plainRequest("/readyz"))).toContain(" 200 ");
  });

  test("beyond max_connections_per_address are closed immediately, without affecting other addresses", async () => {
    const { port, bench } = await place.start({ FISCAL_SERVER__MAX_CONNECTIONS_PER_ADDRESS: "1" });
    const held = await hold(port);
    const refused = await place.open(port);
    expect(await readToClose(refused)).toBe("");
    expect(
      await place.ask({ port, host: "127.0.0.1", localAddress: "127.0.0.9" }, plainRequest("/healthz")),
    ).toContain(" 200 ");
    expect(bench.logged.join("\n")).toContain("server.max_connections_per_address");
    held.destroy();
    await expect.poll(() => place.ask(port, plainRequest("/healthz"))).toContain(" 200 ");
  });

  test("that the system cannot accept are logged and do not stop the server", async () => {
    const { bench } = await place.start();
    const server = createServer();
    watchConnections(server, bench.appliance, trustedNetworks([]));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    server.emit("error", Object.assign(new Error("accept"), { code: "EMFILE" }));
    server.close();
    expect(bench.logged).toEqual([
      expect.stringMatching(/^warn: connections were refused.*EMFILE.*"refused":1/),
    ]);
  });

  test("of a trusted proxy have no per-address limit", async () => {
    const { port } = await place.start({
      FISCAL_SERVER__MAX_CONNECTIONS_PER_ADDRESS: "1",
      FISCAL_SERVER__TRUSTED_PROXIES: "127.0.0.1",
    });
    await hold(port);
    expect(await place.ask(port, plainRequest("/healthz"))).toContain(" 200 ");
  });
});
