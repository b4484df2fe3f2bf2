/** Drains the sandbox queue: node bench/scripts/drain.ts FOLDER JOBS */
import { acceptDocument } from "../../src/documents/accept.ts";
import { buildBody, makeMerchant, openBenchAppliance, TEST_CAUSE } from "../material.ts";
import { printSample } from "../processes.ts";

const [folder = "", jobs = ""] = process.argv.slice(2);

async function main(): Promise<void> {
  const appliance = await openBenchAppliance(folder);
  const merchant = await makeMerchant(appliance);
  const bodies = Array.from({ length: Number(jobs) }, (_none, job) => buildBody(merchant, `job-${job}`));
  await Promise.all(bodies.map((body) => acceptDocument(appliance, body, TEST_CAUSE)));
  await printSample(Number(jobs), async () => void (await appliance.issuing.settleAll()));
  await appliance.stop(0);
}

await main();
