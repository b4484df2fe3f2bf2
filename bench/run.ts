/**
 * `npm run bench -- [--only NAME …] [--quick] [--compare FILE]`: runs all measurements, or those named. Rows for people go to
 * stderr, one line of JSON per row to stdout unless that is a terminal. Only ratios are meaningful, because machines differ and
 * are shared.
 */
import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { benchAccepting } from "./accepting.ts";
import { benchBatches } from "./batches.ts";
import { benchDraining } from "./draining.ts";
import { BUSY, watchOthers } from "./machine.ts";
import { benchMachines } from "./machines.ts";
import { scriptPath } from "./processes.ts";
import { compareRow, describe, readRows, type Row } from "./results.ts";
import type { Effort } from "./rounds.ts";
import { benchStarting } from "./starting.ts";
import { benchWebhooks } from "./webhooks.ts";

const BENCHES: Readonly<Record<string, (effort: Effort) => Promise<Row[]>>> = {
  starting: benchStarting,
  accepting: benchAccepting,
  machines: benchMachines,
  draining: benchDraining,
  batches: benchBatches,
  webhooks: benchWebhooks,
};

const FULL: Effort = { rounds: 5, share: 1 };
/** To see whether a change helps at all. */
const QUICK: Effort = { rounds: 3, share: 0.1 };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true, default: [] },
      quick: { type: "boolean", default: false },
      compare: { type: "string" },
    },
  });
  const unknown = values.only.filter((name) => !(name in BENCHES));
  if (unknown.length > 0)
    throw new Error(
      `There is no measurement ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}`,
    );
  if (!existsSync(scriptPath("../dist/fiscal.mjs")))
    throw new Error("dist/ is not built; run `npm run build` first");
  const earlier = values.compare === undefined ? undefined : readRows(values.compare);
  const before = watchOthers();
  await wait(1000);
  warnIfBusy("before the start", before());
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (values.only.length > 0 && !values.only.includes(name)) continue;
    const others = watchOthers();
    const rows = await bench(values.quick ? QUICK : FULL);
    for (const row of rows) {
      tell(describe(row));
      if (earlier !== undefined) tell(compareRow(row, earlier.get(row.name)));
      if (!process.stdout.isTTY) process.stdout.write(`${JSON.stringify(row)}\n`);
    }
    warnIfBusy(`while ${name} was measured`, others());
  }
}

function warnIfBusy(when: string, used: number | undefined): void {
  if (used !== undefined && used > BUSY)
    tell(
      `The machine was busy ${when}: other programs used ${used.toFixed(2)} processors. Do not trust rates.`,
    );
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

await main();
