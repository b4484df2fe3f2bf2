/** Measures accepting documents over HTTP, alone and in `serve` as it runs, compared with the bare server. */
import type { Load } from "./scripts/driver.ts";
import { makeKey, makeMerchant, openBenchAppliance, SETTINGS } from "./material.ts";
import { PROGRAM, run, scriptPath, withServer } from "./processes.ts";
import { type Row, rowOf } from "./results.ts";
import { alternate, type Effort, type Sample, withFolder } from "./rounds.ts";

const SECONDS = 4;
/** Connections, and the goals for accepting and serving. */
const LOADS = [
  { connections: 1, accepting: 0.8, serving: 0.6 },
  { connections: 16, accepting: 0.7, serving: 0.5 },
  { connections: 64, accepting: 0.65, serving: 0.5 },
];

type Program = (folder: string, merchant: string) => { args: string[]; env?: Record<string, string> };

const alone: Program = (folder) => ({ args: [scriptPath("scripts/accept-server.ts"), folder] });
const unlogged: Program = (folder) => ({
  args: [scriptPath("scripts/accept-server.ts"), folder, "unlogged"],
});
const bare: Program = (folder, merchant) => ({
  args: [scriptPath("reference/accept-server.ts"), `${folder}/data/fiscal.db`, merchant],
});
export const serve: Program = (folder) => ({
  args: [PROGRAM, "serve"],
  env: { ...SETTINGS, HOME: folder, FISCAL_DATA_DIR: `${folder}/data` },
});

/** Loads `program` over new files, with a merchant and a key. */
export function loaded(program: Program, connections: number, seconds: number): () => Promise<Sample> {
  return () =>
    withFolder(async (folder) => {
      const appliance = await openBenchAppliance(folder);
      const [merchant, key] = [await makeMerchant(appliance), await makeKey(appliance)];
      await appliance.stop(0);
      const { args, env = {} } = program(folder, merchant);
      return withServer(args, env, async ({ url, usage }) => {
        const before = usage();
        const driver = [
          scriptPath("scripts/driver.ts"),
          url,
          key,
          merchant,
          String(connections),
          String(seconds),
        ];
        const { accepted, ...times } = JSON.parse((await run(driver)).output) as Load;
        const after = usage();
        return {
          ...times,
          cpuMicros: before && after && ((after.cpuMs - before.cpuMs) * 1000) / accepted,
          peakMegabytes: after?.peakMegabytes,
        };
      });
    });
}

export async function* benchAccepting({ rounds, share }: Effort): AsyncGenerator<Row> {
  const seconds = Math.max(1, SECONDS * share);
  for (const { connections, accepting, serving } of LOADS) {
    const measured = await alternate(rounds, {
      bare: loaded(bare, connections, seconds),
      alone: loaded(alone, connections, seconds),
      serve: loaded(serve, connections, seconds),
    });
    const words = connections === 1 ? "1 connection" : `${connections} connections`;
    const pair = { ours: "alone", reference: "bare" } as const;
    yield rowOf(measured, {
      ...pair,
      name: `accepting-${connections}`,
      goal: { atLeast: accepting },
      about: `accepting over ${words}, compared with a bare h3 server with the same inserts and one commit a turn`,
    });
    yield rowOf(measured, {
      ...pair,
      name: `accepting-p99-${connections}`,
      goal: { atMost: 3 },
      about: `the slowest hundredth of responses over ${words}, compared with the same server`,
      value: (ours, reference) => ours.p99Ms! / reference.p99Ms!,
    });
    yield rowOf(measured, {
      ours: "serve",
      reference: "bare",
      name: `serving-${connections}`,
      goal: { atLeast: serving },
      about: `\`serve\` accepting and issuing, over ${words}, compared with the same server, which issues nothing`,
    });
    if (connections !== 64) continue;
    yield rowOf(measured, {
      ...pair,
      name: "accepting-cpu",
      goal: { atMost: 1.6 },
      about: "processor time of an accepted document, compared with the same server",
      value: (ours, reference) => ours.cpuMicros! / reference.cpuMicros!,
    });
    yield rowOf(measured, {
      ours: "serve",
      name: "serving-memory",
      unit: "MB",
      goal: { atMost: 150 },
      about: `peak memory of \`serve\` accepting and issuing, over ${words}`,
      value: (ours) => ours.peakMegabytes,
    });
  }
}

export async function* benchLogging({ rounds, share }: Effort): AsyncGenerator<Row> {
  const seconds = Math.max(1, SECONDS * share);
  for (const { connections } of LOADS) {
    const measured = await alternate(rounds, {
      logged: loaded(alone, connections, seconds),
      unlogged: loaded(unlogged, connections, seconds),
    });
    yield rowOf(measured, {
      ours: "logged",
      reference: "unlogged",
      name: `logging-${connections}`,
      about: `accepting with the request log over ${connections} connections, compared with the same without it`,
    });
  }
}
