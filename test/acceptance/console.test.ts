/** The built program's console in a browser: keyboard, both languages, small screens, live refresh. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { buildIssueBody } from "../helpers/appliance.ts";
import { type Browser, hasBrowser, startBrowser, type WatchedPage } from "../helpers/browser.ts";
import { runBuilt, type ServerProcess, startBuilt } from "../helpers/server-process.ts";

describe.skipIf(!hasBrowser)("the console", () => {
  let folder: string;
  let server: ServerProcess;
  let browser: Browser;
  let key: string;
  let merchant: string;
  let count = 0;
  let page: WatchedPage | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fiscal-console-"));
    const env = { FISCAL_ISSUING__DELAYS_SECONDS: "[0,0]" };
    server = await startBuilt({ folder, env });
    [browser, { stdout: key }] = await Promise.all([
      startBrowser(),
      runBuilt(["keys", "create", "--mode", "test", "--name", "console"], { folder }),
    ]);
    key = key.trim();
    const body = { external_id: "shop", name: "Παράδειγμα Α.Ε.", tax_id: "123456783" };
    merchant = (await call("POST", "/merchants", body)).data.id;
    await call("POST", "/webhook_endpoints", { url: "http://127.0.0.1:9/hook", enabled_events: ["*"] });
    for (const scene of ["issued", "rejected", "unavailable"]) await issue(scene);
  });
  afterEach(async () => {
    await page?.context().close();
    page = undefined;
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function call(method: string, path: string, body?: unknown) {
    count += 1;
    const response = await fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        "idempotency-key": `key-${count}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return JSON.parse(await response.text());
  }

  /** The id of a document in a final state. */
  async function issue(scene: string, reference = `order-${scene}`): Promise<string> {
    const extra = { external_reference: reference, metadata: { sandbox: scene } };
    const { data } = await call("POST", "/documents", buildIssueBody(merchant, extra));
    const isPending = async () => (await call("GET", `/documents/${data.id}`)).data.status === "pending";
    await vi.waitUntil(async () => !(await isPending()), { interval: 20, timeout: 60_000 });
    return data.id;
  }

  async function makeLink(): Promise<string> {
    return (await runBuilt(["console", "--url", server.url], { folder })).stdout.trim();
  }

  async function open(options: BrowserContextOptions = {}): Promise<WatchedPage> {
    page = await browser.open(server.url, { locale: "en-GB", ...options });
    return page;
  }

  let session: BrowserContextOptions["storageState"];

  /** A visitor already signed in, in a session that the tests share. */
  async function signIn(options: BrowserContextOptions = {}): Promise<WatchedPage> {
    if (session === undefined) {
      const first = await open();
      await first.goto(await makeLink());
      await first.click("main button");
      session = await first.context().storageState();
      await first.context().close();
    }
    const opened = await open({ storageState: session, ...options });
    await opened.goto(`${server.url}/console`);
    return opened;
  }

  /** Presses Tab until the focused element shows `text`. */
  async function tabTo(opened: WatchedPage, text: string): Promise<void> {
    for (let presses = 0; presses < 60; presses += 1) {
      await opened.keyboard.press("Tab");
      const focused = await opened.evaluate<string>("document.activeElement.textContent.trim()");
      if (focused === text) return;
    }
    throw new Error(`No Tab leads to ${text}`);
  }

  test("can be signed in to, navigated and left with the keyboard alone", async () => {
    const opened = await open();
    await opened.goto(await makeLink());
    await tabTo(opened, "Sign in");
    await opened.keyboard.press("Enter");
    await opened.waitForURL(`${server.url}/console`);
    await opened.getByText("You are signed in.").waitFor();
    expect(await opened.evaluate("document.activeElement.textContent")).toBe("You are signed in.");
    await opened.goto(`${server.url}/console`);
    await opened.keyboard.press("Tab");
    await opened.keyboard.press("Enter");
    expect(await opened.evaluate("document.activeElement.id")).toBe("content");
    await opened.goto(`${server.url}/console`);
    await tabTo(opened, "Documents");
    await opened.keyboard.press("Enter");
    await opened.waitForURL(`${server.url}/console/documents`);
    await tabTo(opened, "TIM 1");
    await opened.keyboard.press("Enter");
    await opened.getByRole("heading", { level: 1, name: "TIM 1" }).waitFor();
    await tabTo(opened, "Cancel document");
    await opened.keyboard.press("Enter");
    await opened.getByText("cannot be undone").waitFor();
    await tabTo(opened, "Back without changes");
    await opened.keyboard.press("Enter");
    await opened.getByRole("heading", { level: 1, name: "TIM 1" }).waitFor();
    await tabTo(opened, "Sign out");
    await opened.keyboard.press("Enter");
    await opened.getByText("You are signed out.").waitFor();
    expect(opened.troubles()).toEqual([]);
  });

  test("rejects a wrong key with a message and accepts a valid one", async () => {
    const opened = await open();
    await opened.goto(`${server.url}/console`);
    await opened.getByLabel("API key").fill("fiscal_test_wrong");
    await opened.keyboard.press("Enter");
    await opened.getByRole("alert").getByText("not accepted").waitFor();
    expect(await opened.violations()).toEqual([]);
    await opened.getByLabel("API key").fill(key);
    await opened.keyboard.press("Enter");
    await opened.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  });

  /** One URL of each kind of page. */
  async function everyPage(): Promise<string[]> {
    const lists = {
      documents: "documents",
      events: "events",
      requests: "requests",
      calls: "provider_calls",
      webhooks: "webhook_endpoints",
    };
    const ones = Object.entries(lists).map(
      async ([path, list]) => `/${path}/${(await call("GET", `/${list}`)).data[0].id}`,
    );
    const paths = ["", "/documents?status=failed", "/documents?q=TIM+1", "/documents?status=x", "/merchants"];
    paths.push("/connections", "/webhooks", "/events", "/requests", "/calls", `/merchants/${merchant}`);
    return [...paths, ...(await Promise.all(ones))];
  }

  test.each([
    ["in English, light", { locale: "en-GB", colorScheme: "light" }],
    [
      "in Greek, dark, at 360 px",
      { locale: "el-GR", colorScheme: "dark", viewport: { width: 360, height: 740 } },
    ],
  ] as const)("every page is accessible %s, and fits its screen", async (_how, options) => {
    const opened = await signIn(options);
    const examine = async (path: string) => {
      expect([path, await opened.violations()]).toEqual([path, []]);
      const over = await opened.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      expect([path, over <= 0]).toEqual([path, true]);
    };
    for (const path of await everyPage()) {
      await opened.goto(`${server.url}/console${path}`);
      await examine(path);
    }
    expect(opened.troubles().filter((trouble) => !trouble.includes("400"))).toEqual([]);
  });

  test("refreshes without reloading, announces it, and keeps the focus", async () => {
    const opened = await signIn();
    await opened.clock.install();
    await opened.goto(`${server.url}/console/documents`);
    await opened.evaluate("void (window.isSame = true)");
    await opened.getByRole("link", { name: "TIM 1", exact: true }).focus();
    await issue("issued", "order-new");
    await opened.clock.fastForward(3000);
    await opened.getByRole("cell", { name: "order-new" }).waitFor();
    expect(await opened.evaluate("window.isSame")).toBe(true);
    expect(await opened.evaluate("document.activeElement.textContent")).toBe("TIM 1");
    expect(await opened.locator("#announcement").textContent()).toBe("The page was updated.");
    expect(opened.troubles()).toEqual([]);
  });

  test("keeps opened details open, and reports an unreachable server", async () => {
    const opened = await signIn();
    await opened.clock.install();
    await opened.goto(`${server.url}/console`);
    const details = opened.locator("#issued-days-table");
    await details.locator("summary").click();
    const counted = opened.locator("#today");
    const before = await counted.textContent();
    let isAway = true;
    await opened.route(`${server.url}/console`, (route) => (isAway ? route.abort() : route.fallback()));
    await issue("issued", "order-counted");
    await opened.clock.fastForward(3000);
    await opened.getByText("The server is not responding").waitFor();
    expect(await counted.textContent()).toBe(before);
    isAway = false;
    await opened.clock.fastForward(6000);
    await vi.waitUntil(async () => (await counted.textContent()) !== before, {
      interval: 20,
      timeout: 60_000,
    });
    expect(await details.getAttribute("open")).toBe("");
    await opened.locator("#announcement", { hasText: "The page was updated." }).waitFor();
    expect(await opened.locator("#announcement").getAttribute("class")).toBe("announcement");
  });

  test("reports the end of the session and stops polling", async () => {
    const opened = await open();
    await opened.clock.install();
    await opened.goto(await makeLink());
    await opened.click("main button");
    const csrf = await opened.locator('[action="/console/sign-out"] [name="csrf"]').inputValue();
    await opened.context().request.post(`${server.url}/console/sign-out`, { form: { csrf } });
    await opened.clock.fastForward(3000);
    await opened.getByText("Your session has ended").waitFor();
    const asked: string[] = [];
    opened.on("request", (request) => asked.push(request.url()));
    await opened.clock.fastForward(120_000);
    expect(asked).toEqual([]);
  });

  test("retries a failed document without scripts", async () => {
    const id = await issue("unavailable", "order-mended");
    const opened = await signIn({ javaScriptEnabled: false });
    await opened.locator(`form[action="/console/documents/${id}/retry"] button`).click();
    await opened.getByText("The document was queued again.").waitFor();
    const { data } = await call("GET", `/events?document=${id}&type=document.retried`);
    expect(data).toHaveLength(1);
  });

  test("credits a document without scripts", async () => {
    const id = await issue("issued", "order-credited");
    const opened = await signIn({ javaScriptEnabled: false });
    await opened.goto(`${server.url}/console/documents/${id}`);
    await opened.getByRole("link", { name: "Issue credit note" }).click();
    await opened.getByLabel("Quantity to credit of line 1").fill("0,5");
    await opened.keyboard.press("Enter");
    await opened.getByRole("button", { name: "Change" }).click();
    await opened.getByLabel("Quantity to credit of line 1").fill("1,5");
    await opened.keyboard.press("Enter");
    await opened.getByRole("button", { name: "Issue credit note" }).click();
    await opened.getByText("The credit note was accepted and is being issued.").waitFor();
    expect(await opened.getByRole("cell", { name: "1.5", exact: true }).count()).toBe(1);
  });

  test("changes its language and keeps the page", async () => {
    const opened = await signIn();
    await opened.goto(`${server.url}/console/documents?status=issued`);
    await opened.getByRole("button", { name: "Ελληνικά" }).click();
    await opened.getByRole("heading", { level: 1, name: "Παραστατικά" }).waitFor();
    expect(opened.url()).toBe(`${server.url}/console/documents?status=issued`);
  });
});
