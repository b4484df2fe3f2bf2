import { once } from "node:events";
import { createServer, type Server } from "node:http";
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEvidence, type Evidence } from "../../src/issuing/call-evidence.ts";
import { createExchange, type Exchange, type HttpRequest } from "../../src/providers/exchange.ts";

let exchange: Exchange;
let evidence: Evidence;
const closers: (() => void)[] = [];

beforeEach(() => {
  exchange = createExchange();
  evidence = createEvidence();
});
afterEach(async () => {
  await exchange.close();
  for (const close of closers.splice(0)) close();
});

async function listen<S extends Server | TcpServer>(server: S): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that handles each connection as given, after the first bytes of a request. */
function onRequest(act: (socket: Socket) => void): Promise<string> {
  return listen(createTcpServer((socket) => socket.on("error", () => {}).once("data", () => act(socket))));
}

function send(url: string, request: Partial<HttpRequest> = {}, signal = new AbortController().signal) {
  const whole: HttpRequest = { method: "POST", url, headers: {}, body: "<x/>", timeoutMs: 5_000, ...request };
  return exchange.send(evidence, whole, signal);
}

describe("nothing was sent", () => {
  test("when no connection is made within the timeout", async () => {
    // Accepts the connection and never answers the handshake.
    const server = createTcpServer((socket) => void socket.on("error", () => {}));
    const url = (await listen(server)).replace("http:", "https:");
    const startedMs = performance.now();
    const answer = await send(url, { timeoutMs: 250 });
    expect(answer).toMatchObject({ kind: "not_sent" });
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });

  test("when the connection is refused", async () => {
    const server = createTcpServer();
    const url = await listen(server);
    server.close();
    await once(server, "close");
    expect(await send(url)).toMatchObject({
      kind: "not_sent",
      error: { code: "provider_unavailable", retryable: true },
    });
    expect(evidence.exchange.request).toMatchObject({ url, error: expect.stringContaining("ECONNREFUSED") });
    expect(evidence.exchange.response).toBeNull();
  });

  test("when the host name is unknown", async () => {
    expect((await send("http://no-such-host.invalid/")).kind).toBe("not_sent");
  });

  test.each(["localhost", "127.0.0.1"])("when a guarded request in live mode leads to %s", async (host) => {
    const url = (await onRequest((socket) => socket.destroy())).replace("127.0.0.1", host);
    expect(await send(url, { guardedFor: "live" })).toMatchObject({
      kind: "not_sent",
      error: { message: expect.stringContaining("not a public") },
    });
    expect((await send(url, { guardedFor: "test" })).kind).toBe("unanswered");
  });

  test("when the request cannot be written", async () => {
    const url = await onRequest((socket) => socket.end());
    expect((await send(url, { headers: { "x-key": "line\nbreak" } })).kind).toBe("not_sent");
    expect((await send("no address")).kind).toBe("not_sent");
  });
});

describe("the request may have arrived", () => {
  test.each<[string, (socket: Socket) => void]>([
    ["when the connection ends before an answer", (socket) => socket.end()],
    ["when it is reset", (socket) => socket.resetAndDestroy()],
    ["when what comes back is no HTTP", (socket) => socket.end("what?\r\n\r\n")],
    ["when the answer is cut", (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf")],
  ])("%s", async (_when, act) => {
    expect(await send(await onRequest(act))).toMatchObject({ kind: "unanswered" });
    expect(evidence.exchange.request).toHaveProperty("error");
    expect(evidence.exchange.response).toBeNull();
  });

  test("when no response comes in time", async () => {
    const url = await onRequest(() => {});
    const answer = await send(url, { timeoutMs: 50 });
    expect(answer).toMatchObject({
      kind: "unanswered",
      error: { message: expect.stringContaining("did not arrive") },
    });
  });

  test("when the response starts in time but does not end", async () => {
    const url = await onRequest((socket) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"),
    );
    expect((await send(url, { timeoutMs: 50 })).kind).toBe("unanswered");
  });

  test.each([
    ["a MB", {}, 1],
    ["the limit of the request", { answerBytesMax: 5 * 1024 * 1024 }, 5],
  ])("when the response is longer than %s: it is not read to its end", async (_limit, request, limitMb) => {
    const piece = Buffer.alloc(256 * 1024, 0x20);
    let sent = 0;
    // Never ends.
    const url = await listen(
      createServer(async (_request, response) => {
        response.on("error", () => {});
        for (; !response.destroyed; sent += 1)
          await new Promise((written) => response.write(piece, () => setImmediate(written)));
      }),
    );
    expect(await send(url, request)).toMatchObject({
      kind: "unanswered",
      error: { message: expect.stringContaining("did not arrive") },
    });
    expect(evidence.exchange.request).toMatchObject({ error: expect.stringContaining("longer than") });
    // What is under way in the sockets comes on top.
    expect(sent / 4).toBeLessThan(limitMb + 20);
  });

  test("when the program is stopping", async () => {
    const cut = new AbortController();
    const url = await onRequest(() => cut.abort());
    expect((await send(url, {}, cut.signal)).kind).toBe("unanswered");
  });
});

describe("a response", () => {
  test.each([200, 302, 404, 500])(
    "with status %i is returned, and redirects are not followed",
    async (status) => {
      const url = await listen(
        createServer((_request, response) => {
          response.writeHead(status, { "content-type": "text/xml", location: "http://127.0.0.1:1/" });
          response.end("<ΜΑΡΚ/>");
        }),
      );
      const answer = await send(url);
      expect(answer).toMatchObject({ kind: "answered", status, body: "<ΜΑΡΚ/>" });
      expect(evidence.exchange.response).toMatchObject({ status, body: "<ΜΑΡΚ/>" });
    },
  );

  test("that is not text is described by its length, and returned whole", async () => {
    const bytes = Buffer.from([0x25, 0x50, 0x44, 0x46, 0xff, 0x00]);
    const url = await listen(
      createServer((_request, response) => {
        response.writeHead(200, { "content-type": "application/pdf" });
        response.end(bytes);
      }),
    );
    const answer = await send(url, { method: "GET", body: null });
    expect(answer.kind === "answered" && Buffer.from(answer.bytes).equals(bytes)).toBe(true);
    expect(evidence.exchange.response?.body).toBe("[6 bytes that are not text]");
  });
});
