/** Sends documents to servers, and measures what they make of it. */
import { setTimeout as wait } from "node:timers/promises";
import { type Usage, usageOf } from "./machine.ts";
import { runScript, type Server } from "./processes.ts";
import type { Sample } from "./rounds.ts";
import type { Load } from "./scripts/driver.ts";

/** At 64 connections, even the slowest accepts over 4,000 documents in it. */
const WARM_UP_SECONDS = 3;
const WARM_UP_CONNECTIONS = 64;
/** A server that uses less than `IDLE_MS` of processor time in `WATCHED_MS` has issued what it accepted. */
const [WATCHED_MS, IDLE_MS] = [300, 30];

export interface Access {
  merchant: string;
  key: string;
}

function drive({ url }: Server, { key, merchant }: Access, connections: number, seconds: number) {
  return runScript<Load>("scripts/driver.ts", [url, key, merchant, connections, seconds]);
}

/** Lets a server compile what it runs often. */
export async function warmUp(server: Server, access: Access): Promise<void> {
  await drive(server, access, WARM_UP_CONNECTIONS, WARM_UP_SECONDS);
  await untilIdle(server);
}

/** Sends to all servers at once. The rate is that of documents accepted and, if the servers issue, issued. */
export async function sampleLoad(
  servers: readonly Server[],
  access: Access,
  connections: number,
  seconds: number,
): Promise<Sample> {
  const before = servers.map(({ pid }) => usageOf(pid));
  const loads = await Promise.all(servers.map((server) => drive(server, access, connections, seconds)));
  const sentAt = performance.now();
  const idleAt = Math.max(...(await Promise.all(servers.map(untilIdle))));
  const after = servers.map(({ pid }) => usageOf(pid));
  const accepted = sum(loads.map((load) => load.accepted));
  const [cpuMs, cpuBefore] = [after, before].map((all) => sum(all.map((usage) => usage?.cpuMs)));
  return {
    perSecond: (accepted / (Math.max(...loads.map((load) => load.elapsedMs)) + idleAt - sentAt)) * 1000,
    cpuMicros: ((cpuMs! - cpuBefore!) * 1000) / accepted,
    peakMegabytes: sum(after.map((usage: Usage | undefined) => usage?.peakMegabytes)),
    p99Ms: Math.max(...loads.map((load) => load.p99Ms)),
  };
}

/** NaN without /proc. */
function sum(values: readonly (number | undefined)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? Number.NaN), 0);
}

/** Waits until the server does nothing; returns since when. */
async function untilIdle({ pid }: Server): Promise<number> {
  for (;;) {
    const [since, before] = [performance.now(), usageOf(pid)?.cpuMs ?? 0];
    await wait(WATCHED_MS);
    if ((usageOf(pid)?.cpuMs ?? 0) - before < IDLE_MS) return since;
  }
}
