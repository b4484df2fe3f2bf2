/** Crediting a document that was not issued here, in a browser: docs/contract.md#console-form-for-a-credit-note. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, type WatchedPage } from "../helpers/browser.ts";
import {
  type ConsoleBrowser,
  examine,
  openConsoleBrowser,
  tabTo,
  unexpectedTroubles,
  WAYS,
} from "../helpers/console-browser.ts";
import { foundInvoice } from "../helpers/registered.ts";

describe.skipIf(!hasBrowser)("the form for an invoice of another program", () => {
  let bench: ConsoleBrowser;

  beforeAll(async () => {
    bench = await openConsoleBrowser();
    Object.assign(bench.server.provider.adapter, {
      readDocument: async (asked: { mark: string }) => foundInvoice(asked.mark),
    });
    await bench.server.connect();
  });
  afterEach(() => bench.closePages());
  afterAll(() => bench?.close());

  const issue = '[action="/console/credit"] .primary';

  async function credits(): Promise<number> {
    return (await bench.server.get("/api/v1/documents?type=5.1")).body.data.length;
  }

  test.each(WAYS)("is read, previewed and credited once with the keyboard $how", async (way) => {
    const before = await credits();
    const page = await bench.open("/console/documents", way.options);
    await tabTo(page, 'a[href="/console/credit"]');
    await page.keyboard.press("Enter");
    await page.locator("#mark").waitFor();
    await tabTo(page, "#mark");
    await page.keyboard.type("4x");
    await page.keyboard.press("Enter");
    await page.locator('[role="alert"]:focus').waitFor();
    await examine(page, way);
    await page.locator("#mark").fill(way.language === "en" ? "400001234567890" : "400001234567891");
    await page.locator("#mark").press("Enter");
    await page.locator("#quantity-1").waitFor();
    await page.locator("#quantity-1").fill("0,25");
    await examine(page, way);
    await page.locator("main .primary").press("Enter");
    await page.locator(issue).waitFor();
    await signInAgain(page);
    await page.locator("#quantity-1").waitFor();
    expect(await page.locator("#quantity-1").inputValue()).toBe("0,25");
    await page.locator("main .primary").press("Enter");
    await page.locator(issue).dblclick();
    await page.waitForURL(/\/console\/documents\/doc_/);
    const result = page.url();
    await page.reload();
    await page.goBack();
    await page.locator(issue).press("Enter");
    await page.waitForURL(result);
    expect(await credits()).toBe(before + 1);
    expect(unexpectedTroubles(page)).toEqual([]);
  });

  async function signInAgain(page: WatchedPage): Promise<void> {
    await bench.endSessions();
    await page.locator(issue).press("Enter");
    await page.getByRole("alert").waitFor();
    await bench.signInElsewhere(page);
    await page.locator("main .primary").press("Enter");
  }
});
