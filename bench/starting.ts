/** Measures cold starts of the built program, compared with a Node process that does nothing. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { acceptDocument } from "../src/documents/accept.ts";
import { buildBody, makeMerchant, openBenchAppliance } from "./material.ts";
import { median, ratio, report, timedProcess, withFolder } from "./measure.ts";

const ROUNDS = 21;
const BIN = resolve(import.meta.dirname, "../bin/fiscal.js");

export async function benchStarting(): Promise<void> {
  if (!existsSync(resolve(import.meta.dirname, "../dist/fiscal.cjs")))
    throw new Error("dist/ is not built; run `npm run build` first");
  await withFolder(async (folder) => {
    const appliance = await openBenchAppliance(folder);
    const merchant = await makeMerchant(appliance);
    const cause = { mode: "test" as const, requestId: null, idempotencyKey: null };
    const { id } = await acceptDocument(appliance, buildBody(merchant, "one"), cause);
    await appliance.stop(0);
    const env = { HOME: folder, FISCAL_DATA_DIR: `${folder}/data` };
    const programs = {
      nothing: ["-e", "0"],
      version: [BIN, "--version"],
      show: [BIN, "documents", "show", id],
    };
    const times = { nothing: [] as number[], version: [] as number[], show: [] as number[] };
    // The first round fills the compile cache and is not counted.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [name, args] of Object.entries(programs) as [keyof typeof programs, string[]][]) {
        const elapsedMs = timedProcess(args, env);
        if (round > 0) times[name].push(elapsedMs);
      }
    }
    const base = median(times.nothing);
    report("Cold start, compared with `node -e 0`");
    report(
      `  fiscal --version: ${ratio(median(times.version) / base)} (${median(times.version).toFixed(0)} ms; node -e 0 ${base.toFixed(0)} ms)`,
    );
    report(
      `  fiscal documents show: ${ratio(median(times.show) / base)} (${median(times.show).toFixed(0)} ms)`,
    );
  });
}
