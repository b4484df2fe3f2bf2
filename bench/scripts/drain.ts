/** Drains the sandbox queue as `serve` does: node bench/scripts/drain.ts FOLDER JOBS */
import { acceptDocument } from "../../src/documents/accept.ts";
import { buildBody, makeMerchant, openBenchAppliance, TEST_CAUSE } from "../material.ts";
import { printSample } from "../processes.ts";

const [folder = "", jobs = ""] = process.argv.slice(2);

/** As many as a busy server accepts at a time. */
const AT_A_TIME = 64;

async function main(): Promise<void> {
  const appliance = await openBenchAppliance(folder);
  const merchant = await makeMerchant(appliance);
  const accept = (job: number) => acceptDocument(appliance, buildBody(merchant, `job-${job}`), TEST_CAUSE);
  for (let job = 0; job < Number(jobs); job += AT_A_TIME) {
    const count = Math.min(AT_A_TIME, Number(jobs) - job);
    await Promise.all(Array.from({ length: count }, (_none, index) => accept(job + index)));
  }
  await printSample(Number(jobs), async () => void (await appliance.issuing.settleAll()));
  await appliance.stop(0);
}

await main();
