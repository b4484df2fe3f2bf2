/**
 * Takes the pictures of the guide: `npm run screenshots`. A server with a fixed clock has issued the documents of
 * examples/documents.csv in the sandbox, so that the pictures change only with the console.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createServer } from "../../server/listen.ts";
import { createConsoleLink } from "../../src/console/sign-in.ts";
import { openBench } from "../helpers/appliance.ts";
import { startBrowser, type WatchedPage } from "../helpers/browser.ts";
import { readBodies } from "../helpers/csv.ts";

const ROOT = join(import.meta.dirname, "../..");
const GUIDE = join(ROOT, "docs/guide");
/** Letters can be read in the width of a page of the guide. */
const VIEWPORT = { width: 840, height: 940 };
/** The folders of the guide, by the language of the browser. */
const FOLDERS: Readonly<Record<string, string>> = { "el-GR": "images", "en-GB": "en/images" };
/** Random, unlike everything else on the pages. */
const IDS = String.raw`/\b(doc|mer|evt|con|req|pcl)_[0-9A-Za-z]{22}\b/g`;

interface Picture {
  name: string;
  path: string;
  height: number;
  /** Fills in the form before the picture is taken. */
  prepare?(page: WatchedPage): Promise<void>;
}

function picturesOf(idOf: (reference: string) => string): Picture[] {
  return [
    { name: "console-home", path: "/console", height: 590 },
    { name: "console-document", path: `/console/documents/${idOf("2026-001")}`, height: 580 },
    {
      name: "console-credit",
      path: `/console/documents/${idOf("2026-001")}/credit`,
      height: 480,
      prepare: (page) => page.locator("input[type=text]").first().fill("0,5"),
    },
    {
      name: "console-new",
      path: "/console/new",
      height: 940,
      async prepare(page) {
        await page.locator("#customer").fill("094012834");
        await page.locator("#description-1").fill("Καφές σε κόκκους");
        await page.locator("#price-1").fill("12,40");
        await page.evaluate("document.activeElement.blur(); scrollTo(0, 0)");
      },
    },
    { name: "console-upload", path: "/console/upload", height: 480 },
  ];
}

async function main(): Promise<void> {
  const bench = await openBench({ env: { FISCAL_SERVER__PORT: "0" } });
  const server = createServer(bench.appliance);
  const browser = await startBrowser();
  try {
    const { url } = await server.start();
    const ids = await issueExamples(url, await bench.makeMerchant("kafes"), await bench.makeKey("test"));
    await bench.settle();
    const pictures = picturesOf((reference) => ids.get(reference) ?? "");
    for (const [locale, folder] of Object.entries(FOLDERS)) {
      const page = await browser.open(url, { locale, viewport: VIEWPORT, colorScheme: "light" });
      await page.goto(url + new URL((await createConsoleLink(bench.appliance, "test")).url).pathname);
      await page.click("main button");
      for (const picture of pictures) await take(page, url, { ...picture, folder: join(GUIDE, folder) });
      if (page.troubles().length > 0) throw new Error(page.troubles().join("\n"));
    }
  } finally {
    await browser.close();
    await server.stop();
    await bench.close();
  }
}

/** Returns the documents' ids by their references. */
async function issueExamples(url: string, merchant: string, key: string): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const body of await readBodies(await readFile(join(ROOT, "examples/documents.csv")))) {
    const response = await fetch(`${url}/api/v1/documents`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": body.external_reference,
      },
      body: JSON.stringify({ ...body, merchant }),
    });
    const { data } = (await response.json()) as { data: { id: string } };
    ids.set(body.external_reference, data.id);
  }
  return ids;
}

async function take(page: WatchedPage, url: string, picture: Picture & { folder: string }): Promise<void> {
  const { name, path, height, prepare, folder } = picture;
  await page.goto(url + path);
  await prepare?.(page);
  await page.evaluate(`{
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) walker.currentNode.data = walker.currentNode.data.replace(${IDS}, "$1_…");
  }`);
  const clip = { x: 0, y: 0, width: VIEWPORT.width, height };
  const bytes = await page.screenshot({ path: join(folder, `${name}.png`), clip, animations: "disabled" });
  process.stdout.write(`${name}.png: ${Math.round(bytes.length / 1024)} KB\n`);
}

const { help } = parseArgs({ options: { help: { type: "boolean" } } }).values;
if (help === true) process.stdout.write("npm run screenshots: takes the pictures of docs/guide again\n");
else await main();
