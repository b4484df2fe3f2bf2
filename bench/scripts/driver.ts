/**
 * Posts documents over plain sockets, which costs much less than an HTTP client, and prints a Load. A process of its own, so
 * that it does not slow down what it measures: node bench/scripts/driver.ts URL KEY MERCHANT CONNECTIONS SECONDS
 */
import { randomUUID } from "node:crypto";
import { connect, type Socket } from "node:net";
import { buildBody } from "../material.ts";

export interface Load {
  accepted: number;
  elapsedMs: number;
  p99Ms: number;
}

const [url = "", key = "", merchant = "", connections = "", seconds = ""] = process.argv.slice(2);
const { host, hostname, port } = new URL(url);
/** As long as each reference. */
const PLACEHOLDER = "order-00000000";
/** Keys are random, as those of most callers. */
const KEY_PLACEHOLDER = "k".repeat(36);

/** Every request has the same length: only the references in it change. */
const template = (() => {
  const body = Buffer.from(JSON.stringify(buildBody(merchant, PLACEHOLDER)));
  const head = [
    "POST /api/v1/documents HTTP/1.1",
    `host: ${host}`,
    `authorization: Bearer ${key}`,
    "content-type: application/json",
    `content-length: ${body.length}`,
    `idempotency-key: ${KEY_PLACEHOLDER}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body]);
})();

const places: number[] = [];
for (let at = template.indexOf(PLACEHOLDER); at !== -1; at = template.indexOf(PLACEHOLDER, at + 1))
  places.push(at);

const keyPlace = template.indexOf(KEY_PLACEHOLDER);

let sent = 0;

function nextRequest(): Buffer {
  const request = Buffer.from(template);
  sent += 1;
  const reference = `order-${String(sent).padStart(8, "0")}`;
  request.write(randomUUID(), keyPlace, "latin1");
  for (const at of places) request.write(reference, at, "latin1");
  return request;
}

/** Whether `response` is complete: its length is given, or its last chunk is empty. */
function isComplete(response: Buffer): boolean {
  const end = response.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const head = response.subarray(0, end).toString("latin1");
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) return response.subarray(-5).equals(LAST_CHUNK);
  return response.length >= end + 4 + Number(length);
}

const LAST_CHUNK = Buffer.from("0\r\n\r\n");

async function load(): Promise<Load> {
  const started = performance.now();
  const end = started + Number(seconds) * 1000;
  const times: number[] = [];

  const exchange = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let sentAt = 0;
      let response: Buffer = Buffer.alloc(0);
      const send = () => {
        sentAt = performance.now();
        if (sentAt >= end) {
          socket.destroy();
          resolve();
          return;
        }
        response = Buffer.alloc(0);
        socket.write(nextRequest());
      };
      socket.on("connect", send).on("error", reject);
      socket.on("close", () => reject(new Error("The server closed a connection")));
      socket.on("data", (chunk: Buffer) => {
        response = response.length === 0 ? chunk : Buffer.concat([response, chunk]);
        if (!isComplete(response)) return;
        if (!response.subarray(0, 12).equals(CREATED)) reject(new Error(response.toString()));
        times.push(performance.now() - sentAt);
        send();
      });
    });

  const sockets = Array.from({ length: Number(connections) }, () =>
    connect(Number(port), hostname).setNoDelay(),
  );
  await Promise.all(sockets.map(exchange));
  times.sort((left, right) => left - right);
  return {
    accepted: times.length,
    elapsedMs: performance.now() - started,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
  };
}

const CREATED = Buffer.from("HTTP/1.1 201");

process.stdout.write(`${JSON.stringify(await load())}\n`);
