/** Gives processes a fixed share of a processor, so that the machine's size does not decide how several of them do together. */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** Control groups of version 1, where root can make them, as most containers allow. */
const CONTROLLER = "/sys/fs/cgroup/cpu";
const PERIOD_MICROS = 20_000;
/** The kernel moves processes out of a group with a delay. */
const MOVE_MS = 100;

/** Whether shares can be set on this machine. */
export function canShare(): boolean {
  return process.getuid?.() === 0 && existsSync(`${CONTROLLER}/cpu.cfs_quota_us`);
}

/** Runs `use` while each of the processes gets at most `share` of a processor. */
export async function withShare<T>(
  pids: readonly number[],
  share: number,
  use: () => Promise<T>,
): Promise<T> {
  const groups = pids.map((pid) => ({ pid, folder: `${CONTROLLER}/fiscal-bench-${pid}` }));
  for (const { pid, folder } of groups) {
    mkdirSync(folder);
    writeFileSync(`${folder}/cpu.cfs_period_us`, String(PERIOD_MICROS));
    writeFileSync(`${folder}/cpu.cfs_quota_us`, String(Math.round(PERIOD_MICROS * share)));
    writeFileSync(`${folder}/cgroup.procs`, String(pid));
  }
  try {
    return await use();
  } finally {
    for (const { pid } of groups) writeFileSync(`${CONTROLLER}/cgroup.procs`, String(pid));
    await wait(MOVE_MS);
    for (const { folder } of groups) rmdirSync(folder);
  }
}
