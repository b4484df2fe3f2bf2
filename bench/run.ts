/**
 * `npm run bench [name …]`: runs all measurements, or those named. Only the ratios are meaningful, because machines
 * differ and are shared.
 */
import { benchAccepting, benchLogging } from "./accepting.ts";
import { benchBatches } from "./batches.ts";
import { benchChain } from "./chain.ts";
import { benchDraining } from "./draining.ts";
import { benchLookups } from "./lookups.ts";
import { report } from "./measure.ts";
import { benchPages } from "./pages.ts";
import { benchRegistry } from "./registry.ts";
import { benchStarting } from "./starting.ts";
import { benchWebhooks } from "./webhooks.ts";

const BENCHES = {
  starting: benchStarting,
  accepting: benchAccepting,
  logging: benchLogging,
  chain: benchChain,
  draining: benchDraining,
  batches: benchBatches,
  pages: benchPages,
  registry: benchRegistry,
  lookups: benchLookups,
  webhooks: benchWebhooks,
};

async function main(): Promise<void> {
  const named = process.argv.slice(2);
  const unknown = named.filter((name) => !(name in BENCHES));
  if (unknown.length > 0)
    throw new Error(
      `There is no measurement ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}`,
    );
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (named.length > 0 && !named.includes(name)) continue;
    await bench();
    report("");
  }
}

await main();
