/** fiscal's own server without its scheduler, so that accepting is measured without issuing at the same time. */
import { createServer } from "../../server/listen.ts";
import { openBenchAppliance } from "../material.ts";

const [folder = ""] = process.argv.slice(2);

async function main(): Promise<void> {
  const { FISCAL_STORAGE__URL: url = "", FISCAL_MASTER_KEY: key = "" } = process.env;
  const appliance = await openBenchAppliance(
    folder,
    url === "" ? {} : { FISCAL_STORAGE__URL: url, FISCAL_MASTER_KEY: key },
  );
  const server = await createServer(appliance).start();
  process.stdout.write(`${server.url}\n`);
}

await main();
