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

const { values } = parseArgs({
  options: { documents: { type: "string", default: "1000000" }, folder: { type: "string" } },
});
if (values.folder === undefined) throw new Error("--folder must name the folder to fill");
await fill(resolve(values.folder), Number(values.documents));

async function fill(folder: string, documents: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const appliance = await openBenchAppliance(folder);
  const merchant = await findOrMakeMerchant(appliance);
  const run = Date.now();
  for (let done = 0; done < documents; done += AT_ONCE) {
    const count = Math.min(AT_ONCE, documents - done);
    const bodies = Array.from({ length: count }, (_, index) =>
      buildBody(merchant, `${run}-${done + index}`, `F${index % SERIES}`),
    );
    await Promise.all(bodies.map((body) => acceptDocument(appliance, body, TEST_CAUSE)));
    await appliance.issuing.settleAll();
    process.stderr.write(`\r${done + count} of ${documents}`);
  }
  process.stderr.write("\n");
  await appliance.stop(60_000);
}

async function findOrMakeMerchant(appliance: Appliance): Promise<string> {
  try {
    return (await findMerchantByName(appliance, "bench")).id;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return makeMerchant(appliance);
    throw error;
  }
}
