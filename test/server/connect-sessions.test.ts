// docs/contract.md#limits: Connect session
import { describe, expect, test } from "vitest";
import { expectPage, openVisitor } from "../helpers/console.ts";
import { buildErrorObject } from "../../src/foundation/errors.ts";
import { sameInBoth } from "../../src/foundation/text.ts";
import { AWAY, CREDENTIALS, openConnectingServer } from "../helpers/connecting.ts";
import { REFUSED as REFUSED_SEND } from "../helpers/scripted-provider.ts";
import { forEachTest } from "../helpers/set-up.ts";

const server = forEachTest(openConnectingServer);

/** To the registry. */
const makeLink = (extra = {}, headers = {}) =>
  server.makeLink({ provider: "registry_direct", ...extra }, { headers });

/** Opens the page, or submits its form. */
function visit(page: string, entered?: Record<string, string>, headers: Record<string, string> = {}) {
  const visitor = openVisitor(server.appliance);
  return entered === undefined
    ? visitor.get(page, headers)
    : visitor.post(page, entered, { csrf: null, headers });
}

const ENTERED = { provider: "registry_direct", ...CREDENTIALS };

test("the link is returned only when the session is created", async () => {
  const { id, url } = await makeLink({ return_url: "https://shop.example/done" });
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:8787\/connect\/[0-9A-Za-z_-]{43}$/);
  const { body } = await server.get(`/api/v1/connect_sessions/${id}`);
  expect(body.data).toEqual({
    id,
    object: "connect_session",
    merchant: server.merchant,
    provider: "registry_direct",
    expires_at: "2026-11-21T09:30:00.000Z",
    completed_at: null,
    connection: null,
    created: "2026-11-21T09:00:00.000Z",
  });
  expect((await server.get(`/api/v1/connect_sessions/${id}`, { key: server.liveKey })).status).toBe(404);
});

test("repeating the request with its key returns the same link, which is not stored in clear", async () => {
  const headers = { "idempotency-key": "link-1" };
  const first = await makeLink({}, headers);
  expect(await makeLink({}, headers)).toEqual(first);
  const token = first.page.split("/").at(-1)!;
  const { body } = await server.get("/api/v1/requests?operation_id=createConnectSession");
  expect(body.data).toHaveLength(2);
  for (const { id } of body.data) {
    expect((await server.get(`/api/v1/requests/${id}`)).text).not.toContain(token);
  }
  expect((await server.get("/api/v1/events?limit=100")).text).not.toContain(token);
});

test.each([
  ["an unknown provider", { provider: "sandbox" }],
  ["an address that is no web page", { return_url: "javascript:alert(1)" }],
  ["an address in clear that is not on this machine", { return_url: "http://shop.example/done" }],
  ["an address that only looks like this machine", { return_url: "http://127.0.0.1.shop.example/" }],
  ["an address with a line break", { return_url: "https://shop.example/\r\nSet-Cookie: a=b" }],
  ["an address with a password", { return_url: "https://a:b@shop.example/" }],
  ["an unknown field", { merchant: "x" }],
  ["a provider without an adapter", { provider: "provider_c" }],
])("%s is rejected", async (_what, body) => {
  const path = `/api/v1/merchants/${server.merchant}/connect_sessions`;
  expect((await server.post(path, body)).status).toBe(400);
});

describe("the page", () => {
  test("can be opened any number of times, and escapes what it shows", async () => {
    await server.request("PATCH", `/api/v1/merchants/${server.merchant}`, { body: { name: `<b>"Α&Β"</b>` } });
    const { page } = await makeLink();
    for (let times = 0; times < 3; times += 1) {
      const { status, html } = await visit(page);
      expect(status).toBe(200);
      expect(html).toContain("&#60;b&#62;&#34;Α&#38;Β&#34;&#60;/b&#62;");
      expect(html).not.toContain("<b>");
      expect(html).toContain('name="subscription_key" type="password"');
    }
  });

  test("connects the merchant, reports it, and uses up the link", async () => {
    // This machine needs no TLS.
    const { id, page } = await makeLink({ return_url: "http://localhost:3000/done?a=1&b=2" });
    const done = await visit(`${page}?lang=en`, ENTERED);
    expectPage(done, 200, 'href="http://localhost:3000/done?a=1&#38;b=2" rel="noreferrer"');
    expect(done.html).toContain("Back to localhost:3000");
    expect(done.html).not.toContain("?lang=");
    const { body } = await server.get(`/api/v1/connect_sessions/${id}`);
    expect(body.data).toMatchObject({
      completed_at: "2026-11-21T09:00:00.000Z",
      connection: expect.stringMatching(/^con_/),
    });
    const { body: connection } = await server.get(`/api/v1/connections/${body.data.connection}`);
    expect(connection.data).toMatchObject({ status: "active", merchant: server.merchant, mode: "test" });
    const { body: events } = await server.get("/api/v1/events?type=connect_session.completed");
    expect(events.data[0].data).toEqual({
      object: body.data,
      previous_attributes: { completed_at: null, connection: null },
    });
    expect(events.data[0].request).toBeNull();
    for (const again of [await visit(page), await visit(page, ENTERED)])
      expectPage(again, 410, "already been used");
  });

  test("refused credentials connect nothing, and ten refusals use up the link", async () => {
    const said = { provider_code: "401", provider_message: "<script>alert(1)</script>" };
    const error = buildErrorObject("provider_credentials_invalid", sameInBoth("Refused"), said);
    server.answer({ kind: "refused", error });
    const { page } = await makeLink();
    for (let left = 9; left >= 1; left -= 1) {
      const { status, html } = await visit(page, ENTERED);
      expect([status, html.includes(`Attempts left: ${left}.`)]).toEqual([422, true]);
      expect(html).toContain("401: &#60;script&#62;");
      expect(html).not.toMatch(/key-of-the-shop|<script>alert/);
    }
    expect((await visit(page, ENTERED)).status).toBe(410);
    expect((await visit(page)).status).toBe(410);
    server.answer({ kind: "accepted" });
    expect((await visit(page, ENTERED)).status).toBe(410);
    expect(await server.read(`/api/v1/merchants/${server.merchant}/connections`)).toEqual([]);
  });

  test("invalid input and an unavailable provider do not use up the link", async () => {
    const { page } = await makeLink();
    for (let times = 0; times < 12; times += 1) {
      expectPage(
        await visit(page, { provider: "registry_direct", user_id: "x", subscription_key: "" }),
        400,
        "Subscription key</a>: is required",
      );
    }
    server.answer(AWAY);
    for (let times = 0; times < 12; times += 1) expect((await visit(page, ENTERED)).status).toBe(503);
    server.answer({ kind: "accepted" });
    expect((await visit(page, ENTERED)).status).toBe(200);
  });

  test("expires after half an hour, and an unknown link shows the same page as not found", async () => {
    const { page } = await makeLink();
    server.advance(30 * 60_000);
    expect((await visit(page)).status).toBe(410);
    expectPage(
      await visit("/connect/0000000000000000000000000000000000000000000"),
      404,
      "<h1>This link is not valid</h1>",
    );
  });

  test("concurrent submissions connect once", async () => {
    const { page } = await makeLink();
    const statuses = (await Promise.all([visit(page, ENTERED), visit(page, ENTERED)])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([200, 410]);
    expect((await server.read(`/api/v1/merchants/${server.merchant}/connections`)).length).toBe(1);
  });

  test("reports that the merchant is already connected", async () => {
    await server.connect();
    const { page } = await makeLink();
    expect((await visit(page, ENTERED)).status).toBe(409);
  });

  test("new credentials replace refused ones, and waiting documents continue", async () => {
    const old = await server.connect();
    const { body } = await server.issue();
    server.provider.expect({
      asked: "issue",
      answer: () => ({ kind: "credentials_refused", error: REFUSED_SEND }),
    });
    await server.settle();
    const { page } = await makeLink();
    server.provider.issues("400000000000001");
    expect((await visit(page, ENTERED)).status).toBe(200);
    await server.settle();
    expect((await server.read(`/api/v1/documents/${body.data.id}`)).status).toBe("issued");
    expect((await server.read(`/api/v1/connections/${old}`)).status).toBe("disconnected");
  });

  test.each([
    ["another site", { "sec-fetch-site": "cross-site" }, 403],
    ["another host of the same site", { "sec-fetch-site": "same-site" }, 403],
    ["another kind of form", { "content-type": "text/plain" }, 415],
  ])("a form from %s is rejected with a page that says what to do", async (_what, headers, status) => {
    const { page } = await makeLink();
    const refused = await visit(page, ENTERED, headers);
    expect(refused.status).toBe(status);
    expect(refused.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(refused.html).toContain("Open the link you received");
    expect(server.provider.asked).toEqual([]);
    expect((await visit(page)).status).toBe(200);
  });

  test("an oversized form is rejected with a page", async () => {
    const { page } = await makeLink();
    const { status, html } = await visit(page, { ...ENTERED, user_id: "x".repeat(40_000) });
    expect([status, html.includes("The form was not accepted")]).toEqual([413, true]);
  });
});
