/** Runs the measured programs in processes of their own, and reads what these use. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { endedChildrenCpuMs, usageOf } from "./machine.ts";
import type { Sample } from "./rounds.ts";

/** The built program. */
export const PROGRAM = join(import.meta.dirname, "..", "bin", "fiscal.js");
const POLL_MS = 20;
const KEPT_CHARACTERS = 10_000;

export interface Program {
  args: readonly string[];
  env?: Record<string, string>;
}

interface Started {
  child: ChildProcess;
  /** The end of what it has written so far, also to stderr. */
  output(): string;
  /** Throws if the program fails. */
  ended: Promise<void>;
}

/** Reads everything that the program writes, or it would wait for space in the pipe. */
function start({ args, env }: Program): Started {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let output = "";
  const keep = (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-KEPT_CHARACTERS));
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const end = async () => {
    const [code] = await once(child, "close");
    if (code !== 0 && !child.killed) throw new Error(`${args.join(" ")} ended with ${code}: ${output}`);
  };
  return { child, output: () => output, ended: end() };
}

export function scriptPath(name: string): string {
  return join(import.meta.dirname, name);
}

export interface Server {
  url: string;
  pid: number;
}

/** Starts servers that print their URLs, one after another, and kills all of them after `use`. */
export async function withServers<T>(
  programs: readonly Program[],
  use: (servers: readonly Server[]) => Promise<T>,
): Promise<T> {
  const all: Started[] = [];
  try {
    const servers: Server[] = [];
    for (const program of programs) {
      const started = start(program);
      all.push(started);
      // Thrown below, when the others are killed.
      started.ended.catch(() => undefined);
      servers.push({ pid: started.child.pid!, url: await urlOf(started) });
    }
    return await use(servers);
  } finally {
    for (const { child } of all) child.kill("SIGKILL");
    await Promise.all(all.map(({ ended }) => ended));
  }
}

async function urlOf({ child, output }: Started): Promise<string> {
  while (child.exitCode === null && child.signalCode === null) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0];
    if (url !== undefined) return url;
    await wait(POLL_MS);
  }
  throw new Error(`${child.spawnargs.join(" ")} ended before it listened`);
}

interface Run {
  elapsedMs: number;
  cpuMs: number | undefined;
  peakMegabytes: number | undefined;
  output: string;
}

/** Runs a program to its end. Throws if it fails, because a failing program is fast. */
export async function run(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  const [from, before] = [performance.now(), endedChildrenCpuMs()];
  const { child, output, ended } = start({ args, env });
  let peakMegabytes: number | undefined;
  const poll = setInterval(() => {
    peakMegabytes = usageOf(child.pid ?? 0)?.peakMegabytes ?? peakMegabytes;
  }, POLL_MS);
  await ended.finally(() => clearInterval(poll));
  const [elapsedMs, after] = [performance.now() - from, endedChildrenCpuMs()];
  const cpuMs = after === undefined || before === undefined ? undefined : after - before;
  return { elapsedMs, cpuMs, peakMegabytes, output: output() };
}

/** Runs a program as a whole that does `units` of work. */
export async function sampleRun(
  units: number,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Sample> {
  const { elapsedMs, cpuMs, peakMegabytes } = await run(args, env);
  return { perSecond: (units / elapsedMs) * 1000, cpuMicros: cpuMs && (cpuMs * 1000) / units, peakMegabytes };
}

/** Runs a script of the bench, whose last line is JSON. */
export async function runScript<T = Sample>(name: string, args: readonly unknown[]): Promise<T> {
  const { output } = await run([scriptPath(name), ...args.map(String)]);
  return JSON.parse(output) as T;
}

/** In a script: measures the part of it that counts. */
export async function printSample(units: number, work: () => Promise<number> | Promise<void>): Promise<void> {
  const [from, before] = [performance.now(), process.cpuUsage()];
  // Some work measures itself, and returns its time in ms.
  const elapsedMs = (await work()) ?? performance.now() - from;
  const { user, system } = process.cpuUsage(before);
  const sample: Sample = {
    perSecond: (units / elapsedMs) * 1000,
    cpuMicros: (user + system) / units,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
  };
  process.stdout.write(`${JSON.stringify(sample)}\n`);
}
