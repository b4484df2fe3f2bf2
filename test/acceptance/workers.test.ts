/** `serve --workers`: docs/contract.md#worker-processes. */
import { mkdtemp, rm } from "node:fs/promises";
import { randomUUID, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, existsSync, statSync } from "node:fs";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { connect as connectTls } from "node:tls";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bench, buildIssueBody, openBench } from "../helpers/appliance.ts";
import { HAS_OPENSSL, makePair } from "../helpers/certificates.ts";
import { fieldsOf, openVisitor } from "../helpers/console.ts";
import { csvOfRows, rowWith } from "../helpers/csv.ts";
import { parseMetrics, valueOf } from "../helpers/prometheus.ts";
import { runBuilt, type ServerProcess, spawnBuilt, startBuilt } from "../helpers/server-process.ts";
import { plainRequest, readToClose } from "../helpers/serving.ts";

const WORKERS = 3;
const LIMIT = 1000;
const env = {
  FISCAL_RATE_LIMIT__REQUESTS: String(LIMIT),
  FISCAL_RATE_LIMIT__WINDOW_SECONDS: "3600",
  FISCAL_ISSUING__LEASE_SECONDS: "1",
};

let folder: string;
let bench: Bench;
let merchant: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fiscal-workers-"));
  bench = await openBench({ folder, env, startMs: Date.now() });
  merchant = await bench.makeMerchant();
  server = await startBuilt({ folder, env }, ["--workers", String(WORKERS)]);
});
afterAll(async () => {
  await server?.kill();
  await bench?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends a request over a connection of its own, so that any worker may get it. */
function send(path: string, key?: string, body?: object, idempotencyKey?: string): Promise<Reply> {
  const headers = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
  };
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const sent = request(`${server.url}${path}`, { method, headers, agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, text }));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const issue = (key: string, idempotencyKey: string) =>
  send("/api/v1/documents", key, buildIssueBody(merchant), idempotencyKey);

const idOf = ({ text }: Reply): string => JSON.parse(text).data.id;

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** The fields of the lines of the log with this message. */
function logged(message: string): Record<string, unknown>[] {
  const lines = server.log().trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message);
}

/** The process ids of the workers that were started so far, in order. */
const started = () => logged("a worker starts").map(({ pid }) => Number(pid));

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const readiness = async () => (await send("/readyz")).status;

describe("several workers", () => {
  test("share the connections of one port and the log", async () => {
    const key = await bench.makeKey("test");
    await times(3 * WORKERS, () => send("/api/v1/documents", key));
    const workers = logged("request answered").map(({ worker }) => worker);
    expect(new Set(workers)).toEqual(new Set([1, 2, 3]));
    expect(logged("listening")).toMatchObject([{ workers: WORKERS }]);
    expect((await runBuilt(["doctor", "--json"], { folder, env })).stdout).toContain(
      `with ${WORKERS} workers`,
    );
  });

  test("count requests together: every answer has another number of remaining requests", async () => {
    const key = await bench.makeKey("test");
    const count = 60;
    const replies = await times(count, () => send("/api/v1/documents", key));
    const remaining = replies.map(({ headers }) => Number(headers["ratelimit-remaining"]));
    expect(remaining.sort((a, b) => b - a)).toEqual(
      Array.from({ length: count }, (_, index) => LIMIT - 1 - index),
    );
  });

  test("accept one document when they get the same idempotency key at once", async () => {
    const key = await bench.makeKey("test");
    const replies = await times(20, () => issue(key, "raced"));
    const accepted = replies.filter(({ status }) => status === 201);
    expect(new Set(accepted.map(idOf)).size).toBe(1);
    expect(accepted.filter(({ headers }) => headers["idempotent-replayed"] === undefined)).toHaveLength(1);
    for (const { status, text } of replies)
      if (status !== 201) expect(JSON.parse(text)).toMatchObject({ code: "idempotency_in_progress" });
  });

  test("wake issuing, which the main process does once for all", async () => {
    const key = await bench.makeKey("test");
    const ids = (await times(9, (index) => issue(key, `issued-${index}`))).map(idOf);
    const statuses = async () =>
      new Set(
        (await Promise.all(ids.map((id) => send(`/api/v1/documents/${id}`, key)))).map(
          ({ text }) => JSON.parse(text).data.status,
        ),
      );
    await expect.poll(statuses).toEqual(new Set(["issued"]));
    expect(logged("provider called").every(({ worker }) => worker === undefined)).toBe(true);
  });

  test("add up their metrics", async () => {
    const read = async () => parseMetrics((await send("/metrics")).text);
    const count = (families: Awaited<ReturnType<typeof read>>) =>
      valueOf(families, "fiscal_http_requests_total", { operation: "listMerchants", status: "200" });
    const before = count(await read());
    const key = await bench.makeKey("test");
    await times(12, () => send("/api/v1/merchants", key));
    const after = await read();
    expect(count(after)).toBe(before + 12);
    expect(valueOf(after, "fiscal_build_info")).toBe(1);
    expect(valueOf(after, "fiscal_http_request_duration_seconds_count", { operation: "listMerchants" })).toBe(
      count(after),
    );
  });

  test("find a file that was uploaded to another one, and its result", async () => {
    const app = {
      request: (path: string, { headers, ...init }: RequestInit) =>
        fetch(server.url + path, {
          ...init,
          headers: { ...Object.fromEntries(new Headers(headers)), connection: "close" },
          redirect: "manual",
        }),
    };
    const visitor = openVisitor(bench.appliance, new Map(), app);
    await visitor.signIn("test");
    const bytes = csvOfRows([rowWith({ reference: "UPLOADED-1" })]);
    const fields = { key: randomUUID(), merchant };
    const sent = await visitor.upload("/console/upload", fields, { name: "week.csv", bytes });
    const path = sent.headers.get("location")!;
    for (let visit = 0; visit < WORKERS; visit += 1)
      expect((await visitor.get(path)).html).toContain("UPLOADED-1");
    const form = fieldsOf(await visitor.get(path));
    expect((await visitor.post(`${path}/issue`, form, { from: path })).status).toBe(303);
    for (let visit = 0; visit < WORKERS; visit += 1) {
      const result = await visitor.download(`${path}/report`);
      expect(result.headers.get("content-disposition")).toContain("attachment");
      expect(Buffer.from(result.bytes).toString()).toContain("UPLOADED-1");
    }
  });

  test("answer a client that ends its side of the connection after the request", async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.end(plainRequest("/healthz"));
    expect(await readToClose(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("lose nothing they answered when one is killed, and it is replaced", async () => {
    const key = await bench.makeKey("test");
    await expect.poll(readiness).toBe(200);
    const requests = async () =>
      valueOf(parseMetrics((await send("/metrics")).text), "fiscal_http_requests_total", {
        operation: "issueDocument",
        status: "201",
      });
    const counted = await requests();
    const accepted: string[] = [];
    let isOver = false;
    const client = async (number: number) => {
      for (let count = 0; !isOver; count += 1) {
        const reply = await issue(key, `killed-${number}-${count}`).catch(() => undefined);
        if (reply?.status === 201) accepted.push(idOf(reply));
      }
    };
    const clients = times(6, client);
    await expect.poll(() => accepted.length).toBeGreaterThan(10);
    const killAndAsk = () => {
      const last = started().at(-1)!;
      if (isRunning(last)) process.kill(last, "SIGKILL");
      return readiness();
    };
    try {
      await expect.poll(killAndAsk).toBe(503);
      await expect.poll(readiness).toBe(200);
    } finally {
      isOver = true;
      await clients;
    }
    const found = await Promise.all(accepted.map((id) => send(`/api/v1/documents/${id}`, key)));
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set([200]));
    const ended = logged("a worker ended; it is started again");
    expect(ended[0]).toMatchObject({ worker: WORKERS, signal: "SIGKILL" });
    expect(await requests()).toBeGreaterThanOrEqual(counted);
    const metrics = parseMetrics((await send("/metrics")).text);
    expect(valueOf(metrics, "fiscal_worker_restarts_total")).toBe(ended.length);
  });

  test("finish requests in progress when the server stops, and end with it", async () => {
    const key = await bench.makeKey("test");
    const body = JSON.stringify(buildIssueBody(merchant));
    /** A request of which the server has the headers, and its answer once `finish` sends the rest. */
    const begin = (index: number) =>
      new Promise<{ answer: Promise<number>; finish: () => void }>((begun, reject) => {
        const headers = {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "idempotency-key": `stopping-${index}`,
          "content-length": String(Buffer.byteLength(body)),
          expect: "100-continue",
        };
        const sent = request(`${server.url}/api/v1/documents`, { method: "POST", headers, agent: false });
        const answer = new Promise<number>((resolve) => {
          sent.on("response", (response) => resolve(response.resume().statusCode!));
        });
        sent.on("error", reject);
        sent.on("continue", () => begun({ answer, finish: () => sent.end(body) }));
        sent.flushHeaders();
      });
    const begun = await times(2 * WORKERS, begin);
    const pids = started();
    const stopped = server.stop();
    await expect.poll(() => logged("stopping")).toHaveLength(1);
    for (const { finish } of begun) finish();
    expect(await Promise.all(begun.map(({ answer }) => answer))).toEqual(begun.map(() => 201));
    expect(await stopped).toBe(0);
    expect(pids.filter(isRunning)).toEqual([]);
  });
});

test("a socket file has its permissions, and works with workers", async () => {
  const path = join(folder, "fiscal.sock");
  const child = spawnBuilt(["serve", "--workers", "2", "--socket", path], { folder, env });
  const exited = once(child, "exit");
  try {
    await once(child.stdout, "data");
    expect((statSync(path).mode & 0o777).toString(8)).toBe("660");
    const socket = connect(path);
    socket.write(plainRequest("/readyz"));
    expect(await readToClose(socket)).toMatch(/^HTTP\/1\.1 200 /);
  } finally {
    child.kill("SIGTERM");
  }
  expect(await exited).toEqual([0, null]);
  expect(existsSync(path)).toBe(false);
});

test.skipIf(!HAS_OPENSSL)(
  "every worker serves https, and loads a renewed certificate at SIGHUP",
  async () => {
    const [first, renewed] = [makePair(folder, "first"), makePair(folder, "renewed")];
    const files = ["--tls-cert", first.certFile, "--tls-key", first.keyFile];
    const child = spawnBuilt(["serve", "--workers", "2", "--port", "0", ...files], { folder, env });
    const exited = once(child, "exit");
    let log = "";
    child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
    try {
      const [line] = (await once(child.stdout, "data")) as [Buffer];
      const port = Number(/:(\d+)$/m.exec(line.toString())?.[1]);
      const fingerprint = () =>
        new Promise<string>((resolve, reject) => {
          const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
            resolve(socket.getPeerX509Certificate()!.fingerprint256);
            socket.end();
          });
          socket.on("error", reject);
        });
      const of = ({ ca }: { ca: Buffer }) => new X509Certificate(ca).fingerprint256;
      expect(await times(2, fingerprint)).toEqual([of(first), of(first)]);
      copyFileSync(renewed.certFile, first.certFile);
      copyFileSync(renewed.keyFile, first.keyFile);
      child.kill("SIGHUP");
      await expect.poll(() => log.match(/"loaded the renewed certificate"/g)).toHaveLength(2);
      expect(await times(2, fingerprint)).toEqual([of(renewed), of(renewed)]);
    } finally {
      child.kill("SIGTERM");
    }
    expect(await exited).toEqual([0, null]);
  },
);

test("limits of connections hold for all workers together", async () => {
  const limits = { ...env, FISCAL_SERVER__MAX_CONNECTIONS: "4" };
  const limited = await startBuilt({ folder, env: limits }, ["--workers", "2"]);
  const { hostname, port } = new URL(limited.url);
  const sockets: Socket[] = [];
  /** The status of the response over a new connection, which stays open. */
  const open = () =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      socket.on("error", () => resolve("none"));
      socket.on("data", (chunk: Buffer) => resolve(chunk.toString().slice(9, 12)));
      socket.write("GET /openapi.json HTTP/1.1\r\nHost: here\r\n\r\n");
    });
  try {
    expect(await times(5, open)).toEqual(["200", "200", "200", "200", "503"]);
    for (const socket of sockets.splice(0, 2)) socket.destroy();
    await expect.poll(open).toBe("200");
  } finally {
    for (const socket of sockets) socket.destroy();
    expect(await limited.stop()).toBe(0);
  }
});

test("the workers end with a main process that is killed, and its port and database are free", async () => {
  const start = (port: string) => startBuilt({ folder, env }, ["--workers", "2", "--port", port]);
  server = await start("0");
  const pids = started();
  const { port } = new URL(server.url);
  await server.kill();
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  server = await start(port);
  expect(logged("other servers use this database: rate limits apply to each server separately")).toEqual([]);
  expect(await readiness()).toBe(200);
});
