/** A restored appliance over HTTP: it can be read, but accepts no documents and contacts nobody. */
import { beforeEach, describe, expect, test } from "vitest";
import { resume } from "../../src/upkeep/resume.ts";
import { NO_RETRIES, buildIssueBody } from "../helpers/appliance.ts";
import { CONNECT, CREDENTIALS, openConnectingServer } from "../helpers/connecting.ts";
import { openDeliveringServer } from "../helpers/delivering.ts";
import { parseMetrics, valueOf } from "../helpers/prometheus.ts";
import { closing, forEachTest } from "../helpers/set-up.ts";

const REFUSED = {
  code: "service_unavailable",
  retryable: true,
  message: expect.stringContaining("until it is resumed"),
};

describe("a held appliance", () => {
  let issued: string;
  let failed: string;
  const server = forEachTest(() => openConnectingServer({ env: NO_RETRIES }));
  beforeEach(async () => {
    const accept = (sandbox: string) => server.issued({ provider: "sandbox", metadata: { sandbox } });
    [issued, failed] = [(await accept("issued")).id, (await accept("unavailable")).id];
    await server.hold();
  });

  test("serves reads", async () => {
    expect((await server.read(`/api/v1/documents/${issued}`)).status).toBe("issued");
    for (const path of ["documents", "events", "merchants", "provider_calls"])
      expect((await server.get(`/api/v1/${path}`)).status).toBe(200);
  });

  test("reports it on /readyz", async () => {
    const { status, body } = await server.get("/readyz", { key: null });
    expect([status, body.status, body.reasons]).toEqual([
      503,
      "held",
      [{ check: "active", message: REFUSED.message, next_step: expect.stringContaining("fiscal resume") }],
    ]);
    expect((await server.get("/healthz", { key: null })).status).toBe(200);
  });

  test("reports it in the metrics", async () => {
    const held = async () => parseMetrics(await (await server.appliance.metrics()).text());
    expect(valueOf(await held(), "fiscal_appliance_held")).toBe(1);
    await resume(server.appliance);
    expect(valueOf(await held(), "fiscal_appliance_held")).toBe(0);
  });

  const connections = () => `/api/v1/merchants/${server.merchant}/connections`;

  test.each<[what: string, path: () => string, body: () => object]>([
    ["accepts no document", () => "/api/v1/documents", () => buildIssueBody(server.merchant)],
    ["stores no credentials", connections, () => CONNECT],
  ])("%s, not even by a repeated request, until it is resumed", async (_what, path, body) => {
    const headers = { "idempotency-key": "once" };
    for (let times = 0; times < 2; times += 1)
      expect(await server.post(path(), body(), { headers })).toMatchObject({ status: 503, body: REFUSED });
    expect([server.provider.asked, await server.read(connections())]).toEqual([[], []]);
    await resume(server.appliance);
    expect((await server.post(path(), body(), { headers })).status).toBe(201);
  });

  test("previews, because that sends nothing", async () => {
    const { document } = buildIssueBody(server.merchant);
    expect((await server.post("/api/v1/documents/preview", document)).status).toBe(200);
  });

  test("neither retries nor cancels", async () => {
    const retried = await server.post(`/api/v1/documents/${failed}/retry`, {});
    const cancelled = await server.post(`/api/v1/documents/${issued}/cancel`, {});
    for (const { status, body } of [retried, cancelled]) expect([status, body]).toMatchObject([503, REFUSED]);
    expect((await server.read(`/api/v1/documents/${failed}`)).status).toBe("failed");
  });

  test("refuses connect links without contacting the provider", async () => {
    const { page } = await server.makeLink();
    const form = new URLSearchParams({ provider: "registry_direct", ...CREDENTIALS });
    const type = "application/x-www-form-urlencoded";
    const headers = { "content-type": type, "sec-fetch-site": "same-origin" };
    const reply = await server.request("POST", page, { key: null, raw: form.toString(), headers });
    expect([reply.status, server.provider.asked]).toEqual([503, []]);
  });

  test("does not query the EU registry, only the sandbox", async () => {
    const live = await server.get("/api/v1/tax_ids/lookup?country=GR&code=123456783", {
      key: server.liveKey,
    });
    expect([live.status, live.body]).toMatchObject([503, REFUSED]);
    expect((await server.get("/api/v1/tax_ids/lookup?country=GR&code=123456783")).status).toBe(200);
  });

  test("issues nothing that was queued", async () => {
    await server.appliance.store.write((trx) =>
      trx
        .query((db) =>
          db
            .updateTable("documents")
            .set({ phase: "queued", status: "pending", error_json: null, next_at: trx.now })
            .where("id", "=", failed),
        )
        .then(() => undefined),
    );
    await server.settle();
    expect((await server.read(`/api/v1/documents/${failed}`)).stage).toBe("queued");
  });
});

test("webhooks of a held appliance wait until the appliance is resumed", async () => {
  await using server = await closing(openDeliveringServer());
  await server.endpoint();
  await server.hold();
  await server.createEvent();
  await server.deliver();
  expect(server.receiver.requests).toEqual([]);
  await resume(server.appliance);
  await server.deliver();
  expect(server.receiver.requests.map(({ event }) => event.type)).toEqual(["merchant.created"]);
});
