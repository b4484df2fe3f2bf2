/** Measures draining the sandbox queue with all its evidence, compared with a bare queue whose jobs do nothing. */
import { join } from "node:path";
import { runScript } from "./processes.ts";
import { type Row, rowOf } from "./results.ts";
import { alternate, type Effort, withFolder } from "./rounds.ts";

const JOBS = 5000;

export async function benchDraining({ rounds, share }: Effort): Promise<Row[]> {
  const jobs = JOBS * share;
  const samples = await alternate(rounds, {
    ours: () => withFolder((folder) => runScript("scripts/drain.ts", [folder, jobs])),
    bare: () => withFolder((folder) => runScript("reference/queue.ts", [join(folder, "bare.db"), jobs])),
  });
  const row = rowOf(samples, {
    name: "draining",
    ours: "ours",
    reference: "bare",
    goal: { atLeast: 1.4 },
    about:
      "draining the sandbox queue (two provider calls and an event each), compared with claiming and finishing one by one",
  });
  return [row];
}
