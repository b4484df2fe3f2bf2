/** Measures accepting the rows of a CSV file with the built program, compared with a bare loop into the same tables. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { csvLines, makeMerchant, openBenchAppliance } from "./material.ts";
import { PROGRAM, sampleRun, scriptPath } from "./processes.ts";
import { type Row, rowOf } from "./results.ts";
import { alternate, type Effort, withFolder } from "./rounds.ts";

const ROWS = 100_000;

export async function benchBatches({ rounds, share }: Effort): Promise<Row[]> {
  const rows = ROWS * share;
  const samples = await withFolder(async (folder) => {
    const appliance = await openBenchAppliance(folder);
    const merchant = await makeMerchant(appliance);
    await appliance.stop(0);
    const file = join(folder, "rows.csv");
    writeFileSync(file, [...csvLines(rows)].join(""));
    /** A copy of the data for each run. */
    const fresh = async <T>(use: (data: string) => Promise<T>) =>
      withFolder((copy) => {
        cpSync(join(folder, "data"), copy, { recursive: true });
        return use(copy);
      });
    const issue = [PROGRAM, "documents", "issue", file, "--merchant", "bench", "--no-wait"];
    const bare = scriptPath("reference/batch.ts");
    return alternate(rounds, {
      ours: () => fresh((data) => sampleRun(rows, [...issue, "--data-dir", data])),
      bare: () => fresh((data) => sampleRun(rows, [bare, join(data, "fiscal.db"), merchant, file])),
    });
  });
  const speed = rowOf(samples, {
    name: "csv",
    ours: "ours",
    reference: "bare",
    goal: { atLeast: 0.5 },
    about: `${rows} rows by \`documents issue\`, compared with a bare loop that parses them and writes the same four rows of each unchecked`,
  });
  const memory = rowOf(samples, {
    name: "csv-memory",
    unit: "MB",
    ours: "ours",
    goal: { atMost: 200 },
    about: `peak memory of \`documents issue\` with ${rows} rows`,
    value: (ours) => ours.peakMegabytes,
  });
  return [speed, memory];
}
