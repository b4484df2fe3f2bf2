import { describe, expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import { createConsoleLink, endAllConsoleSessions } from "../../src/console/sign-in.ts";
import { listKeys, revokeKey } from "../../src/keys/api-keys.ts";
import { csrfOf, expectPage, openVisitor, OVERVIEW_AND_LISTS, signedIn } from "../helpers/console.ts";
import { openServer } from "../helpers/http.ts";
import { forEachTest, closing } from "../helpers/set-up.ts";
import { cookieNames } from "../../server/pages/console/page-responses.ts";

const server = forEachTest(() => openServer({ env: { FISCAL_RATE_LIMIT__FAILED_AUTH: "30" } }));
const visitor = forEachTest(() => openVisitor(server.appliance));

const MINUTE_MS = 60_000;
const SIGN_IN = "/console/sign-in";

async function makeLink(mode: "test" | "live" = "test"): Promise<string> {
  return new URL((await createConsoleLink(server.appliance, mode)).url).pathname;
}

function submitKey(key: string, by = visitor) {
  return by.post(SIGN_IN, { key }, { from: SIGN_IN });
}

describe("a link", () => {
  test("can be opened without being used up, and signs in once", async () => {
    const link = await makeLink();
    for (let times = 0; times < 3; times += 1) {
      expectPage(await visitor.get(link), 200, "TEST");
    }
    const done = await visitor.post(link, {}, { from: link });
    expect([done.status, done.headers.get("location")]).toEqual([303, "/console"]);
    expectPage(await visitor.follow(done), 200, "You are signed in.");
    const other = openVisitor(server.appliance);
    const again = await other.get(link);
    expectPage(again, 410, "it has been used");
    expect((await other.post(link, {}, { csrf: csrfOf(again.html) })).status).toBe(410);
    expect((await other.get("/console")).status).toBe(303);
  });

  test("signs in only one of two concurrent requests", async () => {
    const link = await makeLink();
    const all = [openVisitor(server.appliance), openVisitor(server.appliance)];
    const statuses = await Promise.all(
      all.map(async (one) => (await one.post(link, {}, { from: link })).status),
    );
    expect(statuses.toSorted()).toEqual([303, 410]);
  });

  test("expires after ten minutes", async () => {
    const link = await makeLink();
    server.advance(10 * MINUTE_MS - 1);
    expect((await visitor.get(link)).status).toBe(200);
    server.advance(1);
    expectPage(await visitor.get(link), 410, "expired");
  });

  test("that never existed is not found", async () => {
    expect((await visitor.get(`${SIGN_IN}/${"0".repeat(43)}`)).status).toBe(404);
  });

  test("is stored only as a hash, like the cookie", async () => {
    const link = await makeLink();
    await visitor.post(link, {}, { from: link });
    const secrets = [link.split("/").at(-1)!, visitor.cookies.get("fiscal_console")!];
    const rows = await server.appliance.store.read.query((db) => db.selectFrom("console_links").selectAll());
    const sessions = await server.appliance.store.read.query((db) =>
      db.selectFrom("console_sessions").selectAll(),
    );
    expect([rows.length, sessions.length]).toEqual([1, 1]);
    for (const secret of secrets) {
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(JSON.stringify([rows, sessions, server.logged])).not.toContain(secret);
    }
  });
});

describe("a key", () => {
  test("signs in to its mode", async () => {
    expect((await submitKey(server.liveKey)).status).toBe(303);
    expect((await visitor.get("/console")).html).toContain("LIVE");
  });

  test("that is not accepted does not sign in and is not shown again", async () => {
    const wrong = `${server.testKey.slice(0, -1)}#`;
    const shown = await submitKey(wrong);
    expectPage(shown, 401, "not accepted");
    expect(shown.html).not.toContain(wrong);
    expect(visitor.cookies.has("fiscal_console")).toBe(false);
  });

  test("ends its sessions when it is revoked, but not those of links", async () => {
    await submitKey(server.testKey);
    const byLink = await signedIn(server);
    expect((await visitor.get("/console")).status).toBe(200);
    const key = (await listKeys(server.appliance)).find(({ mode }) => mode === "test")!;
    await revokeKey(server.appliance, key.id);
    expect((await visitor.get("/console")).headers.get("location")).toBe(SIGN_IN);
    expect((await byLink.get("/console")).status).toBe(200);
  });

  test("that is empty is asked for, and is no attempt", async () => {
    const { failedAuth } = server.appliance.config.rateLimit;
    for (let times = 0; times <= failedAuth; times += 1)
      expectPage(await submitKey(" "), 400, "API key is required");
  });

  test("is rate-limited after too many failures from its address, but a valid key never is", async () => {
    const { failedAuth } = server.appliance.config.rateLimit;
    for (let times = 0; times < failedAuth; times += 1) expect((await submitKey("wrong")).status).toBe(401);
    const held = await submitKey("wrong");
    expect(held.status).toBe(429);
    expect(Number(held.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect((await visitor.get(`${SIGN_IN}/${"0".repeat(43)}`)).status).toBe(429);
    expect((await submitKey(server.testKey)).status).toBe(303);
  });
});

describe("a session", () => {
  test("uses a cookie that is inaccessible to scripts, other sites and other paths", async () => {
    const link = await makeLink();
    const done = await visitor.post(link, {}, { from: link });
    const cookie = done.headers.getSetCookie().find((one) => one.startsWith("fiscal_console="));
    expect(cookie).toMatch(
      /^fiscal_console=[\w-]{43}; Max-Age=648000; Path=\/console; HttpOnly; SameSite=Strict$/,
    );
  });

  test("is marked Secure if the server is reached by https", async () => {
    const link = await makeLink();
    const headers = { "x-forwarded-proto": "https" };
    const done = await visitor.post(link, {}, { from: link, headers });
    const cookies = done.headers.getSetCookie();
    expect(cookies).toContainEqual(expect.stringMatching(/^fiscal_console=/));
    for (const cookie of cookies) expect(cookie).toMatch(/; Secure;/);
  });

  test("ends after twelve hours", async () => {
    await visitor.signIn("test");
    server.advance(12 * 60 * MINUTE_MS - 1);
    expect((await visitor.get("/console")).status).toBe(200);
    server.advance(1);
    expect((await visitor.get("/console")).status).toBe(303);
  });

  test("ends by signing out, also on the server", async () => {
    await visitor.signIn("test");
    const cookie = `fiscal_console=${visitor.cookies.get("fiscal_console")}`;
    expectPage(await visitor.follow(await visitor.post("/console/sign-out")), 200, "You are signed out.");
    const replayed = await openVisitor(server.appliance).get("/console", { cookie });
    expect(replayed.headers.get("location")).toBe(SIGN_IN);
  });

  test("ends when its browser signs in again", async () => {
    await visitor.signIn("test");
    const cookie = `fiscal_console=${visitor.cookies.get("fiscal_console")}`;
    await visitor.signIn("live");
    expect((await openVisitor(server.appliance).get("/console", { cookie })).status).toBe(303);
  });

  test.each(["", "x", "0".repeat(43), `${"0".repeat(42)};`])(
    "is not opened by the cookie %j",
    async (value) => {
      expect((await visitor.get("/console", { cookie: `fiscal_console=${value}` })).status).toBe(303);
    },
  );

  test("ends with all others, and with every link, when the operator ends them", async () => {
    const other = openVisitor(server.appliance);
    await visitor.signIn("test");
    await other.signIn("live");
    const link = await makeLink();
    expect(await endAllConsoleSessions(server.appliance)).toBe(2);
    for (const one of [visitor, other]) expect((await one.get("/console")).status).toBe(303);
    expect((await visitor.get(link)).status).toBe(404);
  });

  test("sees nothing of the other mode", async () => {
    const { body } = await server.issue();
    await visitor.signIn("live");
    expect((await visitor.get(`/console/documents/${body.data.id}`)).status).toBe(404);
    expect((await visitor.get("/console/documents")).html).not.toContain(body.data.id);
    expect((await visitor.get(`/console/documents?q=${body.data.id}`)).html).toContain("Nothing found");
    expect((await visitor.post(`/console/documents/${body.data.id}/retry`)).status).toBe(404);
  });
});

test.each([...OVERVIEW_AND_LISTS, "/x"])("a visitor who is not signed in sees /console%s", async (path) => {
  const shown = await visitor.get(`/console${path}`);
  expect([shown.status, shown.headers.get("location")]).toEqual([303, SIGN_IN]);
});

test("a visitor who is not signed in gets 401 for a page refresh", async () => {
  const shown = await visitor.get("/console", { "x-fiscal-live": "1" });
  expect([shown.status, shown.html]).toEqual([401, "The session has ended"]);
});

describe("the body of a form", () => {
  /** Posts a body of which only the beginning exists. Returns the status and whether any of it was read. */
  async function postUnread(path: string, cookies = new Map<string, string>()) {
    let wasRead = false;
    const body = new ReadableStream({ pull: () => void (wasRead = true) }, { highWaterMark: 0 });
    const { app } = createApp(server.appliance);
    const response = await app.request(path, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "sec-fetch-site": "same-origin",
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      },
      body,
      duplex: "half",
    } as RequestInit);
    return { status: response.status, wasRead };
  }

  test.each([
    "/console/upload/continue",
    "/console/upload",
    "/console/new",
    "/console/new/change",
    "/console/language/x",
  ])("to %s is not read from a browser that never had a session", async (path) => {
    expect(await postUnread(path)).toEqual({ status: 401, wasRead: false });
  });

  const typed = (fields: number) =>
    Object.fromEntries(Array.from({ length: fields }, (_, index) => [`line_${index}`, "x"]));

  test("is kept if the session is over, up to 400 fields and 64 KB", async () => {
    await visitor.signIn("test");
    const csrf = csrfOf((await visitor.get("/console/new")).html);
    server.advance(13 * 60 * MINUTE_MS);
    const send = (fields: Record<string, string>) => visitor.post("/console/new/preview", fields, { csrf });
    expectPage(await send(typed(390)), 401, "line_389");
    for (const fields of [typed(400), { note: "x".repeat(66_000) }]) {
      const shown = await send(fields);
      expect([
        shown.status,
        shown.html.includes("Sign in and try again"),
        shown.html.includes("line_1"),
      ]).toEqual([401, true, false]);
    }
  });

  test("with a file has at most 12,000 fields, which are counted before it is parsed", async () => {
    await visitor.signIn("test");
    const shown = await visitor.upload("/console/upload", typed(12_001), { name: "a.csv", bytes: "x" });
    expect(shown.status).toBe(413);
    const taken = await visitor.upload("/console/upload", typed(100), { name: "a.csv", bytes: "x" });
    expect(taken.status).not.toBe(413);
    const headers = { "content-type": 'multipart/form-data; of="boundary=x"; boundary=y' };
    expect((await visitor.post("/console/upload", {}, { headers })).status).toBe(415);
  });

  test("of a session is at most 512 KB and 12,000 fields", async () => {
    await visitor.signIn("test");
    for (const fields of [typed(12_001), { note: "x".repeat(530_000) }])
      expect(await visitor.post("/console/new/preview", fields)).toMatchObject({ status: 413 });
  });
});

test("requests without a session are limited for each address, and a session's are not among them", async () => {
  await using limited = await closing(openServer({ env: { FISCAL_RATE_LIMIT__PAGES: "3" } }));
  const stranger = openVisitor(limited.appliance);
  const statuses: number[] = [];
  for (const path of ["/console", "/console/sign-in", `/connect/cs_${"x".repeat(43)}`, "/console"])
    statuses.push((await stranger.get(path)).status);
  expect(statuses).toEqual([303, 200, 404, 429]);
  const last = await stranger.get("/connect/unknown");
  expect([last.status, Number(last.headers.get("retry-after")) > 0]).toEqual([429, true]);
});

test("deletes expired links and sessions at night", async () => {
  const { deleteExpiredData } = await import("../../src/upkeep/retention/retention.ts");
  await makeLink();
  await visitor.signIn("test");
  expect((await deleteExpiredData(server.appliance)).console_sessions).toBe(0);
  server.advance(13 * 60 * MINUTE_MS);
  expect((await deleteExpiredData(server.appliance)).console_sessions).toBe(0);
  // Known for a week, so that what was filled in is not lost.
  server.advance(7 * 24 * 60 * MINUTE_MS);
  expect((await deleteExpiredData(server.appliance)).console_sessions).toBe(3);
});

describe("cookies", () => {
  test.each([
    ["", "http://localhost:8787/console", "fiscal_console_8787"],
    ["", "http://localhost/console", "fiscal_console"],
    ["https://fiscal.example", "http://127.0.0.1:8787/console", "fiscal_console"],
    ["https://fiscal.example:8443", "http://127.0.0.1:8787/console", "fiscal_console_8443"],
  ])("with the public address %j a request for %s has the cookie %s", (publicUrl, asked, name) => {
    const names = cookieNames(publicUrl, new URL(asked));
    expect(names.session).toBe(name);
    for (const other of [names.visitor, names.flash, names.language, names.merchant])
      expect(other.startsWith(`${name}_`)).toBe(true);
    expect(new Set(Object.values(names)).size).toBe(5);
  });

  test("of two consoles on one host: one browser uses both, and neither signs it out of the other", async () => {
    await using other = await closing(openServer());
    const servers = [server, other];
    // Browsers keep one cookie jar for all ports of a host.
    const jar = new Map<string, string>();
    const visitors = servers.map(({ appliance }) => openVisitor(appliance, jar));
    const at = (index: number, path: string) => `http://127.0.0.1:${9001 + index}${path}`;
    for (const [index, browser] of visitors.entries()) {
      const { url } = await createConsoleLink(servers[index]!.appliance, "test");
      const link = at(index, new URL(url).pathname);
      expect((await browser.post(link, {}, { from: link })).status).toBe(303);
    }
    for (const [index, browser] of visitors.entries())
      expect((await browser.get(at(index, "/console"))).status).toBe(200);
    const out = await visitors[0]!.post(at(0, "/console/sign-out"), {}, { from: at(0, "/console") });
    expect(out.status).toBe(303);
    expect((await visitors[0]!.get(at(0, "/console"))).status).toBe(303);
    expect((await visitors[1]!.get(at(1, "/console"))).status).toBe(200);
  });
});
