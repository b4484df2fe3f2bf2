/** Measures draining the sandbox queue with all its evidence, compared with a bare queue whose jobs do nothing. */
import { join } from "node:path";
import { acceptDocument } from "../src/documents/accept.ts";
import { buildBody, makeMerchant, openBenchAppliance } from "./material.ts";
import { median, ratio, report, timed, withFolder } from "./measure.ts";
import { drainBareQueue } from "./reference/queue.ts";

const JOBS = 5000;
const ROUNDS = 3;

async function drainOurs(folder: string): Promise<number> {
  const appliance = await openBenchAppliance(folder);
  const merchant = await makeMerchant(appliance);
  const cause = { mode: "test" as const, requestId: null, idempotencyKey: null };
  await Promise.all(
    Array.from({ length: JOBS }, (_, job) =>
      acceptDocument(appliance, buildBody(merchant, `job-${job}`), cause),
    ),
  );
  const elapsedMs = await timed(() => appliance.issuing.settleAll());
  await appliance.stop(0);
  return (JOBS / elapsedMs) * 1000;
}

export async function benchDraining(): Promise<void> {
  const rounds: { ours: number; bare: number }[] = [];
  for (let count = 0; count < ROUNDS; count += 1) {
    await withFolder(async (folder) => {
      rounds.push({ ours: await drainOurs(folder), bare: drainBareQueue(join(folder, "bare.db"), JOBS) });
    });
  }
  const of = (pick: (result: { ours: number; bare: number }) => number) => median(rounds.map(pick));
  report(
    "Draining the sandbox queue (two provider calls and an event each), compared with a bare queue that claims and finishes one by one",
  );
  report(
    `  ${ratio(of(({ ours, bare }) => ours / bare))} of the bare queue (${of(({ ours }) => ours).toFixed(0)}/s; bare ${of(({ bare }) => bare).toFixed(0)}/s)`,
  );
}
