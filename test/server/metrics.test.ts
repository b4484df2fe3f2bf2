import { beforeEach, describe, expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import { backUpWhenDue } from "../../src/upkeep/backup/backup-schedule.ts";
import { openDeliveringServer } from "../helpers/delivering.ts";
import { openServer } from "../helpers/http.ts";
import { hasPromtool, parseMetrics, runPromtool, valueOf } from "../helpers/prometheus.ts";
import { openServingPlace, plainRequest, statusIn } from "../helpers/serving.ts";
import { forEachTest, closing } from "../helpers/set-up.ts";

const FORM = "text/plain; version=0.0.4; charset=utf-8";

const server = forEachTest(openDeliveringServer);
beforeEach(() => server.appliance.metrics());

const read = async () => parseMetrics(await (await server.appliance.metrics()).text());

describe("the metrics", () => {
  test("are valid for Prometheus, follow its naming conventions, and have no ids in labels", async () => {
    await server.endpoint();
    await server.issued();
    await server.deliver();
    for (const { name, type, samples } of await read()) {
      if (!name.startsWith("fiscal_")) continue;
      expect(name).toMatch(
        type === "counter" ? /_total$/ : /(?:_seconds|_bytes|_info|_pending|_waiting|_held)$/,
      );
      for (const { labels } of samples)
        for (const value of Object.values(labels)) expect(value).not.toMatch(/_[0-9A-Za-z]{22}|\d{9}/);
    }
  });

  test.skipIf(!hasPromtool)("pass `promtool check metrics` without suggestions", async () => {
    await server.issue();
    const text = await (await server.appliance.metrics()).text();
    expect(runPromtool(["check", "metrics"], text)).toEqual({ code: 0, said: "" });
  });

  test("count requests, documents, exchanges with providers and deliveries as they happen", async () => {
    await server.endpoint();
    for (const scene of ["issued", "rejected"]) await server.issue({ metadata: { sandbox: scene } });
    await server.get("/api/v1/documents/doc_0000000000000000000000");
    const waiting = await read();
    const of = (mode: string, stage: string) => valueOf(waiting, "fiscal_documents_pending", { mode, stage });
    expect([of("test", "queued"), of("live", "queued")]).toEqual([2, 0]);
    expect(valueOf(waiting, "fiscal_webhook_deliveries_waiting")).toBe(2);

    server.advance(60_000);
    expect(
      valueOf(await read(), "fiscal_documents_pending_age_seconds", { mode: "test" }),
    ).toBeGreaterThanOrEqual(60);
    await server.settle();
    await server.deliver();
    const metrics = await read();
    const requests = (operation: string, status: string) =>
      valueOf(metrics, "fiscal_http_requests_total", { operation, status });
    expect([requests("issueDocument", "201"), requests("getDocument", "404")]).toEqual([2, 1]);
    expect(
      valueOf(metrics, "fiscal_http_request_duration_seconds_count", { operation: "issueDocument" }),
    ).toBe(2);
    for (const [status, count] of Object.entries({ accepted: 2, issued: 1, rejected: 1 })) {
      const labels = { status, provider: "sandbox", mode: "test" };
      expect(valueOf(metrics, "fiscal_documents_total", labels)).toBe(count);
    }
    const calls = { provider: "sandbox", operation: "issue", outcome: "ok" };
    expect(valueOf(metrics, "fiscal_provider_calls_total", calls)).toBeGreaterThan(0);
    expect(valueOf(metrics, "fiscal_webhook_attempts_total", { outcome: "delivered" })).toBe(4);
    expect(valueOf(metrics, "fiscal_documents_pending_age_seconds", { mode: "test" })).toBe(0);
    expect(valueOf(metrics, "fiscal_database_size_bytes", { file: "database" })).toBeGreaterThan(0);
  });

  test("a repeated creation counts as a request but not as a document", async () => {
    const headers = { "idempotency-key": "once-and-no-more" };
    for (let count = 0; count < 2; count += 1) await server.issue({}, { headers });
    const labels = { status: "accepted", provider: "sandbox", mode: "test" };
    expect(valueOf(await read(), "fiscal_documents_total", labels)).toBe(1);
  });
});

test("a schedule without any backup reports when it began, and no schedule reports 0", async () => {
  const name = "fiscal_backup_timestamp_seconds";
  expect(valueOf(await read(), name, {})).toBe(0);
  await using other = await closing(
    openServer({
      env: { FISCAL_BACKUP__SCHEDULE: "30 3 * * *", FISCAL_BACKUP__DIRECTORY: "kept" },
    }),
  );
  const fail = () => Promise.reject(new Error("no room"));
  const began = other.appliance.clock.nowMs();
  await backUpWhenDue(other.appliance, fail);
  other.advance(86_400_000);
  await backUpWhenDue(other.appliance, fail);
  const figures = parseMetrics(await (await other.appliance.metrics()).text());
  expect(valueOf(figures, name, {})).toBe(began / 1000);
});

test("each unit of work is one line in the log, without secrets", async () => {
  const { secret } = await server.endpoint();
  await server.issued();
  await server.deliver();
  const lines = server.logged.filter((line) => line.startsWith("info:"));
  const line = lines.find((text) => text.includes("request answered") && text.includes("issueDocument"));
  expect(line).toMatch(
    /"request_id":".*"operation":"issueDocument","source":"api","status":201,"ms":\d+,"bytes":\d+/,
  );
  expect(
    lines.some((text) =>
      /provider called .*"provider":"sandbox","operation":"issue","outcome":"ok"/.test(text),
    ),
  ).toBe(true);
  expect(lines.some((text) => /delivery attempted .*"outcome":"delivered","status":200/.test(text))).toBe(
    true,
  );
  for (const text of lines)
    for (const hidden of [secret, server.testKey, "123456783"]) expect(text).not.toContain(hidden);
});

describe("GET /metrics", () => {
  const place = forEachTest(openServingPlace);

  test("serves this machine, but nobody behind a proxy", async () => {
    const url = `${(await place.start()).url}/metrics`;
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, FORM]);
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
    parseMetrics(await answer.text());
    for (const name of [
      "x-forwarded-for",
      "forwarded",
      "x-real-ip",
      "x-forwarded-host",
      "x-forwarded-proto",
      "via",
    ]) {
      const refused = await fetch(url, { headers: { [name]: "127.0.0.1" } });
      expect(refused.status).toBe(404);
      expect(await refused.text()).toContain("server.metrics_token");
    }
  });

  test("refuses pages that use DNS rebinding", async () => {
    const { port } = await place.start();
    const ask = async (host: string) =>
      statusIn(await place.ask(port, plainRequest("/metrics", [`Host: ${host}`])));
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
      expect(await ask(host)).toBe(200);
    for (const host of [`rebound.example:${port}`, "localhost.rebound.example", "127.0.0.1.rebound.example"])
      expect(await ask(host)).toBe(404);
  });

  test("refuses clients without a local socket", async () => {
    const { app } = createApp(server.appliance);
    expect((await app.request("/metrics")).status).toBe(404);
  });

  test("with a token serves clients that have it, from anywhere", async () => {
    const other = await openServer({ env: { FISCAL_SERVER__METRICS_TOKEN: "a-token-of-the-monitoring" } });
    const { app } = createApp(other.appliance);
    const ask = (headers: Record<string, string>) => app.request("/metrics", { headers });
    const refused = await ask({ authorization: "Bearer a-token-of-the-monitorinG" });
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer realm="service"',
    ]);
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization: `Bearer ${other.testKey}` })).status).toBe(401);
    expect((await ask({ authorization: "Bearer a-token-of-the-monitoring" })).status).toBe(200);
    await other.close();
  });
});
