/** Starts servers that listen on sockets. */
import { once } from "node:events";
import {
  type AddressInfo,
  connect,
  createServer as createNetServer,
  type NetConnectOpts,
  type Socket,
} from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import { createServer, type HttpServer } from "../../server/listen.ts";
import { type Bench, openBench } from "./appliance.ts";

export interface Running {
  bench: Bench;
  server: HttpServer;
  url: string;
  /** Zero for a socket file. */
  port: number;
}

/** Certificates are created by the machine's clock, but must be valid by the bench's fixed clock. */
const AHEAD_MS = 3_600_000;

type Address = number | string | NetConnectOpts;

export async function openServingPlace() {
  const folder = await mkdtemp(join(tmpdir(), "fiscal-serving-"));
  const running: Running[] = [];
  const sockets: Socket[] = [];
  const place = {
    /** A temporary folder. */
    folder,
    /** Starts a server on a free port, unless `env` sets one. */
    async start(env: Record<string, string> = {}): Promise<Running> {
      const bench = await openBench({
        env: { FISCAL_SERVER__PORT: "0", ...env },
        startMs: Date.now() + AHEAD_MS,
      });
      const server = createServer(bench.appliance);
      try {
        const { url } = await server.start();
        const started = { bench, server, url, port: URL.canParse(url) ? Number(new URL(url).port) : 0 };
        running.push(started);
        return started;
      } catch (error) {
        await bench.close();
        throw error;
      }
    },
    /** Why a server with these settings does not start. */
    async refusal(env: Record<string, string>): Promise<string> {
      const error = await place.start(env).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ConfigurationError);
      return (error as ConfigurationError).message;
    },
    /** Connects to a port of this machine, or to a socket file. */
    async open(to: Address): Promise<Socket> {
      const options: NetConnectOpts =
        typeof to === "number" ? { port: to, host: "127.0.0.1" } : typeof to === "string" ? { path: to } : to;
      const socket = connect(options);
      sockets.push(socket);
      await once(socket, "connect");
      // A server may end a connection with a reset.
      socket.on("error", () => undefined);
      return socket;
    },
    /** Sends a text, and returns everything received until the server ends the connection. */
    async ask(to: Address, text: string): Promise<string> {
      const socket = await place.open(to);
      const ended = readToClose(socket);
      socket.write(text);
      return ended;
    },
    /** Stops everything. */
    async close() {
      for (const socket of sockets) socket.destroy();
      for (const { bench, server } of running) {
        await server.stop();
        await bench.close();
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
  return place;
}

/** A port that was free a moment ago, as a person would give it. */
export async function findFreePort(): Promise<number> {
  const server = createNetServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Resolves when the connection is closed for any reason. */
export function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once("close", () => resolve());
  });
}

/** Everything received until the server ends the connection. */
export async function readToClose(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await closeOf(socket);
  return Buffer.concat(chunks).toString();
}

/** A request without a body that asks the server to close. `headers` may name another host. */
export function plainRequest(path: string, headers: readonly string[] = []): string {
  const host = headers.some((header) => header.startsWith("Host:")) ? [] : ["Host: here"];
  return [`GET ${path} HTTP/1.1`, ...host, "Connection: close", ...headers, "", ""].join("\r\n");
}

/** The beginning of a POST with JSON; its body follows. */
export function postHead(path: string, key: string, headers: readonly string[]): string {
  const usual = [
    "Host: here",
    `Authorization: Bearer ${key}`,
    "Idempotency-Key: one",
    "Content-Type: application/json",
  ];
  return [`POST ${path} HTTP/1.1`, ...usual, ...headers, "", ""].join("\r\n");
}

/** The status of a response as it was received. */
export function statusIn(answer: string): number {
  return Number(answer.split(" ", 2)[1]);
}
