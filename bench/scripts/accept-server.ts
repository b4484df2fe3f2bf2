/**
 * fiscal's own server without its scheduler, so that accepting is measured without issuing at the same time. `unlogged`
 * also turns off the rows and bodies of the request log.
 */
import { createServer } from "../../server/listen.ts";
import { openBenchAppliance } from "../material.ts";

const [folder = "", logging = "logged"] = process.argv.slice(2);

async function main(): Promise<void> {
  const { FISCAL_STORAGE__URL: url = "", FISCAL_MASTER_KEY: key = "" } = process.env;
  const opened = await openBenchAppliance(
    folder,
    url === "" ? {} : { FISCAL_STORAGE__URL: url, FISCAL_MASTER_KEY: key },
  );
  // The request log is the only deferred write here.
  const store = logging === "unlogged" ? { ...opened.store, defer: async () => undefined } : opened.store;
  const appliance = { ...opened, store };
  const server = await createServer(appliance).start();
  process.stdout.write(`${server.url}\n`);
}

await main();
