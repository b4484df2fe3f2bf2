/** The pages in a browser, used as people use them. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createServer, type HttpServer } from "../../server/listen.ts";
import { makeFolder } from "../helpers/folder.ts";
import { buildIssueBody } from "../helpers/appliance.ts";
import { type Browser, hasBrowser, startBrowser, type WatchedPage } from "../helpers/browser.ts";
import { CREDENTIALS, openConnectingServer, REFUSED } from "../helpers/connecting.ts";
import { tabTo } from "../helpers/console-browser.ts";
import { startBuilt } from "../helpers/server-process.ts";
import { forEachTest } from "../helpers/set-up.ts";

/** Created by `npm run build`. */
const VIEWER = resolve(import.meta.dirname, "../../dist/pages");

const PHONE = { viewport: { width: 360, height: 740 } } as const;
const ENGLISH = { locale: "en-GB" } as const;

describe.skipIf(!hasBrowser)("in a browser", () => {
  let browser: Browser;
  let http: HttpServer;
  let origin: string;
  const opened: WatchedPage[] = [];

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  const server = forEachTest(() => openConnectingServer({ env: { FISCAL_SERVER__PORT: "0" } }));
  beforeEach(async () => {
    http = createServer(server.appliance, VIEWER);
    origin = (await http.start()).url;
  });
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.context().close();
    await http.stop();
  });

  async function open(path: string, options: BrowserContextOptions = ENGLISH): Promise<WatchedPage> {
    const page = await browser.open(origin, options);
    opened.push(page);
    await page.goto(origin + path);
    return page;
  }

  async function makeLink(extra: object = { provider: "registry_direct" }): Promise<string> {
    const { body } = await server.post(`/api/v1/merchants/${server.merchant}/connect_sessions`, extra);
    return new URL(body.data.url).pathname;
  }

  async function enter(page: WatchedPage): Promise<void> {
    await page.fill("#registry_direct-user_id", CREDENTIALS.user_id);
    await page.fill("#registry_direct-subscription_key", CREDENTIALS.subscription_key);
  }

  const submit = (page: WatchedPage) => page.click("form button");
  const heading = (page: WatchedPage) => page.textContent("h1");
  const overflows = (page: WatchedPage) =>
    page.evaluate<boolean>("document.documentElement.scrollWidth > window.innerWidth");

  /** A rejected form has an error status, which browsers log as an error of the page. */
  const unexpected = (page: WatchedPage) =>
    page
      .troubles()
      .filter((trouble) => !/^console: Failed to load resource.* (400|409|410|422|503) /.test(trouble));

  async function expectSound(page: WatchedPage): Promise<void> {
    expect(await page.violations()).toEqual([]);
    expect(unexpected(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
  }

  describe("a connect link", () => {
    test("connects the merchant with the keyboard, and returns to the shop", async () => {
      const page = await open(await makeLink({ return_url: "https://shop.example/done" }), {
        locale: "el-GR",
      });
      expect(await heading(page)).toBe("Σύνδεση: Παράδειγμα Α.Ε.");
      await page.click("header a");
      expect(await heading(page)).toBe("Connect Παράδειγμα Α.Ε.");
      await tabTo(page, "#registry_direct-user_id");
      await page.keyboard.type(CREDENTIALS.user_id);
      await page.keyboard.press("Tab");
      await page.keyboard.type(CREDENTIALS.subscription_key);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".done");
      expect(await heading(page)).toBe("Connected");
      expect(await page.getAttribute("a.button", "href")).toBe("https://shop.example/done");
      await expectSound(page);
      const { body } = await server.get(`/api/v1/merchants/${server.merchant}/connections`);
      expect(body.data).toMatchObject([{ provider: "registry_direct", status: "active" }]);
    });

    test.each([
      { colorScheme: "light", javaScriptEnabled: true },
      { colorScheme: "dark", javaScriptEnabled: false },
    ] as const)("shows what is wrong at its field, on a phone: %o", async (options) => {
      server.answer(REFUSED);
      const page = await open(await makeLink(), { ...PHONE, ...ENGLISH, ...options });
      await expectSound(page);
      await submit(page);
      await page.waitForSelector('[role="alert"]:focus');
      await page.click('[role="alert"] a >> nth=1');
      await page.waitForSelector("#registry_direct-subscription_key:focus");
      await enter(page);
      await submit(page);
      await page.locator('[role="alert"]', { hasText: "Attempts left: 9." }).waitFor();
      expect(await page.title()).toMatch(/^Problem: /);
      expect(await page.getAttribute("#registry_direct-user_id", "aria-invalid")).toBe("true");
      expect(await page.inputValue("#registry_direct-subscription_key")).toBe("");
      await expectSound(page);
      server.answer({ kind: "accepted" });
      await enter(page);
      await submit(page);
      expect(await heading(page)).toBe("Connected");
      await page.goBack();
      await page.reload();
      await expectSound(page);
    });

    test("shows that the provider is being asked, and is submitted only once", async () => {
      const page = await open(await makeLink());
      let posts = 0;
      const released = Promise.withResolvers<void>();
      await page.route("**/connect/**", async (route) => {
        posts += 1;
        await released.promise;
        await route.fallback();
      });
      await enter(page);
      // All at once, because the page cannot be queried while a response is held back.
      const seen = await page.evaluate<string[]>(`(() => {
        const button = document.querySelector("form button");
        button.click();
        button.click();
        return [button.form.ariaBusy, document.querySelector("form [role=status]").textContent];
      })()`);
      expect(seen).toEqual(["true", expect.stringContaining("The provider is checking")]);
      released.resolve();
      await page.waitForSelector(".done");
      expect(posts).toBe(1);
      expect(server.provider.asked).toEqual(["verify"]);
    });

    test("rejects forms from other sites", async () => {
      const link = await makeLink();
      const page = await browser.open(origin, ENGLISH);
      opened.push(page);
      // Under its other name the server is another site.
      const elsewhere = origin.replace("127.0.0.1", "localhost");
      await page.unroute("**/*");
      await page.goto(`${elsewhere}/healthz`);
      await page.setContent(
        `<form method="post" action="${origin}${link}"><input name="provider" value="registry_direct"><input name="user_id" value="x"><input name="subscription_key" value="x"><button>go</button></form>`,
      );
      await page.click("button");
      await page.waitForSelector("h1");
      expect(await heading(page)).toBe("The form was not accepted");
      expect(server.provider.asked).toEqual([]);
    });
  });

  test.each(["el-GR", "en-GB"])("a sandbox document is accessible in %s", async (locale) => {
    await server.post("/api/v1/documents", buildIssueBody(server.merchant));
    await server.settle();
    const page = await open("/sandbox/documents/400000000000001", { ...PHONE, locale, colorScheme: "dark" });
    expect(await page.textContent("dd")).toBe("400000000000001");
    await expectSound(page);
    await page.click("header a");
    await expectSound(page);
  });

  describe.skipIf(!existsSync(VIEWER))("the reference", () => {
    const issuing = "text=Issue a document";

    test("finds an operation with the keyboard, without requests to other servers", async () => {
      const page = await open("/docs");
      await page.waitForSelector(issuing);
      await page.locator("input").first().focus();
      await page.keyboard.type("tax number");
      await page.locator("text=Look up a tax number").first().waitFor();
      await expect.poll(() => page.locator(issuing).first().isVisible()).toBe(false);
      expect(page.troubles()).toEqual([]);
    });

    test.each([
      ["on a wide screen", {}],
      ["on a wide screen in dark mode", { colorScheme: "dark" as const }],
      ["on a phone", PHONE],
      ["on a phone in dark mode", { ...PHONE, colorScheme: "dark" as const }],
    ])("is accessible %s", async (_name, options) => {
      const page = await open("/docs", { ...ENGLISH, ...options });
      await page.locator(issuing).first().click();
      await page.locator("text=Request body").first().waitFor();
      await expectSound(page);
    });
  });
});

describe.skipIf(!existsSync(VIEWER))("the built program", () => {
  test("serves the console's assets, and the reference and its viewer, compressed if the client accepts that", async () => {
    await using built = await startBuilt({ folder: makeFolder() });
    const { url } = built;
    const page = await (await fetch(`${url}/docs`)).text();
    const viewer = /src="(docs\/assets\/viewer-[0-9a-f]{16}\.js)"/.exec(page)?.[1];
    expect(viewer).toBeDefined();
    const lengths = [];
    for (const encoding of ["gzip", "identity", "gzip;q=0"]) {
      const { status, headers, body } = await fetch(`${url}/${viewer}`, {
        headers: { "accept-encoding": encoding },
      });
      await body?.cancel();
      expect([status, headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
      expect(headers.get("content-encoding")).toBe(encoding === "gzip" ? "gzip" : null);
      lengths.push(Number(headers.get("content-length")));
    }
    expect(lengths[0]!).toBeLessThan(lengths[1]! / 2);
    expect(lengths[2]).toBe(lengths[1]);
    const console = await (await fetch(`${url}/console`)).text();
    const assets = Array.from(console.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g), ([, path]) => path);
    expect(assets).toHaveLength(2);
    for (const path of assets) expect((await fetch(url + path)).status).toBe(200);
  });
});
