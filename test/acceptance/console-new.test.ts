/** The console's form for a new document in a browser: docs/contract.md#console-form-for-a-document. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Browser, hasBrowser, startBrowser, type WatchedPage } from "../helpers/browser.ts";
import { runBuilt, type ServerProcess, startBuilt } from "../helpers/server-process.ts";

describe.skipIf(!hasBrowser)("the form for a new document", () => {
  let folder: string;
  let server: ServerProcess;
  let browser: Browser;
  let session: BrowserContextOptions["storageState"];
  let page: WatchedPage | undefined;

  const run = (...args: string[]) => runBuilt(args, { folder });
  const issuedCount = async () => {
    const { stdout } = await run("documents", "list", "--all", "--json");
    return JSON.parse(stdout).data.length;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fiscal-console-new-"));
    server = await startBuilt({ folder, env: { FISCAL_ISSUING__DELAYS_SECONDS: "[0,0]" } });
    browser = await startBrowser();
    await run(
      "merchants",
      "add",
      "--external-id",
      "shop",
      "--name",
      "Παράδειγμα Α.Ε.",
      "--tax-id",
      "123456783",
    );
    const line = ["--line", "Καφές; 1; 2,50; 24%", "--payment", "on_credit"];
    const customer = ["--customer", "094014201", "--customer-name", "ΑΛΦΑ ΑΕ"];
    await run("documents", "new", "--merchant", "shop", "--type", "1.1", ...customer, ...line);
    const first = await open();
    await signIn(first);
    session = await first.context().storageState();
    await first.context().close();
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

  async function open(options: BrowserContextOptions = {}): Promise<WatchedPage> {
    page = await browser.open(server.url, { locale: "en-GB", ...options });
    return page;
  }

  async function signIn(opened: Pick<WatchedPage, "goto" | "click" | "waitForURL">): Promise<void> {
    await opened.goto((await run("console", "--url", server.url)).stdout.trim());
    await opened.click("main button");
    await opened.waitForURL(`${server.url}/console`);
  }

  async function openForm(options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const opened = await open({ storageState: session, ...options });
    await opened.goto(`${server.url}/console/new`);
    return opened;
  }

  async function examine(opened: WatchedPage): Promise<void> {
    expect(await opened.violations()).toEqual([]);
    expect(await opened.evaluate("document.documentElement.scrollWidth - innerWidth <= 0")).toBe(true);
  }

  async function press(opened: WatchedPage, ...keys: string[]): Promise<void> {
    for (const key of keys) await opened.keyboard.press(key);
  }

  const focused = (opened: WatchedPage) => opened.evaluate("document.activeElement.id");
  const documentPage = /\/console\/documents\/doc_/;

  test.each([
    {
      how: "in English, light",
      options: { locale: "en-GB", colorScheme: "light" },
      total: "Gross €15.50",
      moved: "Moved: it is now line 1",
    },
    {
      how: "in Greek, dark, at 360 px",
      options: { locale: "el-GR", colorScheme: "dark", viewport: { width: 360, height: 740 } },
      total: "Σύνολο 15,50 €",
      moved: "Μετακινήθηκε: τώρα είναι η γραμμή 1",
    },
  ] as const)("is filled in with the keyboard $how", async ({ options, total, moved }) => {
    const opened = await openForm(options);
    await examine(opened);
    await opened.locator("#customer").fill("094014201");
    expect(await opened.locator("#customer_name").inputValue()).toBe("ΑΛΦΑ ΑΕ");
    await opened.locator("#description-1").fill("Νερό");
    await opened.locator("#price-1").fill("x");
    await opened.locator("#description-2").focus();
    await opened.keyboard.type("Καφές");
    await press(opened, "Tab");
    await opened.keyboard.type("2,5");
    await press(opened, "Tab", "Tab");
    await opened.keyboard.type("5");
    await press(opened, "Alt+ArrowUp");
    expect(await focused(opened)).toBe("price-1");
    expect(await opened.locator("#announcement").textContent()).toBe(moved);
    await opened.locator("#totals", { hasText: total }).waitFor();
    await press(opened, "Alt+Enter");
    expect(await focused(opened)).toBe("description-4");
    await press(opened, "Enter");
    await opened.getByRole("alert").waitFor();
    await examine(opened);
    const wrong = opened.locator('[aria-invalid="true"]');
    expect(await wrong.getAttribute("id")).toBe("price-2");
    await wrong.fill("0,50");
    await press(opened, "Enter");
    // The form that is left has such a button too.
    await opened.locator('[action="/console/new"] .primary').waitFor();
    await examine(opened);
    await opened.locator('[action="/console/new"] .primary').press("Enter");
    await opened.waitForURL(documentPage);
    await opened.locator("#now", { hasText: /4000[0-9]+/ }).waitFor();
    expect(opened.troubles().filter((trouble) => !trouble.includes("400"))).toEqual([]);
  });

  test("keeps what was typed over a reload and the back button, and issues once", async () => {
    const before = await issuedCount();
    const opened = await openForm();
    await opened.locator("#customer").fill("094014201");
    await opened.locator("#description-1").fill("Καφές");
    await opened.locator("#price-1").fill("3");
    await opened.getByRole("button", { name: "Add line" }).click();
    await opened.locator("#description-4").fill("Νερό");
    await opened.locator("#price-4").fill("1");
    await opened.reload();
    const typed = async () => [
      await opened.locator("#description-1").inputValue(),
      await opened.locator("#price-4").inputValue(),
    ];
    expect(await typed()).toEqual(["Καφές", "1"]);
    const preview = opened.getByRole("button", { name: "Preview" }).last();
    await preview.click();
    await opened.getByRole("button", { name: "Issue document" }).waitFor();
    await opened.goBack();
    expect(await typed()).toEqual(["Καφές", "1"]);
    await preview.click();
    await opened.getByRole("button", { name: "Issue document" }).dblclick();
    await opened.waitForURL(documentPage);
    const issued = opened.url();
    await opened.goto(`${server.url}/console/new`);
    expect(await opened.locator("#description-1").inputValue()).toBe("");
    await opened.evaluate("history.go(-3)");
    await expect.poll(() => opened.locator("#price-4").inputValue()).toBe("1");
    await preview.click();
    await opened.getByRole("button", { name: "Issue document" }).click();
    await opened.waitForURL(documentPage);
    expect(opened.url()).toBe(issued);
    expect(await issuedCount()).toBe(before + 1);
  });

  test("keeps what was typed in a form that was shown again", async () => {
    const opened = await openForm();
    const price = opened.locator("#price-1");
    const preview = opened.getByRole("button", { name: "Preview" }).last();
    const issue = opened.getByRole("button", { name: "Issue document" });
    await opened.locator("#customer").fill("094014201");
    await opened.locator("#description-1").fill("Καφές");
    await price.fill("x");
    await preview.click();
    await opened.getByRole("alert").waitFor();
    await price.fill("3");
    await opened.reload();
    expect(await price.inputValue()).toBe("3");
    await preview.click();
    await opened.getByRole("button", { name: "Change" }).click();
    await price.fill("4");
    await opened.reload();
    expect(await price.inputValue()).toBe("4");
    await preview.click();
    await issue.waitFor();
    await opened.goBack();
    expect(await price.inputValue()).toBe("4");
    await preview.click();
    await issue.click();
    await opened.waitForURL(documentPage);
    await opened.evaluate("history.go(-2)");
    await price.fill("5");
    await preview.click();
    await issue.click();
    await opened.getByRole("alert").waitFor();
    await price.fill("6");
    await opened.reload();
    expect(await price.inputValue()).toBe("6");
  });

  test("works without scripts, and comes back after the session has ended", async () => {
    const before = await issuedCount();
    const viewport = { width: 360, height: 740 };
    const opened = await openForm({ javaScriptEnabled: false, locale: "el-GR", viewport });
    const [preview, issue] = [
      opened.locator("main .actions .primary"),
      opened.locator('[action="/console/new"] .primary'),
    ];
    await opened.locator('[value="add"]').press("Enter");
    await opened.locator("#description-4:focus").waitFor();
    await examine(opened);
    await opened.locator("#type").selectOption("11.1");
    await opened.locator("#description-4").fill("Τσάι");
    await opened.locator("#price-4").fill("x");
    await opened.locator("#price-4").press("Enter");
    await opened.locator('[role="alert"]:focus').waitFor();
    await examine(opened);
    await opened.locator("#price-4").fill("2");
    await opened.locator('[value="up-4"]').press("Enter");
    await opened.locator("#description-3:focus").waitFor();
    await preview.press("Enter");
    await issue.waitFor();
    await examine(opened);
    await run("console", "--sign-out-all");
    await issue.press("Enter");
    await opened.getByText("Η είσοδός σας έληξε και δεν εκδόθηκε").waitFor();
    const link = opened.locator('main a[target="_blank"]');
    const [tab] = await Promise.all([opened.context().waitForEvent("page"), link.press("Enter")]);
    await signIn(tab);
    await opened.locator("main .primary").press("Enter");
    await opened.locator("#description-3").waitFor();
    expect(await opened.locator("#description-3").inputValue()).toBe("Τσάι");
    await preview.press("Enter");
    await issue.dblclick();
    await opened.waitForURL(documentPage);
    const issued = opened.url();
    await opened.reload();
    await opened.goBack();
    await issue.press("Enter");
    await opened.waitForURL(issued);
    expect(await issuedCount()).toBe(before + 1);
  });
});
