/** fiscal's own server without its scheduler, so that accepting is measured and not issuing beside it. */
import { createServer } from "../server/listen.ts";
import { openBenchAppliance } from "./material.ts";

const [folder = ""] = process.argv.slice(2);

async function main(): Promise<void> {
  const appliance = await openBenchAppliance(folder);
  const { url } = await createServer(appliance).start();
  process.stdout.write(`${url}\n`);
}

await main();
