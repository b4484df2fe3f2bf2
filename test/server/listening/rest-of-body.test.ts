/** Responses to requests whose body nobody reads to its end, above all 413, as different clients see them. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { discardRests } from "../../../server/listening/gate.ts";
import { isInstalled } from "../../helpers/child.ts";
import { type Framing, LARGE_BODY_CLIENTS } from "../../helpers/large-body-clients.ts";
import { closeOf, openServingPlace, postHead, readToClose, type Running } from "../../helpers/serving.ts";
import { forAllTests } from "../../helpers/set-up.ts";

let running: Running;
let key: string;
const place = forAllTests(openServingPlace);
beforeAll(async () => {
  running = await place.start();
  key = await running.bench.makeKey("test");
});

/** Programs that take a moment to start. */
const PROGRAMS: ReadonlySet<string> = new Set(["curl", "python3"]);
const CLIENTS = Object.keys(LARGE_BODY_CLIENTS).filter((name) => !PROGRAMS.has(name) || isInstalled(name));

function ask(client: string, bytes: number, framing: Framing, path = "/api/v1/documents", headers = {}) {
  const url = `${running.url}${path}`;
  const usual = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "idempotency-key": "large",
  };
  const { folder } = place;
  return LARGE_BODY_CLIENTS[client]!({ url, headers: { ...usual, ...headers }, bytes, framing, folder });
}

describe.each(CLIENTS)("%s", (client) => {
  test.each([
    [4_200_000, "length"],
    [4_200_000, "chunked"],
    [32_000_000, "length"],
    [32_000_000, "chunked"],
  ] as const)("always gets the 413 of %i bytes (%s)", async (bytes, framing) => {
    // With the connection closed at once, every second to third try failed.
    const tries = bytes > 10_000_000 || PROGRAMS.has(client) ? 1 : 3;
    for (let count = 0; count < tries; count += 1) {
      const { status, body } = await ask(client, bytes, framing);
      expect([status, JSON.parse(body)]).toEqual([
        413,
        {
          code: "payload_too_large",
          message: expect.stringContaining("larger than the limit of 4194304 bytes"),
          provider_code: null,
          provider_message: null,
          retryable: false,
        },
      ]);
    }
  });
});

test.each([
  ["/mcp", 413],
  ["/connect/unknown", 415],
  ["/console/upload", 401],
  ["/api/v1/nothing", 404],
  ["/healthz", 404],
])(
  "the response of %s arrives, though the body is unread and the client wants to close",
  async (path, status) => {
    for (const framing of ["length", "chunked"] as const)
      expect(await ask("http.request", 8_000_000, framing, path, { connection: "close" })).toMatchObject({
        status,
      });
  },
);

const DECLARED = (bytes: number, ...lines: string[]) =>
  postHead("/api/v1/documents", key, [`Content-Length: ${bytes}`, ...lines]);

test("a client that asks before it sends the body gets a 413 instead of the permission to send", async () => {
  const socket = await place.open(running.port);
  const ended = readToClose(socket);
  socket.write(DECLARED(5_000_000, "Expect: 100-continue"));
  await once(socket, "data");
  socket.end();
  expect(await ended).toMatch(/^HTTP\/1\.1 413 [^]*\r\nconnection: close\r\n/i);
});

test("a client that asks before it sends the body may send one that is not too large", async () => {
  const socket = await place.open(running.port);
  const ended = readToClose(socket);
  socket.write(DECLARED(2, "Expect: 100-continue", "Connection: close"));
  expect(String((await once(socket, "data"))[0])).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  socket.write("{}");
  expect(await ended).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
});

describe("what is discarded", () => {
  const opened: Server[] = [];
  afterEach(() => {
    for (const server of opened.splice(0)) server.close();
  });

  /** A server that answers at once and reads no body. */
  async function open(limits: { bytes: number; ms: number }): Promise<Socket> {
    const server = createServer(discardRests((_request, response) => response.end("no"), limits));
    opened.push(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return place.open((server.address() as AddressInfo).port);
  }

  const head = (bytes: number) => `POST / HTTP/1.1\r\nHost: here\r\nContent-Length: ${bytes}\r\n\r\n`;
  const A_PIECE = Buffer.alloc(10_000);

  test("is limited in bytes, after which the connection is closed", async () => {
    const socket = await open({ bytes: 50_000, ms: 60_000 });
    socket.write(head(1_000_000));
    expect(String((await once(socket, "data"))[0])).toContain("200 OK");
    const closed = closeOf(socket);
    const sending = setInterval(() => socket.write(A_PIECE), 1);
    await closed;
    clearInterval(sending);
    expect(socket.bytesWritten).toBeGreaterThan(50_000);
    expect(socket.bytesWritten).toBeLessThan(1_000_000);
  });

  test("is limited in time, even if the client sends nothing more", async () => {
    const socket = await open({ bytes: 50_000, ms: 20 });
    socket.write(head(10));
    expect(await readToClose(socket)).toContain("200 OK");
  });

  test("leaves the connection open for the next request if all of it arrives", async () => {
    const socket = await open({ bytes: 50_000, ms: 60_000 });
    for (let request = 0; request < 3; request += 1) {
      socket.write(head(A_PIECE.length));
      expect(String((await once(socket, "data"))[0])).toContain("200 OK");
      socket.write(A_PIECE);
    }
    expect(socket.destroyed).toBe(false);
  });
});
