import { describe, expect, test } from "vitest";
import { NO_RETRIES } from "../helpers/appliance.ts";
import { openConnectingServer, REFUSED } from "../helpers/connecting.ts";
import { csrfOf, expectPage, signedIn } from "../helpers/console.ts";
import { forEachTest } from "../helpers/set-up.ts";

const server = forEachTest(() => openConnectingServer({ env: NO_RETRIES }));
const visitor = forEachTest(() => signedIn(server));

/** Issues a document through a sandbox scenario. */
async function issue(scene: string): Promise<string> {
  return (await server.issued({ provider: "sandbox", metadata: { sandbox: scene } })).id;
}

const documentOf = (id: string) => server.read(`/api/v1/documents/${id}`);

describe("a form is rejected without effect", () => {
  test.each([
    ["without a token", { csrf: null }],
    ["with an empty token", { csrf: "" }],
    ["with a wrong token", { csrf: "0".repeat(43) }],
    ["from another site", { headers: { "sec-fetch-site": "cross-site" } }],
    [
      "without a token, with the origin of a sandboxed frame on plain http",
      { csrf: null, headers: { "sec-fetch-site": "", origin: "null" } },
    ],
    ["from another site of the same domain", { headers: { "sec-fetch-site": "same-site" } }],
  ])("%s", async (_how, options) => {
    const id = await issue("unavailable");
    expectPage(await visitor.post(`/console/documents/${id}/retry`, {}, options), 403, "nothing was changed");
    expect((await documentOf(id)).status).toBe("failed");
  });

  test("with another session's token", async () => {
    const id = await issue("unavailable");
    const other = await signedIn(server);
    const csrf = csrfOf((await other.get("/console")).html);
    expect((await visitor.post(`/console/documents/${id}/retry`, {}, { csrf })).status).toBe(403);
    const headers = { cookie: `fiscal_console=${other.cookies.get("fiscal_console")}` };
    const own = csrfOf((await visitor.get("/console")).html);
    expect((await visitor.post(`/console/documents/${id}/retry`, {}, { csrf: own, headers })).status).toBe(
      403,
    );
    expect((await documentOf(id)).status).toBe("failed");
  });

  test("from another origin, in a browser that sends only Origin", async () => {
    const link = `/console/documents/${await issue("unavailable")}/retry`;
    const headers = { "sec-fetch-site": "", origin: "https://elsewhere.example", host: "127.0.0.1" };
    expect((await visitor.post(link, {}, { headers })).status).toBe(403);
  });

  test("with another content type", async () => {
    const headers = { "content-type": "application/json" };
    expect((await visitor.post("/console/sign-out", {}, { headers })).status).toBe(415);
    expect((await visitor.get("/console")).status).toBe(200);
  });
});

describe("documents", () => {
  test("a failed document can be queued again, with a one-time message", async () => {
    const failed = await issue("unavailable");
    expectPage(await visitor.get("/console"), 200, `action="/console/documents/${failed}/retry"`);
    const done = await visitor.post(`/console/documents/${failed}/retry`, { next: "/console?x=1" });
    expect([done.status, done.headers.get("location")]).toEqual([303, "/console?x=1"]);
    expect((await documentOf(failed)).status).toBe("pending");
    expect((await visitor.get("/console")).html).toContain("Failed documents queued again: 1.");
    expect((await visitor.get("/console")).html).not.toContain("Failed documents queued again: 1.");
    const { body } = await server.get(`/api/v1/events?document=${failed}&type=document.retried`);
    expect(body.data[0].request).toBeNull();
  });

  test("an issued document is cancelled after confirmation", async () => {
    const id = await issue("issued");
    expect((await visitor.get(`/console/documents/${id}`)).html).toContain(`/console/documents/${id}/cancel`);
    expect((await visitor.get(`/console/documents/${id}/cancel`)).html).toContain("cannot be undone");
    expect((await documentOf(id)).cancelled_at).toBeNull();
    const done = await visitor.post(`/console/documents/${id}/cancel`);
    expect((await visitor.follow(done)).html).toContain("The document was cancelled.");
    expect((await documentOf(id)).cancelled_at).not.toBeNull();
  });

  test("an impossible action shows the reason and a link back", async () => {
    const id = await issue("rejected");
    const shown = await visitor.post(`/console/documents/${id}/retry`, { next: `/console/documents/${id}` });
    expectPage(shown, 409, "Only a failed document can be retried");
    expect(shown.html).toContain(`href="/console/documents/${id}"`);
  });

  test.each([
    "https://elsewhere.example/",
    "//elsewhere.example/",
    "/consoles",
    "/console/\r\nset-cookie: a=b",
  ])("a form does not redirect to %j", async (next) => {
    const id = await issue("unavailable");
    const done = await visitor.post(`/console/documents/${id}/retry`, { next });
    expect(done.headers.get("location")).toBe(`/console/documents/${id}`);
  });
});

describe("connections", () => {
  test("a refused connection is on the overview, and can be verified there", async () => {
    const id = await server.connect();
    server.answer(REFUSED);
    await server.post(`/api/v1/connections/${id}/verify`, {});
    expect((await visitor.get("/console")).html).toContain(`action="/console/connections/${id}/verify"`);
    const still = await visitor.follow(await visitor.post(`/console/connections/${id}/verify`));
    expect(still.html).toContain("does not accept the credentials");
    server.answer({ kind: "accepted" });
    const mended = await visitor.follow(await visitor.post(`/console/connections/${id}/verify`));
    expect(mended.html).toContain("the connection is active");
    expect((await visitor.get("/console")).html).toContain("Nothing needs your attention");
  });

  test("is disconnected after confirmation", async () => {
    const id = await server.connect();
    const page = `/console/connections/${id}/disconnect`;
    expect((await visitor.get(page)).html).toContain("Disconnect this connection?");
    expect((await visitor.post(page)).status).toBe(303);
    expect((await server.read(`/api/v1/connections/${id}`)).status).toBe("disconnected");
  });

  test("a connect link is shown once, and works", async () => {
    const shown = await visitor.follow(
      await visitor.post(`/console/merchants/${server.merchant}/connect-link`),
    );
    expect(shown.html).toContain("shown only now and is valid for 30 minutes");
    const link = /http:\/\/127\.0\.0\.1:8787(\/connect\/[\w-]{43})</.exec(shown.html)?.[1] ?? "";
    expect((await visitor.get(link)).status).toBe(200);
    expect((await visitor.get(`/console/merchants/${server.merchant}`)).html).not.toContain(link);
  });
});

test("webhook endpoints can be disabled and enabled, and held events replayed", async () => {
  const { body } = await server.post("/api/v1/webhook_endpoints", {
    url: "http://127.0.0.1:9/hook",
    enabled_events: ["*"],
  });
  const page = `/console/webhooks/${body.data.id}`;
  await visitor.post(`${page}/disable`);
  await issue("issued");
  expect((await visitor.get(page)).html).toContain("Held");
  expectPage(await visitor.post(`${page}/replay`), 409, "enable it first");
  expect((await visitor.follow(await visitor.post(`${page}/enable`))).html).toContain("It was saved.");
  const replayed = await visitor.follow(await visitor.post(`${page}/replay`));
  expect(replayed.html).toContain("Queued for delivery: 2.");
  expect(replayed.html).not.toContain(body.data.secret);
});

test("applies a chosen language to later pages, and returns to the same page", async () => {
  const path = "/console/documents?status=failed";
  const { html } = await visitor.get(path);
  const [, next = ""] = /action="\/console\/language">.*? name="next" value="([^"]*)"/.exec(html)!;
  const done = await visitor.post("/console/language", { language: "el", next });
  expect(done.headers.get("location")).toBe(path);
  expectPage(await visitor.follow(done), 200, '<html lang="el"', "Παραστατικά");
  await visitor.post("/console/language", { language: "<b>" });
  expect((await visitor.get("/console")).html).toContain('<html lang="el"');
});
