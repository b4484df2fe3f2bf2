/**
 * The simulator's command (CONTRIBUTING.md#simulator): `npm run simulate -- --seeds 1000` plays many histories and prints their
 * totals, `--seed 17` plays one and prints it. `--plan dead-lists` plays a certain plan. Ends with exit code 1 if an invariant is broken.
 */
import { parseArgs } from "node:util";
import { minimise } from "./minimise.ts";
import { currentHost, installPlatform } from "./platform.ts";
import { PLANS } from "./plan.ts";
import { prepare, type Prepared } from "./prepared.ts";
import { addHistory, createTotals, describeHistory, describeTotals } from "./report.ts";
import { play } from "./simulation.ts";

/** More are as many repetitions of the same defect. */
const VIOLATIONS_MAX = 5;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    plan: { type: "string", default: "any" },
  },
});

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function readNumber(name: "seeds" | "from" | "seed", text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} must be a whole number from 1`);
  return Number(text);
}

const plan = PLANS[values.plan];
if (plan === undefined) throw new Error(`The plans are: ${Object.keys(PLANS).join(", ")}`);

async function playOne(seed: number, prepared: Prepared): Promise<boolean> {
  const history = await play(seed, prepared, { plan });
  print(describeHistory(history));
  if (history.violations.length === 0) return true;
  const shortest = await minimise(history, (without) => play(seed, prepared, { without, plan }));
  print(`\nthe shortest history with this violation:\n${describeHistory(shortest)}`);
  return false;
}

async function playMany(first: number, count: number, prepared: Prepared): Promise<boolean> {
  const totals = createTotals();
  for (let seed = first; seed < first + count && totals.violations < VIOLATIONS_MAX; seed += 1) {
    const history = await play(seed, prepared, { plan });
    addHistory(totals, history);
    for (const { rule, what } of history.violations)
      print(`seed ${seed}: ${rule}: ${what}\n  see it with: npm run simulate -- --seed ${seed}`);
  }
  print(describeTotals(totals));
  return totals.violations === 0;
}

process.on("unhandledRejection", (error) => {
  const host = currentHost();
  if (host === undefined) throw error;
  host.failed(error);
});
installPlatform();
const prepared = await prepare();
process.once("SIGINT", () => {
  // Its folder may be in memory.
  prepared.remove();
  process.exit(130);
});
try {
  const isSound =
    values.seed === undefined
      ? await playMany(readNumber("from", values.from), readNumber("seeds", values.seeds), prepared)
      : await playOne(readNumber("seed", values.seed), prepared);
  process.exitCode = isSound ? 0 : 1;
} finally {
  prepared.remove();
}
