/**
 * Measures webhook deliveries to a receiver on this machine with 1, 16 and 64 in flight, compared with a bare durable
 * outbox.
 */
import { join } from "node:path";
import { runScript } from "./processes.ts";
import { type Row, rowOf } from "./results.ts";
import { alternate, type Effort, withFolder } from "./rounds.ts";

const DELIVERIES = 3_200;
const GOALS = [
  { inFlight: 1, goal: 0.7 },
  { inFlight: 16, goal: 1.18 },
  { inFlight: 64, goal: 1.54 },
];

export async function benchWebhooks({ rounds, share }: Effort): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { inFlight, goal } of GOALS) {
    const args = [DELIVERIES * share, inFlight];
    const samples = await alternate(rounds, {
      ours: () => withFolder((folder) => runScript("scripts/deliver.ts", [folder, ...args])),
      bare: () =>
        withFolder((folder) => runScript("reference/outbox.ts", [join(folder, "bare.db"), ...args])),
    });
    const row = rowOf(samples, {
      name: `webhooks-${inFlight}`,
      ours: "ours",
      reference: "bare",
      goal: { atLeast: goal },
      about: `webhook deliveries, signed, with every attempt kept, ${inFlight} in flight, compared with a bare outbox that only claims, posts and marks`,
    });
    rows.push(row);
  }
  return rows;
}
