/** The console of an appliance in this process, driven in a browser, with a clock and mail that the test controls. */
import type { BrowserContextOptions } from "playwright-core";
import { expect } from "vitest";
import { createServer } from "../../server/listen.ts";
import { createConsoleLink, endAllConsoleSessions, type LinkOptions } from "../../src/console/sign-in.ts";
import type { Language } from "../../server/pages/language.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { startBrowser, type WatchedPage } from "./browser.ts";
import { type ConnectingServer, openConnectingServer } from "./connecting.ts";

const PHONE = { viewport: { width: 360, height: 740 } } as const;

/** On a phone, in both languages, with and without scripts. */
export const WAYS: readonly Way[] = [
  { how: "in English with scripts", language: "en", options: { ...PHONE, locale: "en-GB" } },
  {
    how: "in Greek without scripts, dark",
    language: "el",
    options: { ...PHONE, locale: "el-GR", javaScriptEnabled: false, colorScheme: "dark" },
  },
];

export interface Way {
  how: string;
  language: Language;
  options: BrowserContextOptions;
}

export interface ConsoleBrowser {
  server: ConnectingServer;
  origin: string;
  /** A page that is signed in, on `path`. Each has its own cookies. */
  open(path: string, options?: BrowserContextOptions, sign?: SignIn): Promise<WatchedPage>;
  /** A page that is not signed in. */
  visit(path: string): Promise<WatchedPage>;
  /** The path of a link to sign in. */
  makeLink(): Promise<string>;
  /** Ends the session, submits a form, signs in in the tab that the resulting page opens, and continues there. */
  signInAgain(page: WatchedPage, submit: () => Promise<void>): Promise<void>;
  endSessions(): Promise<void>;
  /** Closes every page that was opened. */
  closePages(): Promise<void>;
  close(): Promise<void>;
}

interface SignIn extends LinkOptions {
  mode?: Mode;
}

export async function openConsoleBrowser(env: Record<string, string> = {}): Promise<ConsoleBrowser> {
  const server = await openConnectingServer({
    env: { FISCAL_SERVER__PORT: "0", FISCAL_ISSUING__DELAYS_SECONDS: "[0]", ...env },
  });
  const http = createServer(server.appliance);
  const [{ url: origin }, browser] = await Promise.all([http.start(), startBrowser()]);
  const opened: WatchedPage[] = [];

  async function makeLink({ mode = "test", ...link }: SignIn = {}): Promise<string> {
    return new URL((await createConsoleLink(server.appliance, mode, link)).url).pathname;
  }

  async function signIn(page: Pick<WatchedPage, "goto" | "locator" | "waitForURL">, sign: SignIn) {
    await page.goto(origin + (await makeLink(sign)));
    await page.locator("main button").press("Enter");
    await page.waitForURL(`${origin}/console`);
  }

  async function openPage(options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const page = await browser.open(origin, { locale: "en-GB", ...options });
    opened.push(page);
    return page;
  }

  const endSessions = async () => void (await endAllConsoleSessions(server.appliance));

  return {
    server,
    origin,
    endSessions,
    makeLink,
    async open(path, options, sign = {}) {
      const page = await openPage(options);
      await signIn(page, sign);
      await page.goto(origin + path);
      return page;
    },
    async visit(path) {
      const page = await openPage();
      await page.goto(origin + path);
      return page;
    },
    async signInAgain(page, submit) {
      await endSessions();
      await submit();
      await page.getByRole("alert").waitFor();
      const link = page.locator('main a[target="_blank"]');
      const [tab] = await Promise.all([page.context().waitForEvent("page"), link.press("Enter")]);
      await signIn(tab, {});
      await tab.close();
      await page.locator("main .primary").press("Enter");
    },
    async closePages() {
      for (const page of opened.splice(0)) await page.context().close();
    },
    async close() {
      await browser.close();
      await http.stop();
      await server.close();
    },
  };
}

/** Accessible in the language of the browser, without scrolling sideways. */
export async function examine(page: WatchedPage, { language }: Pick<Way, "language">): Promise<void> {
  expect(await page.locator("html").getAttribute("lang")).toBe(language);
  const where = page.url();
  expect([where, await page.violations()]).toEqual([where, []]);
  const over = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  expect([where, over <= 0]).toEqual([where, true]);
}

/** Presses Tab until the focus is on `selector`, and expects to see that it is there. */
export async function tabTo(page: WatchedPage, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press("Tab");
    const isThere = `document.activeElement.matches(${JSON.stringify(selector)})`;
    if (await page.evaluate<boolean>(isThere)) {
      const outline = "getComputedStyle(document.activeElement).outlineStyle";
      expect([selector, await page.evaluate(outline)]).not.toEqual([selector, "none"]);
      return;
    }
  }
  throw new Error(`No Tab leads to ${selector}`);
}

/** What went wrong in the page, except for the status of a refused form, which browsers log too. */
export function unexpectedTroubles(page: WatchedPage): string[] {
  return page
    .troubles()
    .filter((trouble) => !/^console: Failed to load resource.* (400|401|403|404|409) /.test(trouble));
}
