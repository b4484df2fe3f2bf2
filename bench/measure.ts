/** Compares programs: every figure is a ratio to a reference program measured in the same minutes on the same machine. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "fiscal-bench-"));
  return use(folder).finally(() => rmSync(folder, { recursive: true, force: true }));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Milliseconds taken by `work`. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Milliseconds taken by a process. Throws if it fails, because a failing program is fast. */
export function timedProcess(args: readonly string[], env: Record<string, string> = {}): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  const elapsed = performance.now() - started;
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return elapsed;
}

export function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function ratio(value: number): string {
  return `×${value.toFixed(2)}`;
}
