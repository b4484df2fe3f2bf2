/** Issuing a file of documents in a browser: docs/contract.md#console-upload. */
import { readFile } from "node:fs/promises";
import iconv from "iconv-lite";
import { afterEach, describe, expect, test } from "vitest";
import { hasBrowser, type WatchedPage } from "../helpers/browser.ts";
import {
  examine,
  openConsoleBrowser,
  tabTo,
  unexpectedTroubles,
  type Way,
  WAYS,
} from "../helpers/console-browser.ts";
import { csvOfRows, rowWith } from "../helpers/csv.ts";
import { forAllTests } from "../helpers/set-up.ts";

describe.skipIf(!hasBrowser)("the upload of a file", () => {
  const bench = forAllTests(openConsoleBrowser);
  afterEach(() => bench.closePages());

  const HEAD = ["Παραστατικό", "Ημερομηνία", "Είδος", "Ποσότητα", "Τιμή", "Σχόλια"];
  const issue = '[action$="/issue"] .primary';
  const result = /\/console\/upload\/[^/]+\/result$/;

  async function choose(page: WatchedPage, name: string, buffer: Buffer): Promise<void> {
    await page.locator("#file").setInputFiles({ name, mimeType: "application/octet-stream", buffer });
  }

  const receipts = (...references: string[]) =>
    Buffer.from(csvOfRows(references.map((reference) => rowWith({ reference }))));

  async function issuedReferences(prefix: string): Promise<string[]> {
    const { body } = await bench.server.get("/api/v1/documents?limit=100");
    const references = body.data.map(({ external_reference: reference }: never) => String(reference));
    return references.filter((reference: string) => reference.startsWith(prefix)).sort();
  }

  /** The report of the result page, as CSV. */
  async function report(page: WatchedPage): Promise<string> {
    await tabTo(page, 'a[href$="/report"]');
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    return readFile((await download.path())!, "utf8");
  }

  test.each(WAYS)("shows, assigns, issues and reports with the keyboard $how", async (way) => {
    const prefix = `K-${way.language}-`;
    const page = await bench.open("/console/upload", way.options);
    await tabTo(page, "main .primary");
    await page.keyboard.press("Enter");
    await page.locator('[role="alert"]:focus').waitFor();
    await examine(page, way);
    const rows = [`${prefix}1;2/1/2026;Καφές;2;5,00;x`, `${prefix}2;2/1/2026;Τσάι;δύο;4,00;`];
    const week = iconv.encode([HEAD.join(";"), ...rows, ""].join("\n"), "windows-1253");
    await choose(page, "εβδομάδα.csv", week);
    await tabTo(page, "main .primary");
    await page.keyboard.press("Enter");

    await page.locator("#column-0").waitFor();
    await examine(page, way);
    expect(await page.locator("main").textContent()).toContain("Windows-1253");
    await tabTo(page, "#column-5");
    await page.locator("#column-5").selectOption("reference");
    await tabTo(page, "#default-type");
    await page.locator("#default-type").selectOption("11.1");
    await tabTo(page, "main .primary");
    await page.keyboard.press("Enter");
    await page.locator('[role="alert"]:focus').waitFor();
    expect(await page.locator("#default-type").inputValue()).toBe("11.1");
    await examine(page, way);
    await page.locator("#column-5").selectOption("ignore");
    await bench.signInAgain(page, () => page.locator("main .primary").press("Enter"));
    expect(await page.locator("#default-type").inputValue()).toBe("11.1");
    await page.locator("main .primary").press("Enter");

    await page.locator(issue).waitFor();
    await examine(page, way);
    const table = page.locator("main table");
    expect(await table.locator("tbody tr").count()).toBe(2);
    expect(await table.locator(".error-text").count()).toBe(1);
    if (way.options.javaScriptEnabled !== false) await page.clock.install();
    await tabTo(page, issue);
    await page.keyboard.press("Enter");
    await page.waitForURL(result);
    await bench.server.settle();
    await refresh(page, way);
    await page.locator("#result", { hasText: /4000[0-9]+/ }).waitFor();
    await examine(page, way);
    expect(await report(page)).toContainAll(`${prefix}1;doc_`, `${prefix}2;;refused`);
    expect(await issuedReferences(prefix)).toEqual([`${prefix}1`]);
    expect(unexpectedTroubles(page)).toEqual([]);

    // The columns are remembered.
    await page.goto(`${bench.origin}/console/upload`);
    await choose(page, "εβδομάδα.csv", week);
    await page.locator("main .primary").press("Enter");
    await page.locator('[action$="/forget"] button').press("Enter");
    await page.locator("#column-0").waitFor();
  });

  async function refresh(page: WatchedPage, { options }: Way): Promise<void> {
    if (options.javaScriptEnabled === false) await page.locator("main a.button").first().press("Enter");
    else await page.clock.fastForward(3000);
  }

  test.each(WAYS)("issues once, and loses nothing $how", async ({ options, language }) => {
    const prefix = `O-${language}-`;
    const references = [`${prefix}1`, `${prefix}2`];
    const page = await bench.open("/console/upload", options);
    const read = page.locator('[action="/console/upload"] .primary');
    await choose(page, "twice.csv", receipts(...references));
    await bench.signInAgain(page, () => read.press("Enter"));
    // The form is kept, but not its file.
    await choose(page, "twice.csv", receipts(...references));
    await read.press("Enter");
    await page.locator(issue).waitFor();
    await bench.signInAgain(page, () => page.locator(issue).press("Enter"));
    expect(await issuedReferences(prefix)).toEqual([]);
    await page.locator(issue).dblclick();
    await page.waitForURL(result);
    await page.reload();
    await page.goBack();
    await page.waitForURL(result);

    await page.goto(`${bench.origin}/console/upload`);
    await choose(page, "twice.csv", receipts(...references));
    await read.dblclick();
    await page.locator(issue).press("Enter");
    await page.waitForURL(result);
    expect(await issuedReferences(prefix)).toEqual(references);
  });
});
