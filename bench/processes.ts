/** Runs the measured programs in processes of their own, and reads what these use. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { endedChildrenCpuMs, type Usage, usageOf, usageWithChildren } from "./machine.ts";
import type { Sample } from "./rounds.ts";

/** The built program. */
export const PROGRAM = join(import.meta.dirname, "..", "bin", "fiscal.js");
const POLL_MS = 20;

type Environment = Record<string, string>;

interface Started {
  child: ChildProcess;
  /** The end of what it has written so far, also to stderr. */
  output(): string;
  onOutput(listener: () => void): void;
  /** Throws if the program fails. */
  ended: Promise<void>;
}

const KEPT_CHARACTERS = 10_000;

/** Reads everything that the program writes, or it would wait for space in the pipe. */
function start(args: readonly string[], env: Environment): Started {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let output = "";
  let listen = () => {};
  const keep = (chunk: Buffer) => {
    output = `${output}${chunk.toString()}`.slice(-KEPT_CHARACTERS);
    listen();
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const end = async () => {
    const [code] = await once(child, "close");
    if (code !== 0 && !child.killed) throw new Error(`${args.join(" ")} ended with ${code}: ${output}`);
  };
  return { child, output: () => output, onOutput: (listener) => (listen = listener), ended: end() };
}

export function scriptPath(name: string): string {
  return join(import.meta.dirname, name);
}

export interface Server {
  url: string;
  pid: number;
  usage(): Usage | undefined;
}

/** Starts a server that prints its URL, and kills it after `use`. */
export async function withServer<T>(
  args: readonly string[],
  env: Environment,
  use: (server: Server) => Promise<T>,
): Promise<T> {
  const { child, output, onOutput, ended } = start(args, env);
  const listening = new Promise<string>((resolve) => {
    onOutput(() => {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0];
      if (url !== undefined) resolve(url);
    });
  });
  try {
    const url = await Promise.race([listening, ended]);
    if (url === undefined) throw new Error(`${args.join(" ")} ended before it listened`);
    const pid = child.pid!;
    return await use({ url, pid, usage: () => usageWithChildren(pid) });
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

interface Run {
  elapsedMs: number;
  cpuMs: number | undefined;
  peakMegabytes: number | undefined;
  output: string;
}

/** Runs a program to its end, no other at the same time. Throws if it fails, because a failing program is fast. */
export async function run(args: readonly string[], env: Environment = {}): Promise<Run> {
  const [started, before] = [performance.now(), endedChildrenCpuMs()];
  const { child, output, ended } = start(args, env);
  let peakMegabytes: number | undefined;
  const poll = setInterval(() => {
    peakMegabytes = usageOf(child.pid ?? 0)?.peakMegabytes ?? peakMegabytes;
  }, POLL_MS);
  await ended.finally(() => clearInterval(poll));
  const [elapsedMs, after] = [performance.now() - started, endedChildrenCpuMs()];
  const cpuMs = after === undefined || before === undefined ? undefined : after - before;
  return { elapsedMs, cpuMs, peakMegabytes, output: output() };
}

/** Runs a program as a whole that does `units` of work. */
export async function sampleRun(
  units: number,
  args: readonly string[],
  env: Environment = {},
): Promise<Sample> {
  const { elapsedMs, cpuMs, peakMegabytes } = await run(args, env);
  return { perSecond: (units / elapsedMs) * 1000, cpuMicros: cpuMs && (cpuMs * 1000) / units, peakMegabytes };
}

/** Runs a script of the bench that ends with `printSample`. */
export async function runScript(name: string, args: readonly string[]): Promise<Sample> {
  const { output } = await run([scriptPath(name), ...args]);
  return JSON.parse(output) as Sample;
}

/** In a script: measures the part of it that counts. */
export async function printSample(units: number, work: () => Promise<number> | Promise<void>): Promise<void> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  // Some work measures itself, and returns its time in ms.
  const elapsedMs = (await work()) ?? performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  const sample: Sample = {
    perSecond: (units / elapsedMs) * 1000,
    cpuMicros: (user + system) / units,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
  };
  process.stdout.write(`${JSON.stringify(sample)}\n`);
}
