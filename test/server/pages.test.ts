import { describe, expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import { preferredLanguage } from "../../server/pages/language.ts";
import { openConnectingServer } from "../helpers/connecting.ts";
import { signedIn } from "../helpers/console.ts";
import { forEachTest } from "../helpers/set-up.ts";

const server = forEachTest(openConnectingServer);

async function ask(path: string, init: RequestInit = {}) {
  const { app } = createApp(server.appliance);
  const response = await app.request(path, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const makeLink = async (extra = {}, sent = {}) => (await server.makeLink(extra, sent)).page;

function post(path: string, entered: Record<string, string>) {
  return ask(path, { method: "POST", body: new URLSearchParams(entered) });
}

test.each([
  [null, "el"],
  ["", "el"],
  ["en", "en"],
  ["el-GR,el;q=0.9,en;q=0.8", "el"],
  ["en-US,en;q=0.9,el;q=0.8", "en"],
  ["de-DE,el;q=0.5", "el"],
  ["de", "en"],
  ["EL", "el"],
  ["en;q=0.2, el;q=0.7", "el"],
  ["fr, en;q=0.7", "en"],
  ["en;q=nonsense", "en"],
] as const)("with Accept-Language %j the page is in %s", (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});

describe("a page", () => {
  test("is in one language, and links to itself in the other", async () => {
    const page = await makeLink({ provider: "registry_direct" });
    const greek = await ask(page, { headers: { "accept-language": "el-GR" } });
    expect(greek.text).toContain('<html lang="el">');
    expect(greek.text).toContain('<a href="?lang=en" hreflang="en" lang="en">English</a>');
    expect(greek.text).not.toContain("Check and connect");
    const english = await ask(`${page}?lang=en`, { headers: { "accept-language": "el-GR" } });
    expect(english.text).toContainAll('<html lang="en">', "Check and connect");
    expect(english.text).not.toContain("Έλεγχος");
    const missing = await post(`${page}?lang=en`, { provider: "registry_direct" });
    expect([missing.status, missing.text.includes("Check these fields")]).toEqual([400, true]);
  });

  test("permits nothing inline or from elsewhere", async () => {
    const visitor = await signedIn(server);
    const strangers = [await makeLink(), "/connect/none", "/sandbox/documents/400000000000001"];
    for (const path of [...strangers, "/console", "/console/nothing", "/console/documents"]) {
      const { headers, html } = await visitor.get(path);
      const policy = headers.get("content-security-policy");
      expect(policy).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action '(?:none|self)'/,
      );
      if (path.startsWith("/console")) expect(policy).toMatch(/; form-action 'self'; connect-src 'self'$/);
      expect(html).not.toMatch(/<style|<script(?! src="[./]+assets\/)|\son\w+=|style=|javascript:|src="http/);
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-request-id")).toMatch(/^req_/);
    }
  });

  test("names its files by their content, cacheable for ever", async () => {
    const { html } = await (await signedIn(server)).get("/console");
    const { text } = await ask(await makeLink());
    const filesOf = (page: string) =>
      [...page.matchAll(/(?:href|src)="(?:\.\.)?\/(assets\/[^"]+)"/g)].map(([, path]) => path!);
    const files = filesOf(text);
    expect([files.length, filesOf(html).length]).toEqual([3, 3]);
    for (const file of [...files, ...filesOf(html)]) {
      expect(file).toMatch(/^assets\/[a-z]+-[0-9a-f]{16}\.(css|js|svg)$/);
      const { status, headers } = await ask(`/${file}`);
      expect(status).toBe(200);
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    }
    expect((await ask("/assets/fiscal-0000000000000000.css")).status).toBe(404);
    expect((await ask("/assets/..%2f..%2fpackage.json")).status).toBe(404);
  });
});

describe("the connect page", () => {
  test("shows which business is connected to what, in which mode, and where it leads", async () => {
    const { text } = await ask(`${await makeLink({ return_url: "https://shop.example/done" })}?lang=en`);
    for (const part of ["Παράδειγμα Α.Ε.", "123456783", "AADE myDATA", "Wrapp", ">TEST<", "shop.example"])
      expect(text).toContain(part);
    expect(text).toContain("mydata-dev-register.azurewebsites.net");
  });

  test("of a live session asks for the live environment's credentials", async () => {
    const { text } = await ask(`${await makeLink({}, { key: server.liveKey })}?lang=en`);
    expect(text).toContain(">LIVE<");
    expect(text).not.toContain("mydata-dev-register");
  });

  test("shows each mistake at its field, and never repeats a secret", async () => {
    const page = `${await makeLink()}?lang=en`;
    const { status, text } = await post(page, {
      provider: "provider_a",
      api_key: " a-secret-key ",
      email: "owner",
      provider_user_id: "",
    });
    expect(status).toBe(400);
    expect(text).toContainAll(
      '<a href="#provider_a-api_key">API key</a>: must not begin or end with white space',
      /<input id="provider_a-api_key"[^>]* aria-describedby="provider_a-api_key-hint provider_a-api_key-mistake" aria-invalid="true"/,
      /<input id="provider_a-email"[^>]* value="owner"[^>]* aria-invalid="true">/,
    );
    expect(text).not.toContain("a-secret-key");
    expect(text).toContain('role="alert" tabindex="-1" autofocus');
    expect(text).not.toContain('id="registry_direct-user_id-mistake"');
  });
});

test("the page of a sandbox document shows what was filed in either language, that it is a test, and nothing about its parties", async () => {
  await server.issued();
  const { text: english } = await ask("/sandbox/documents/400000000000001?lang=en");
  for (const part of ["This is not a fiscal document", "1.1 Sales invoice", "TIM 1", "2 Nov 2026", "€10.33"])
    expect(english).toContain(part);
  const { text: greek } = await ask("/sandbox/documents/400000000000001");
  expect(greek).toContainAll("Δεν είναι φορολογικό παραστατικό", "Τιμολόγιο Πώλησης", "10,33");
  for (const text of [english, greek]) expect(text).not.toMatch(/094012834|123456783|Παράδειγμα|Καφές/);
  expect((await ask("/sandbox/documents/400000000000009")).status).toBe(404);
});

test("the reference without its viewer links to the description", async () => {
  const { status, headers, text } = await ask("/docs");
  expect(status).toBe(503);
  expect(text).toContainAll('<a href="openapi.json">', "npm run build");
  expect(headers.get("content-security-policy")).toContain(
    "script-src 'self'; style-src 'self' 'unsafe-inline'",
  );
  expect((await ask("/docs/")).text).toContain('<a href="../openapi.json">');
  expect((await ask("/docs/assets/viewer-0000000000000000.js")).status).toBe(404);
});

test("the page of a connect link with a trailing slash has its style too", async () => {
  const { app } = createApp(server.appliance);
  for (const [path, root] of [
    ["/connect/abc", "../assets/"],
    ["/connect/abc/", "../../assets/"],
  ] as const) {
    const answer = await app.request(`http://localhost${path}?lang=en`);
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining(`href="${root}`)]);
  }
});
