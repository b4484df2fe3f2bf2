/** Tests of what only a socket shows: addresses, connections, streamed bodies, starting and stopping. */
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { buildIssueBody } from "../helpers/appliance.ts";
import { expectDescribed, type Reply, expectError } from "../helpers/http.ts";
import { openServingPlace, readToClose, type Running, closeOf, postHead } from "../helpers/serving.ts";
import { forEachTest } from "../helpers/set-up.ts";

const place = forEachTest(openServingPlace);

async function start(): Promise<Running & { key: string }> {
  const running = await place.start();
  return { ...running, key: await running.bench.makeKey("test") };
}

/** A response read from the socket and checked against the description. */
function parseReply(method: string, path: string, text: string): Omit<Reply, "bytes"> {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(":")),
      line.slice(line.indexOf(":") + 1),
    ]),
  );
  const body = rest.join("\r\n\r\n");
  const reply = {
    status: Number(statusLine.split(" ")[1]),
    headers,
    text: body,
    body: body === "" ? undefined : JSON.parse(body),
  };
  expectDescribed(method, path, reply);
  return reply;
}

async function ask(port: number, method: string, path: string, headers: readonly string[] = []) {
  const lines = [`${method} ${path} HTTP/1.1`, "Host: here", "Connection: close", ...headers, "", ""];
  return parseReply(method, path, await place.ask(port, lines.join("\r\n")));
}

describe("every response has a request id and the common error form", () => {
  test.each<[name: string, method: string, path: string, status: number, code: string, isKeyed?: boolean]>([
    ["a broken escape", "GET", "/%zz", 404, "not_found"],
    ["a broken escape without a key", "GET", "/api/v1/documents/%zz", 401, "unauthorized"],
    ["a broken escape in an id", "GET", "/api/v1/documents/%zz", 404, "not_found", true],
    ["a broken letter", "GET", "/api/v1/%e0%a4%a", 404, "not_found", true],
    ["a path that only begins like one of the API", "GET", "/api/v1documents", 404, "not_found"],
    ["the asterisk", "OPTIONS", "*", 404, "not_found"],
    ["another method on the health check", "POST", "/healthz", 404, "not_found"],
  ])("%s", async (_name, method, path, status, code, isKeyed) => {
    const { port, key } = await start();
    const headers = isKeyed === true ? [`Authorization: Bearer ${key}`] : [];
    expectError(await ask(port, method, path, headers), status, code);
  });

  test("an error outside the pipeline is 500, and logged under the response's request id", async () => {
    const { bench, port } = await start();
    bench.appliance.ready = () => Promise.reject(new Error("disk on fire"));
    const reply = await ask(port, "GET", "/readyz");
    expect([reply.status, reply.body.code]).toEqual([500, "internal_error"]);
    expect(reply.text).not.toContain("fire");
    const logged = bench.logged.filter((line) => line.includes("disk on fire"));
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(reply.headers.get("x-request-id"));
  });

  test("a second request that is not HTTP is not answered inside the first response", async () => {
    const { port } = await start();
    const text = "GET /readyz HTTP/1.1\r\nHost: here\r\n\r\nHELLO\r\n\r\n";
    expect(await place.ask(port, text)).not.toContain("HTTP/1.1");
  });

  test("HEAD outside the API is GET without its body", async () => {
    const { port } = await start();
    for (const path of ["/healthz", "/readyz", "/openapi.json"]) {
      const reply = await ask(port, "HEAD", path);
      expect([path, reply.status, reply.text]).toEqual([path, 200, ""]);
    }
    expect((await ask(port, "HEAD", "/sandbox/documents/1")).status).toBe(404);
  });
});

const NEXT = "GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n";

const NOT_HTTP = "not valid HTTP";
const CHUNKED = "Transfer-Encoding: chunked";

test.each<[name: string, status: number, words: string, own: string[] | undefined, rest: string]>([
  [
    "two hosts",
    400,
    "more than one Host",
    undefined,
    NEXT.replace("\r\n\r\n", "\r\nHOST: there\r\n\r\n") + NEXT,
  ],
  ["no HTTP", 400, NOT_HTTP, undefined, "HELLO\r\n\r\n"],
  ["another protocol", 400, NOT_HTTP, undefined, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["a coding of its own", 501, "chunked", ["Transfer-Encoding: xchunked"], NEXT],
  ["another coding too", 501, "chunked", ["Transfer-Encoding: gzip, chunked"], "0\r\n\r\n"],
  ["two lengths", 400, NOT_HTTP, ["Content-Length: 1", "Content-Length: 2"], ""],
  ["a length and chunks", 400, NOT_HTTP, ["Content-Length: 2", CHUNKED], "0\r\n\r\n"],
  ["a broken chunk", 400, NOT_HTTP, [CHUNKED], `zz\r\n${NEXT}`],
])(
  "a request with %s is rejected with an error, and what follows is not parsed as a request",
  async (_name, status, words, own, rest) => {
    const { port, key } = await start();
    const text = own === undefined ? rest : postHead("/api/v1/merchants", key, own) + rest;
    const answer = await place.ask(port, text);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
    const { body } = parseReply("GET", "/", answer);
    expect(body).toMatchObject({ code: "validation_failed", message: expect.stringContaining(words) });
  },
);

describe("stopping", () => {
  test("answers the open request, closes its connection, and accepts no other", async () => {
    const started = await start();
    const body = Buffer.from(JSON.stringify(buildIssueBody(await started.bench.makeMerchant())));
    const socket = await place.open(started.port);
    const idle = await place.open(started.port);
    const ended = readToClose(socket);
    const idleEnded = once(idle, "close");
    const wait = [`Content-Length: ${body.length}`, "Expect: 100-continue"];
    socket.write(postHead("/api/v1/documents", started.key, wait));
    // The server reports this once it is handling the request.
    await once(socket, "data");
    const stopped = started.server.stop();
    // At once, not only when the connections are closed.
    const refused = once(connect(started.port, "127.0.0.1"), "connect");
    await expect(refused).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await idleEnded;
    socket.write(body);
    const text = await ended;
    const reply = parseReply("POST", "/api/v1/documents", text.slice(text.lastIndexOf("HTTP/1.1")));
    expect([reply.status, reply.headers.get("connection")]).toEqual([201, "close"]);
    await stopped;
  });

  test("answers a request arriving on a kept-alive connection, and ends other connections", async () => {
    const { port, server } = await place.start();
    const [used, idle] = [await place.open(port), await place.open(port)];
    for (const socket of [used, idle]) {
      socket.write(NEXT);
      await once(socket, "data");
    }
    const [usedClosed, idleClosed] = [closeOf(used), closeOf(idle)];
    const stopped = server.stop();
    const answered = once(used, "data");
    used.write(NEXT);
    expect(String((await answered)[0])).toContain(" 200 ");
    await Promise.all([usedClosed, idleClosed, stopped]);
  });

  test.skipIf(process.platform !== "linux")(
    "closes each of two connections from one client port to two addresses of this machine",
    async () => {
      const { port, server, bench } = await place.start({
        FISCAL_SERVER__HOST: "0.0.0.0",
        FISCAL_SERVER__SHUTDOWN_SECONDS: "1",
      });
      const key = await bench.makeKey("test");
      const first = await place.open({ port, host: "127.0.0.2", localAddress: "127.0.0.1" });
      const localPort = first.localPort!;
      const second = await place.open({ port, host: "127.0.0.3", localAddress: "127.0.0.1", localPort });
      const closed = [closeOf(first), closeOf(second)];
      for (const socket of [first, second]) {
        socket.write(postHead("/api/v1/documents", key, ["Content-Length: 100", "Expect: 100-continue"]));
        await once(socket, "data");
      }
      await server.stop();
      await Promise.all(closed);
    },
  );
});
