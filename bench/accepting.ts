/** Measures accepting documents over HTTP with 1, 16 and 64 connections, compared with the bare server. */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import autocannon from "autocannon";
import { buildBody, makeKey, makeMerchant, openBenchAppliance } from "./material.ts";
import { median, ratio, report, withFolder } from "./measure.ts";

const SECONDS = 4;
const ROUNDS = 3;

interface Rate {
  perSecond: number;
  p50: number;
  p99: number;
}

async function start(script: string, args: readonly string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once("exit", (code) => reject(new Error(`${script} ended with ${code}`)));
  });
  return { child, url };
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
}

let sent = 0;

async function load(url: string, key: string, merchant: string, connections: number): Promise<Rate> {
  const result = await autocannon({
    url: `${url}/api/v1/documents`,
    connections,
    duration: SECONDS,
    requests: [
      {
        method: "POST",
        setupRequest(request: autocannon.Request) {
          sent += 1;
          const reference = `bench-${process.pid}-${sent}`;
          const headers = {
            authorization: `Bearer ${key}`,
            "content-type": "application/json",
            "idempotency-key": reference,
          };
          return { ...request, headers, body: JSON.stringify(buildBody(merchant, reference)) };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

/** Each round measures both programs on new files, one right after the other. */
async function round(connections: number): Promise<{ ours: Rate; bare: Rate }> {
  return withFolder(async (folder) => {
    const appliance = await openBenchAppliance(folder);
    const [merchant, key] = [await makeMerchant(appliance), await makeKey(appliance)];
    await appliance.stop(0);
    const copy = join(folder, "bare.db");
    cpSync(join(folder, "data", "fiscal.db"), copy);
    const ours = await start("accept-server.ts", [folder]);
    const oursRate = await load(ours.url, key, merchant, connections).finally(() => stop(ours.child));
    const bare = await start("reference/accept-server.ts", [copy, merchant]);
    const bareRate = await load(bare.url, key, merchant, connections).finally(() => stop(bare.child));
    return { ours: oursRate, bare: bareRate };
  });
}

export async function benchAccepting(): Promise<void> {
  report(
    "Accepting documents over HTTP, compared with a bare h3 server with the same inserts and one group commit a turn",
  );
  for (const connections of [1, 16, 64]) {
    const rounds: { ours: Rate; bare: Rate }[] = [];
    for (let count = 0; count < ROUNDS; count += 1) rounds.push(await round(connections));
    const of = (pick: (result: { ours: Rate; bare: Rate }) => number) => median(rounds.map(pick));
    report(
      `  ${String(connections).padStart(2)} connections: ${ratio(of(({ ours, bare }) => ours.perSecond / bare.perSecond))} of the bare server` +
        ` (${of(({ ours }) => ours.perSecond).toFixed(0)}/s, p50 ${of(({ ours }) => ours.p50)} ms, p99 ${of(({ ours }) => ours.p99)} ms;` +
        ` bare ${of(({ bare }) => bare.perSecond).toFixed(0)}/s, p50 ${of(({ bare }) => bare.p50)} ms, p99 ${of(({ bare }) => bare.p99)} ms)`,
    );
  }
}

/** Measures the same server with and without its request log, on new files, one right after the other. */
async function loggingRound(connections: number): Promise<number> {
  const rates = { logged: 0, unlogged: 0 };
  for (const logging of ["logged", "unlogged"] as const) {
    rates[logging] = await withFolder(async (folder) => {
      const appliance = await openBenchAppliance(folder);
      const [merchant, key] = [await makeMerchant(appliance), await makeKey(appliance)];
      await appliance.stop(0);
      const { child, url } = await start("accept-server.ts", [folder, logging]);
      return (await load(url, key, merchant, connections).finally(() => stop(child))).perSecond;
    });
  }
  return rates.logged / rates.unlogged;
}

export async function benchLogging(): Promise<void> {
  report("Accepting documents with the request log, compared with the same without it");
  for (const connections of [1, 16, 64]) {
    const rounds: number[] = [];
    for (let count = 0; count < ROUNDS; count += 1) rounds.push(await loggingRound(connections));
    report(`  ${String(connections).padStart(2)} connections: ${ratio(median(rounds))} of the unlogged rate`);
  }
}
