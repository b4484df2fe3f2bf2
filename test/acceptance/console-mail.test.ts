/** Emailing a document from its page, in a browser: docs/contract.md#mail. */
import { afterEach, describe, expect, test } from "vitest";
import { sendDueMails } from "../../src/mail/send-mail.ts";
import { hasBrowser, type WatchedPage } from "../helpers/browser.ts";
import { examine, openConsoleBrowser, tabTo, unexpectedTroubles, WAYS } from "../helpers/console-browser.ts";
import { mailSettings, startMailServer } from "../helpers/mail-server.ts";
import { invoice } from "../helpers/receipts.ts";
import { forAllTests } from "../helpers/set-up.ts";

describe.skipIf(!hasBrowser)("the form that emails a document", () => {
  const mailServer = forAllTests(() => startMailServer({ refused: { "no@example.com": 550 } }));
  const bench = forAllTests(() => openConsoleBrowser(mailSettings(mailServer)));
  afterEach(() => bench.closePages());

  /** Issues an invoice of a customer without earlier mails, and returns the path of its page. */
  async function issued(): Promise<string> {
    const { document } = invoice("");
    const { customer: _customer, ...retail } = { ...document, type: "11.1" } as Record<string, unknown>;
    const body = { merchant: bench.server.merchant, document: retail };
    const { body: answer } = await bench.server.post("/api/v1/documents", body);
    await bench.server.settle();
    return `/console/documents/${answer.data.id}`;
  }

  /** Lets the server send what is due, and returns the addresses it sent to. */
  async function sent(): Promise<string[]> {
    mailServer.received.length = 0;
    await sendDueMails(bench.server.appliance);
    return mailServer.received.map(({ to }) => to[0]!);
  }

  const typed = (page: WatchedPage) => page.locator("#to").inputValue();

  test.each(WAYS)("is used with the keyboard $how", async (way) => {
    const page = await bench.open(await issued(), way.options);
    await tabTo(page, "#to");
    await page.keyboard.type("customer@example");
    await page.keyboard.press("Enter");
    await page.locator('#to[aria-invalid="true"]:focus').waitFor();
    await examine(page, way);
    expect(await typed(page)).toBe("customer@example");
    await page.keyboard.press("End");
    await page.keyboard.type(".com");
    await tabTo(page, '[action$="/mails"] button');
    await page.keyboard.press("Enter");
    await page.locator(".flash").waitFor();
    await page.locator("#mails", { hasText: "customer@example.com" }).waitFor();
    await examine(page, way);
    expect(await sent()).toEqual(["customer@example.com"]);
    await page.reload();
    expect(await sent()).toEqual([]);

    // The same address again: a question first.
    await page.locator("#to").fill("customer@example.com");
    await page.locator("#to").press("Enter");
    await page.locator('[name="again"]').waitFor({ state: "attached" });
    await examine(page, way);
    await tabTo(page, '[action$="/mails"] button');
    await page.keyboard.press("Enter");
    await page.locator(".flash").waitFor();
    expect(await sent()).toEqual(["customer@example.com"]);

    await page.locator("#to").fill("no@example.com");
    await page.locator("#to").press("Enter");
    await page.locator(".flash").waitFor();
    expect(await sent()).toEqual([]);
    await page.reload();
    await page.locator("#mails", { hasText: "550" }).waitFor();
    await examine(page, way);
    expect(unexpectedTroubles(page)).toEqual([]);
  });

  test.each(WAYS)("sends once and loses nothing $how", async ({ options }) => {
    const path = await issued();
    const page = await bench.open(path, options);
    await page.locator("#to").fill("twice@example.com");
    await page.locator('[action$="/mails"] button').dblclick();
    await page.locator(".flash").waitFor();
    await page.goBack();
    await page.locator("#to").fill("twice@example.com");
    await page.locator("#to").press("Enter");
    // A browser that has dropped the page loads it again, with the mail in it: then the console asks before it sends another.
    const listed = page.locator("#mails", { hasText: "twice@example.com" });
    await listed.or(page.locator('[name="again"]')).waitFor({ state: "attached" });
    expect(await sent()).toEqual(["twice@example.com"]);

    await page.goto(bench.origin + path);
    await page.locator("#to").fill("late@example.com");
    await bench.signInAgain(page, () => page.locator("#to").press("Enter"));
    await page.locator("#to").waitFor();
    expect(await typed(page)).toBe("late@example.com");
    expect(await sent()).toEqual([]);
    await page.locator("#to").press("Enter");
    await page.locator("#mails", { hasText: "late@example.com" }).waitFor();
    expect(await sent()).toEqual(["late@example.com"]);
  });
});
