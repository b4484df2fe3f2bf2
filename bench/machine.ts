/** Reads from /proc what processes and other users of the machine consume. Undefined where there is no /proc. */
import { readFileSync } from "node:fs";

/** The kernel counts in hundredths of a second. */
const MS_PER_TICK = 10;

export interface Usage {
  /** Processor time since the start, including children that have ended. */
  cpuMs: number;
  /** The most memory that was resident at once. */
  peakMegabytes: number;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(`/proc/${file}`, "utf8");
  } catch {
    // The process has ended, or this is not Linux.
    return undefined;
  }
}

export function usageOf(pid: number | "self"): Usage | undefined {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(read(`${pid}/status`) ?? "")?.[1];
  const times = processTicks(pid);
  if (kilobytes === undefined || times === undefined) return undefined;
  return { cpuMs: ticks(times) * MS_PER_TICK, peakMegabytes: Number(kilobytes) / 1024 };
}

/** Processor time of this process's children that have ended. */
export function endedChildrenCpuMs(): number | undefined {
  const times = processTicks("self");
  return times && ticks(times.slice(2)) * MS_PER_TICK;
}

/** User and system time, then those of children that have ended: the 12th to the 15th field after the name in parentheses. */
function processTicks(pid: number | "self"): string[] | undefined {
  return read(`${pid}/stat`)?.split(") ").at(-1)?.split(" ").slice(11, 15);
}

/** Processor time of all programs on the machine, and time that a virtual machine did not get. */
function machineCpuMs(): number | undefined {
  const fields = read("stat")?.split("\n", 1)[0]?.split(/\s+/).slice(1);
  if (fields === undefined) return undefined;
  const [user = "0", nice = "0", system = "0", , , interrupts = "0", soft = "0", steal = "0"] = fields;
  return ticks([user, nice, system, interrupts, soft, steal]) * MS_PER_TICK;
}

function ticks(fields: readonly string[]): number {
  return fields.reduce((total, field) => total + Number(field), 0);
}

/** Processors above which others disturb a measurement. */
export const BUSY = 0.15;

/**
 * Starts watching. Call the result to get the number of processors that other programs have used since, on average. Processes
 * started meanwhile must have ended, or they count as others.
 */
export function watchOthers(): () => number | undefined {
  const since = performance.now();
  const othersMs = () => {
    const [machine, own] = [machineCpuMs(), usageOf("self")?.cpuMs];
    return machine === undefined || own === undefined ? undefined : machine - own;
  };
  const before = othersMs();
  return () => {
    const after = othersMs();
    if (before === undefined || after === undefined) return undefined;
    return Math.max(0, (after - before) / (performance.now() - since));
  };
}
