/** Measures `serve` with several workers, compared with one process that does everything. */
import { loaded, serve } from "./accepting.ts";
import { type Row, rowOf } from "./results.ts";
import { alternate, type Effort } from "./rounds.ts";

const SECONDS = 4;
const CONNECTIONS = 64;
/** With two workers there are three processes. */
const WORKERS = [2, 4];

export async function* benchWorkers({ rounds, share }: Effort): AsyncGenerator<Row> {
  const seconds = Math.max(1, SECONDS * share);
  for (const workers of WORKERS) {
    const measured = await alternate(rounds, {
      several: loaded(serve(workers), CONNECTIONS, seconds),
      one: loaded(serve(), CONNECTIONS, seconds),
    });
    const pair = { ours: "several", reference: "one" } as const;
    const words = `\`serve --workers ${workers}\` over ${CONNECTIONS} connections, compared with one process`;
    yield rowOf(measured, {
      ...pair,
      name: `workers-${workers}`,
      about: `documents accepted by ${words}, on as many cores as the machine has`,
    });
    yield rowOf(measured, {
      ...pair,
      name: `workers-cpu-${workers}`,
      about: `processor time of a document with ${words}`,
      value: (ours, reference) => ours.cpuMicros! / reference.cpuMicros!,
    });
  }
}
