/**
 * fiscal's own server without its scheduler, so that accepting is measured without issuing at the same time. `unlogged`
 * also turns off the rows and bodies of the request log.
 */
import { createServer } from "../../server/listen.ts";
import { openBenchAppliance } from "../material.ts";

const [folder = "", logging = "logged"] = process.argv.slice(2);

async function main(): Promise<void> {
  const opened = await openBenchAppliance(folder);
  // The request log is the only deferred write here.
  const store = logging === "unlogged" ? { ...opened.store, defer: async () => undefined } : opened.store;
  const appliance = { ...opened, store };
  const { url } = await createServer(appliance).start();
  process.stdout.write(`${url}\n`);
}

await main();
