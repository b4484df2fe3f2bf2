/** Delivers events to a receiver on this machine: node bench/scripts/deliver.ts FOLDER DELIVERIES IN_FLIGHT */
import { join } from "node:path";
import { type Appliance, openAppliance } from "../../src/appliance.ts";
import { loadConfig } from "../../src/config/config.ts";
import { createMerchant } from "../../src/merchants/merchants.ts";
import { createWebhookEndpoint } from "../../src/webhooks/endpoints.ts";
import { LOG, TEST_CAUSE } from "../material.ts";
import { printSample } from "../processes.ts";
import { startReceiver } from "./receiver.ts";

/** A single endpoint never gets all slots, so the requested number in flight needs several. */
const IN_FLIGHT_AN_ENDPOINT = 4;
const [folder = "", count = "", inFlight = ""] = process.argv.slice(2);
const deliveries = Number(count);

function open(): Promise<Appliance> {
  const env = { HOME: folder, FISCAL_DATA_DIR: join(folder, "data"), FISCAL_WEBHOOKS__CONCURRENCY: inFlight };
  return openAppliance({ config: loadConfig({ env, cwd: folder, flags: {} }), log: LOG });
}

/** Creates events as large as a document's (1.3 KB of JSON), with one delivery per endpoint. */
async function queueDeliveries(appliance: Appliance, url: string): Promise<void> {
  const endpoints = Math.max(1, Number(inFlight) / IN_FLIGHT_AN_ENDPOINT);
  for (let made = 0; made < endpoints; made += 1)
    await createWebhookEndpoint(appliance, { url, enabled_events: ["merchant.created"] }, TEST_CAUSE);
  const metadata = { first: "x".repeat(450), second: "x".repeat(450) };
  await Promise.all(
    Array.from({ length: deliveries / endpoints }, (_none, index) =>
      createMerchant(appliance, { external_id: `m-${index}`, name: "Μέτρηση", metadata }, TEST_CAUSE),
    ),
  );
}

async function main(): Promise<void> {
  const appliance = await open();
  const receiver = await startReceiver(deliveries);
  await queueDeliveries(appliance, receiver.url);
  await printSample(deliveries, async () => {
    await appliance.startScheduler({ webhooks: true });
    return receiver.elapsedMs;
  });
  await appliance.stop(0);
  await receiver.stop();
}

await main();
