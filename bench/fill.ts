/**
 * Fills a database with issued documents, to measure lists, `doctor`, reports and backups on a large one:
 * `npm run fill -- --documents 1000000 --folder /srv/large`. A folder that has documents gets more.
 */
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { acceptDocument } from "../src/documents/accept.ts";
import { findMerchantByName } from "../src/merchants/merchants.ts";
import { AppError } from "../src/foundation/errors.ts";
import type { Appliance } from "../src/appliance.ts";
import { buildBody, makeMerchant, openBenchAppliance, TEST_CAUSE } from "./material.ts";

/** Documents accepted at once, which share commits, and that may wait to be issued. */
const AT_ONCE = 500;
/** Enough series that the queue always has a free one. */
const SERIES = 40;
/** The issue dates, in the order in which documents are accepted: the last year. */
const DAYS = 365;
const DAY_MS = 86_400_000;
/** The second merchant has a twentieth of the documents, the third one of each 500. */
const MERCHANTS = ["bench", "second", "third"];

const { values } = parseArgs({
  options: { documents: { type: "string", default: "1000000" }, folder: { type: "string" } },
});
if (values.folder === undefined) throw new Error("--folder must name the folder to fill");
await fill(resolve(values.folder), Number(values.documents));

async function fill(folder: string, documents: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const appliance = await openBenchAppliance(folder);
  const merchants: string[] = [];
  for (const name of MERCHANTS) merchants.push(await findOrMakeMerchant(appliance, name));
  const run = Date.now();
  for (let done = 0; done < documents; done += AT_ONCE) {
    const count = Math.min(AT_ONCE, documents - done);
    const day = Math.floor((done / documents) * DAYS) - DAYS;
    const issue_date = new Date(run + day * DAY_MS).toISOString().slice(0, 10);
    const bodies = Array.from({ length: count }, (_, index) => {
      const merchant = merchants[index === 0 ? 2 : index % 20 === 1 ? 1 : 0]!;
      // Another run begins a year ago again, which a series may not.
      const body = buildBody(merchant, `${run}-${done + index}`, `${run}-${index % SERIES}`);
      return { ...body, document: { ...(body["document"] as object), issue_date } };
    });
    await Promise.all(bodies.map((body) => acceptDocument(appliance, body, TEST_CAUSE)));
    await appliance.issuing.settleAll();
    process.stderr.write(`\r${done + count} of ${documents}`);
  }
  process.stderr.write("\n");
  await appliance.stop(60_000);
}

async function findOrMakeMerchant(appliance: Appliance, name: string): Promise<string> {
  try {
    return (await findMerchantByName(appliance, name)).id;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return makeMerchant(appliance, name);
    throw error;
  }
}
