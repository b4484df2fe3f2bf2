/**
 * Posts documents over plain sockets, which costs much less than an HTTP client, and prints a Load. A process of its own, so
 * that it does not slow down what it measures: node bench/driver.ts URL KEY MERCHANT CONNECTIONS SECONDS [SERIES]. With 0 seconds it
 * posts the documents that warm up a server. With SERIES, the documents take turns over so many series.
 */
import { randomUUID } from "node:crypto";
import { connect, type Socket } from "node:net";
import { buildBody } from "../material.ts";

export interface Load {
  accepted: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

const WARM_UP_DOCUMENTS = 4000;
const [url = "", key = "", merchant = "", connections = "", seconds = "", series = "0"] =
  process.argv.slice(2);
const { host, hostname, port } = new URL(url);
/** As long as each reference. */
const PLACEHOLDER = "order-00000000";
const SERIES_PLACEHOLDER = "S00000";
/** Keys are random, as those of most callers. */
const KEY_PLACEHOLDER = "k".repeat(36);

/** Every request has the same length: only the references in it change. */
const template = (() => {
  const body = Buffer.from(
    JSON.stringify(buildBody(merchant, PLACEHOLDER, series === "0" ? undefined : SERIES_PLACEHOLDER)),
  );
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
const seriesPlace = template.indexOf(SERIES_PLACEHOLDER);

let sent = 0;

function nextRequest(): Buffer {
  const request = Buffer.from(template);
  sent += 1;
  const reference = `order-${String(sent).padStart(8, "0")}`;
  request.write(randomUUID(), keyPlace, "latin1");
  for (const at of places) request.write(reference, at, "latin1");
  if (series !== "0")
    request.write(`S${String(sent % Number(series)).padStart(5, "0")}`, seriesPlace, "latin1");
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
  const isWarmingUp = Number(seconds) === 0;
  const end = isWarmingUp ? Number.POSITIVE_INFINITY : started + Number(seconds) * 1000;
  const times: number[] = [];
  let accepted = 0;

  const exchange = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let sentAt = 0;
      let response: Buffer = Buffer.alloc(0);
      const send = () => {
        sentAt = performance.now();
        if (sentAt >= end || (isWarmingUp && sent >= WARM_UP_DOCUMENTS)) {
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
        accepted += 1;
        times.push(performance.now() - sentAt);
        send();
      });
    });

  const sockets = Array.from({ length: Number(connections) }, () =>
    connect(Number(port), hostname).setNoDelay(),
  );
  await Promise.all(sockets.map(exchange));
  times.sort((left, right) => left - right);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return {
    accepted,
    perSecond: (times.length / (performance.now() - started)) * 1000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}

const CREATED = Buffer.from("HTTP/1.1 201");

process.stdout.write(`${JSON.stringify(await load())}\n`);
