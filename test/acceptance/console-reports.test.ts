/** Reports in a browser: docs/contract.md#reports-in-the-console. */
import { readFile } from "node:fs/promises";
import { unzipSync } from "fflate";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, type WatchedPage } from "../helpers/browser.ts";
import { examine, openConsoleBrowser, tabTo, unexpectedTroubles, WAYS } from "../helpers/console-browser.ts";
import { mailSettings } from "../helpers/mail-server.ts";
import { invoice } from "../helpers/receipts.ts";
import { forAllTests } from "../helpers/set-up.ts";

describe.skipIf(!hasBrowser)("the console of a business with documents", () => {
  const bench = forAllTests(() => openConsoleBrowser(mailSettings({ port: 25 })));
  beforeAll(async () => {
    const { document } = invoice("");
    for (const day of ["2026-01-15", "2026-11-02"]) {
      const body = { merchant: bench.server.merchant, document: { ...document, issue_date: day } };
      await bench.server.post("/api/v1/documents", body);
    }
    await bench.server.settle();
  });
  afterEach(() => bench.closePages());

  async function download(page: WatchedPage, link: string): Promise<Buffer> {
    await tabTo(page, link);
    const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    return readFile((await file.path())!);
  }

  test.each(WAYS)("reports are read and downloaded with the keyboard $how", async (way) => {
    const page = await bench.open("/console/reports", way.options);
    const months = page.locator("main details tbody tr");
    expect(await months.count()).toBe(3);
    await examine(page, way);
    await page.locator("#from").fill("2026-12-31");
    await page.locator("#to").fill("2026-01-01");
    await page.locator("#to").press("Enter");
    await page.getByRole("alert").waitFor();
    await examine(page, way);
    await page.goBack();
    await page.locator("#from").fill("2026-01-01");
    await page.locator("#to").fill("2026-12-31");
    await tabTo(page, "main form button");
    await page.keyboard.press("Enter");
    await months.nth(11).waitFor({ state: "attached" });
    await tabTo(page, "main summary");
    await page.keyboard.press("Enter");
    await page.locator("main details[open] table").waitFor();
    await examine(page, way);
    const workbook = await download(page, 'a[href*="report=vat&format=xlsx"]');
    expect(Object.keys(unzipSync(workbook))).toContain("xl/workbook.xml");
    expect((await download(page, 'a[href*="report=vat&format=csv"]')).toString()).toContain("102,00");
    expect((await download(page, 'a[href*="report=income&format=csv"]')).toString()).toContain("E3_561_001");
    const archive = unzipSync(await download(page, 'a[href*="/reports/pdfs"]'));
    expect(Object.keys(archive)).toHaveLength(2);
    expect(unexpectedTroubles(page)).toEqual([]);
  });

  test("reports print as on a wide screen, with the mode and without what only a screen needs", async () => {
    const page = await bench.open("/console/reports", {
      locale: "en-GB",
      viewport: { width: 794, height: 1123 },
    });
    await page.emulateMedia({ media: "print" });
    const shown = (selector: string) => page.locator(selector).first().isVisible();
    expect(await page.getByText("TEST", { exact: true }).isVisible()).toBe(true);
    for (const selector of ["main h3 + table th", "#from"])
      expect([selector, await shown(selector)]).toEqual([selector, true]);
    for (const selector of [".menu", ".tools", "main nav", "main a.button"])
      expect([selector, await shown(selector)]).toEqual([selector, false]);
  });
});
