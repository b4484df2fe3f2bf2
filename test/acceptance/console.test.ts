/** The console in a browser: keyboard, both languages, small screens, live refresh. */
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { buildIssueBody } from "../helpers/appliance.ts";
import { hasBrowser } from "../helpers/browser.ts";
import { examine, openConsoleBrowser, tabTo, unexpectedTroubles } from "../helpers/console-browser.ts";
import { forAllTests } from "../helpers/set-up.ts";

describe.skipIf(!hasBrowser)("the console", () => {
  const bench = forAllTests(openConsoleBrowser);
  beforeAll(async () => {
    const endpoint = { url: "http://127.0.0.1:9/hook", enabled_events: ["*"] };
    await bench.server.post("/api/v1/webhook_endpoints", endpoint);
    for (const scene of ["issued", "rejected", "unavailable"]) await issue(scene);
    // A connection makes a provider call, but none may be active: documents go to the sandbox.
    const connection = await bench.server.connect();
    await bench.server.post(`/api/v1/connections/${connection}/disconnect`, {});
  });
  afterEach(() => bench.closePages());

  async function issue(scene: string, reference = `order-${scene}`): Promise<void> {
    const extra = { external_reference: reference, metadata: { sandbox: scene } };
    await bench.server.post("/api/v1/documents", buildIssueBody(bench.server.merchant, extra));
    await bench.server.settle();
  }

  test("can be signed in to, used and left with the keyboard alone", async () => {
    const { origin } = bench;
    const page = await bench.visit(await bench.makeLink());
    const enter = async (selector: string) => {
      await tabTo(page, selector);
      await page.keyboard.press("Enter");
    };
    await enter("main button");
    await page.locator(".flash:focus", { hasText: "You are signed in." }).waitFor();
    await page.goto(`${origin}/console`);
    for (const key of ["Tab", "Enter"]) await page.keyboard.press(key);
    await page.locator("#content:focus").waitFor();
    await page.goto(`${origin}/console`);
    await enter('a[href="/console/documents"]');
    await page.waitForURL(`${origin}/console/documents`);
    await page.goto(`${origin}/console/documents?q=TIM+1`);
    await enter('main td a[href^="/console/documents/doc_"]');
    await page.getByRole("heading", { level: 1, name: "TIM 1" }).waitFor();
    await enter('a[href$="/cancel"]');
    await page.getByText("cannot be undone").waitFor();
    await enter('main a[href^="/console/documents/doc_"]');
    await page.getByRole("heading", { level: 1, name: "TIM 1" }).waitFor();
    await enter('[action="/console/sign-out"] button');
    await page.getByText("You are signed out.").waitFor();
    expect(page.troubles()).toEqual([]);
  });

  test("rejects a wrong key with a message", async () => {
    const page = await bench.visit("/console");
    await page.getByLabel("API key").fill("fiscal_test_wrong");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("not accepted").waitFor();
    await examine(page, { language: "en" });
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
      async ([path, list]) => `/${path}/${(await bench.server.get(`/api/v1/${list}`)).body.data[0].id}`,
    );
    const paths = ["", "/documents?status=failed", "/documents?q=TIM+1", "/documents?status=x", "/merchants"];
    paths.push("/customers", "/connections", "/webhooks", "/events", "/requests", "/calls");
    const shop = `/merchants/${bench.server.merchant}`;
    paths.push(`${shop}/details`, `${shop}/paper`, `${shop}/issuing`, "/merchants/new", "/webhooks/new");
    paths.push(`${shop}/connect/registry_direct`, "/customers/statement?customer=094012834");
    paths.push("/documents?sort=-amount&status=issued", "/customers?q=094");
    return [...paths, shop, ...(await Promise.all(ones))];
  }

  test.each([
    ["en", "in English, light", { locale: "en-GB", colorScheme: "light" }],
    [
      "el",
      "in Greek, dark, at 360 px",
      { locale: "el-GR", colorScheme: "dark", viewport: { width: 360, height: 740 } },
    ],
  ] as const)("every page is accessible (%s, %s), and fits its screen", async (language, _how, options) => {
    const page = await bench.open("/console", options);
    for (const path of await everyPage()) {
      await page.goto(`${bench.origin}/console${path}`);
      await examine(page, { language });
    }
    expect(unexpectedTroubles(page)).toEqual([]);
  });

  test("refreshes without reloading, announces it, and keeps the focus", async () => {
    const page = await bench.open("/console");
    await page.clock.install();
    await page.goto(`${bench.origin}/console/documents`);
    await page.evaluate("void (window.isSame = true)");
    await page.getByRole("link", { name: "TIM 1", exact: true }).focus();
    await issue("issued", "order-new");
    await page.clock.fastForward(3000);
    await page.getByRole("cell", { name: "order-new" }).waitFor();
    expect(await page.evaluate("window.isSame")).toBe(true);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("TIM 1");
    expect(await page.locator("#announcement").textContent()).toBe("The page was updated.");
    expect(page.troubles()).toEqual([]);
  });

  test("keeps opened details open, and reports an unreachable server", async () => {
    const page = await bench.open("/console");
    await page.clock.install();
    await page.goto(`${bench.origin}/console`);
    const details = page.locator("#issued-days-table");
    await details.locator("summary").click();
    const counted = page.locator("#today");
    const before = await counted.textContent();
    let isAway = true;
    await page.route(`${bench.origin}/console`, (route) => (isAway ? route.abort() : route.fallback()));
    await issue("issued", "order-counted");
    await page.clock.fastForward(3000);
    await page.getByText("The server is not responding").waitFor();
    expect(await counted.textContent()).toBe(before);
    isAway = false;
    await page.clock.fastForward(6000);
    await expect.poll(() => counted.textContent()).not.toBe(before);
    expect(await details.getAttribute("open")).toBe("");
    await page.locator("#announcement.announcement", { hasText: "The page was updated." }).waitFor();
  });

  test("reports the end of the session and stops polling", async () => {
    const page = await bench.open("/console");
    await page.clock.install();
    await page.goto(`${bench.origin}/console`);
    await bench.endSessions();
    await page.clock.fastForward(3000);
    await page.getByText("Your session has ended").waitFor();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.clock.fastForward(120_000);
    expect(asked).toEqual([]);
  });
});
