/** Crediting and repeating a document from its page, in a browser: docs/contract.md#console-form-for-a-credit-note. */
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
import { invoice } from "../helpers/receipts.ts";

describe.skipIf(!hasBrowser)("from the page of an issued document", () => {
  let bench: ConsoleBrowser;

  beforeAll(async () => {
    bench = await openConsoleBrowser();
  });
  afterEach(() => bench.closePages());
  afterAll(() => bench?.close());

  /** Issues an invoice of 2.5 at 12.00 and 6 at 3.50, and returns its id. */
  async function issued(): Promise<string> {
    const body = { merchant: bench.server.merchant, document: invoice("").document };
    const { body: answer } = await bench.server.post("/api/v1/documents", body);
    await bench.server.settle();
    return answer.data.id;
  }

  async function count(): Promise<number> {
    const { body } = await bench.server.get("/api/v1/documents?limit=100");
    return body.data.length;
  }

  const DOCUMENT = /\/console\/documents\/doc_[^/]+$/;
  const issue = 'main form:not([action$="/preview"]) .primary';

  test.each(WAYS)("a credit note is issued with the keyboard $how", async (way) => {
    const id = await issued();
    const page = await bench.open(`/console/documents/${id}`, way.options);
    await tabTo(page, 'a[href$="/credit"]');
    await page.keyboard.press("Enter");
    await page.locator("#quantity-1").waitFor();
    await tabTo(page, "#quantity-1");
    await page.keyboard.type("x");
    await page.keyboard.press("Enter");
    await page.locator('[role="alert"]:focus').waitFor();
    await examine(page, way);
    await tabTo(page, '[role="alert"] a');
    await page.keyboard.press("Enter");
    await page.locator("#quantity-1:focus").fill("1,5");
    await tabTo(page, "#quantity-2");
    await page.keyboard.type("0");
    await page.keyboard.press("Enter");
    await page.locator(issue).waitFor();
    await tabTo(page, '[formaction$="/change"]');
    await examine(page, way);
    await page.keyboard.press("Enter");
    await page.locator("#quantity-1").waitFor();
    expect(await page.locator("#quantity-1").inputValue()).toBe("1,5");
    await tabTo(page, "main .primary");
    await page.keyboard.press("Enter");
    await page.locator(issue).waitFor();
    await tabTo(page, issue);
    await page.keyboard.press("Enter");
    await page.waitForURL(DOCUMENT);
    await page.locator(".flash").waitFor();
    await bench.server.settle();
    await page.reload();
    await page.locator("#now", { hasText: /4000[0-9]+/ }).waitFor();
    await examine(page, way);
    expect(unexpectedTroubles(page)).toEqual([]);
  });

  test.each(WAYS)("a credit note is issued once, and nothing typed is lost $how", async ({ options }) => {
    const id = await issued();
    const page = await bench.open(`/console/documents/${id}/credit`, options);
    const before = await count();
    const typed = () => page.locator("#quantity-1").inputValue();
    const preview = page.locator("main .primary");
    await page.locator("#quantity-1").fill("1,5");
    await page.locator("#quantity-2").fill("0");
    await preview.press("Enter");
    await page.locator(issue).waitFor();
    await page.goBack();
    expect(await typed()).toBe("1,5");
    await preview.press("Enter");
    await page.locator(issue).waitFor();
    await signInAgain(page);
    await page.locator("#quantity-1").waitFor();
    expect([await typed(), await count()]).toEqual(["1,5", before]);
    await preview.press("Enter");
    await page.locator(issue).dblclick();
    await page.waitForURL(DOCUMENT);
    await page.reload();
    await page.goBack();
    await page.locator("#quantity-1").waitFor();
    expect(await page.locator('[role="alert"]').textContent()).toMatch(/already issued|ήδη εκδώσει/);
    expect(await count()).toBe(before + 1);
  });

  test.each(WAYS)("it is repeated once, and nothing typed is lost $how", async (way) => {
    const page = await bench.open(`/console/documents/${await issued()}`, way.options);
    const before = await count();
    const typed = () => page.locator("#price-1").inputValue();
    await tabTo(page, 'a[href$="/repeat"]');
    await page.keyboard.press("Enter");
    await page.locator("#price-1").waitFor();
    const entries = await page.evaluate("history.length");
    await examine(page, way);
    await tabTo(page, "#price-1");
    await page.keyboard.type("7");
    await page.keyboard.press("Enter");
    await page.locator(issue).waitFor();
    await page.goBack();
    expect(await typed()).toBe("7");
    await tabTo(page, 'main [type="submit"].primary, main button.primary');
    await page.keyboard.press("Enter");
    await page.locator(issue).waitFor();
    await examine(page, way);
    await signInAgain(page);
    await page.locator("#price-1").press("Enter");
    await page.locator(issue).dblclick();
    await page.waitForURL(DOCUMENT);
    const result = page.url();
    await page.reload();
    await page.goBack();
    await page.locator(issue).press("Enter");
    await page.waitForURL(result);
    await page.goto(`${bench.origin}/console`);
    // In one step: going back over a page that was posted posts it again, and stopping there aborts that.
    const steps = await page.evaluate(`history.length - ${entries}`);
    await Promise.all([page.waitForURL(/\/repeat/), page.evaluate(`history.go(-${steps})`)]);
    expect(await typed()).toBe("7");
    await page.locator("#price-1").press("Enter");
    await page.locator(issue).press("Enter");
    await page.waitForURL(DOCUMENT);
    expect([page.url(), await count()]).toEqual([result, before + 1]);
  });

  /** Presses the button that issues after the session has ended, signs in and continues. */
  async function signInAgain(page: WatchedPage): Promise<void> {
    await bench.endSessions();
    await page.locator(issue).press("Enter");
    await page.getByRole("alert").waitFor();
    await bench.signInElsewhere(page);
    await page.locator("main .primary").press("Enter");
  }
});
