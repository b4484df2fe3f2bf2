/** Measures accepting documents over HTTP, alone and in `serve` as it runs, compared with the bare server. */
import type { Load } from "./scripts/driver.ts";
import { makeKey, makeMerchant, openBenchAppliance, SETTINGS } from "./material.ts";
import { PROGRAM, run, scriptPath, withServer } from "./processes.ts";
import { type Row, rowOf } from "./results.ts";
import { alternate, type Effort, type Sample, withFolder } from "./rounds.ts";

const SECONDS = 4;
/** Connections, and the goal for accepting. */
const LOADS = [
  { connections: 1, goal: 0.55 },
  { connections: 16, goal: 0.5 },
  { connections: 64, goal: 0.48 },
];

type Program = (folder: string, merchant: string) => { args: string[]; env?: Record<string, string> };

const alone: Program = (folder) => ({ args: [scriptPath("scripts/accept-server.ts"), folder] });
const reference =
  (kind: "bare" | "queued" | "promising"): Program =>
  (folder, merchant) => ({ args: [scriptPath("reference/accept-server.ts"), folder, merchant, kind] });
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
        const drive = async (span: number) => {
          const driver = [scriptPath("scripts/driver.ts"), url, key, merchant, connections, span].map(String);
          return JSON.parse((await run(driver)).output) as Load;
        };
        await drive(0);
        const before = usage();
        const { accepted, ...times } = await drive(seconds);
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
  const load = (program: Program, connections: number) => loaded(program, connections, seconds);
  for (const { connections, goal } of LOADS) {
    const measured = await alternate(rounds, {
      bare: load(reference("bare"), connections),
      alone: load(alone, connections),
    });
    yield rowOf(measured, {
      ours: "alone",
      reference: "bare",
      name: `accepting-${connections}`,
      goal: { atLeast: goal },
      about: `accepting over ${connections} connections, compared with a bare h3 server that keeps no promise, with the same inserts and one commit a turn`,
    });
  }
  const measured = await alternate(rounds, {
    promising: load(reference("promising"), 64),
    alone: load(alone, 64),
    queued: load(reference("queued"), 64),
    serve: load(serve, 64),
  });
  yield rowOf(measured, {
    ours: "alone",
    reference: "promising",
    name: "accepting-cpu",
    goal: { atMost: 1.15 },
    about:
      "processor time of an accepted document over 64 connections, compared with a server that keeps the same promises in straight code",
    value: (ours, promising) => ours.cpuMicros! / promising.cpuMicros!,
  });
  yield rowOf(measured, {
    ours: "serve",
    reference: "queued",
    name: "serving",
    goal: { atLeast: 0.45 },
    about:
      "`serve` accepting and issuing over 64 connections, compared with the bare server and a bare queue",
  });
  yield rowOf(measured, {
    ours: "serve",
    reference: "queued",
    name: "serving-memory",
    unit: "MB",
    goal: { atMost: 40 },
    about: "how much more memory `serve` takes than those",
    value: (ours, queued) => ours.peakMegabytes! - queued.peakMegabytes!,
  });
}
