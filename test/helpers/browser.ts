/**
 * Drives Debian's Chromium with Playwright, for tests of pages. A test fails if a page contacts anything but the
 * server under test or writes an error to the console.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** The first lacks everything for a screen, and needs half the processor time. */
const CHROMIUM = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((file) => existsSync(file));

/** Page tests are skipped where there is no browser; `.ci/run` installs one. */
export const hasBrowser = CHROMIUM !== undefined;

export interface WatchedPage extends Page {
  /** Violations by the page, in order. Tests end by expecting none. */
  troubles(): string[];
  /** axe's WCAG 2.1 A and AA violations of the page in its current state, each as `rule: where`. */
  violations(): Promise<string[]>;
}

export interface Browser {
  /** Opens a page with its own cookies. Requests outside `origin` are blocked and recorded. */
  open(origin: string, options?: BrowserContextOptions): Promise<WatchedPage>;
  close(): Promise<void>;
}

/** Only to name what hangs before the test ends: a first page can take half a minute on a machine that is busy. */
const TIMEOUT_MS = 240_000;

const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function startBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error("There is no Chromium");
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET, timeout: TIMEOUT_MS });
  const openContext = async (options: BrowserContextOptions) => {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(TIMEOUT_MS);
    return context;
  };
  return {
    async open(origin, options = {}) {
      const context = await openContext(options);
      const page = await watch(await context.newPage(), origin);
      if (options.javaScriptEnabled !== false) return page;
      return Object.assign(page, {
        violations: async () => {
          const copying = await openContext({ ...options, javaScriptEnabled: true });
          try {
            return await findViolations(await copyOf(page, await copying.newPage()));
          } finally {
            await copying.close();
          }
        },
      });
    },
    close: () => browser.close(),
  };
}

async function watch(page: Page, origin: string): Promise<WatchedPage> {
  const troubles: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      troubles.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => troubles.push(`page error: ${error.message}`));
  await page.route("**/*", async (route) => {
    const { protocol, origin: asked } = new URL(route.request().url());
    if (asked === origin || protocol === "data:" || protocol === "blob:") return route.fallback();
    troubles.push(`outside request: ${asked}`);
    return route.abort();
  });
  return Object.assign(page, { troubles: () => [...troubles], violations: () => findViolations(page) });
}

/** Shows what `page` shows without scripts in `other`, where axe can run: it needs the page's timers. */
async function copyOf(page: Page, other: Page): Promise<Page> {
  const text = (await page.content())
    .replace(/<script\b[^>]*><\/script>/g, "")
    .replace(/<(\/?)noscript>/g, "<$1div>");
  await other.route(page.url(), (route) => route.fulfill({ contentType: "text/html", body: text }));
  await other.goto(page.url());
  return other;
}

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

interface AxeResult {
  violations: { id: string; nodes: { target: unknown }[] }[];
}

/** Uses the debugger, which the page's content security policy does not restrict. */
async function findViolations(page: Page): Promise<string[]> {
  // Before its stylesheet is loaded, a page has other colours.
  await page.waitForLoadState("load");
  const { readFile } = await import("node:fs/promises");
  await page.evaluate(await readFile(AXE, "utf8"));
  const result = await page.evaluate<AxeResult>(
    'axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], resultTypes: ["violations"] })',
  );
  return result.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${JSON.stringify(target)}`),
  );
}
