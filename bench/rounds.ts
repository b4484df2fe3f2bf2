/** Runs programs in turn, so that other load on the machine affects all of them alike. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What one run of a program took. Processor time is per unit of work. */
export interface Sample {
  perSecond: number;
  cpuMicros?: number | undefined;
  peakMegabytes?: number | undefined;
  p99Ms?: number;
}

/** How much to measure. `share` shrinks the work of a round. */
export interface Effort {
  rounds: number;
  share: number;
}

/** Each round runs every program once; the order changes from round to round. */
export async function alternate<Name extends string>(
  rounds: number,
  programs: Record<Name, () => Promise<Sample>>,
): Promise<Record<Name, Sample>[]> {
  const names = Object.keys(programs) as Name[];
  const samples: Record<Name, Sample>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const at = round % names.length;
    const taken: Partial<Record<Name, Sample>> = {};
    for (const name of [...names.slice(at), ...names.slice(0, at)]) taken[name] = await programs[name]();
    samples.push(taken as Record<Name, Sample>);
  }
  return samples;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

export function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "fiscal-bench-"));
  return use(folder).finally(() => rmSync(folder, { recursive: true, force: true }));
}
