/** Measures accepting documents over HTTP, alone and in `serve` as it runs, compared with bare servers. */
import { type Access, sampleLoad, warmUp } from "./load.ts";
import { makeKey, makeMerchant, openBenchAppliance, SETTINGS } from "./material.ts";
import { PROGRAM, type Program, scriptPath, withServers } from "./processes.ts";
import { type Row, rowOf } from "./results.ts";
import { alternate, type Effort, withFolder } from "./rounds.ts";

const SECONDS = 3;
/** Connections, and the goal for accepting. */
const LOADS = [
  { connections: 1, goal: 0.55 },
  { connections: 16, goal: 0.5 },
  { connections: 64, goal: 0.48 },
];
const MOST = 64;

/** As the systemd unit and the image of Docker start `serve`. */
const NODE_OPTIONS = "--max-semi-space-size=8";

type Start = (folder: string, merchant: string) => Program;

const reference =
  (kind: string): Start =>
  (folder, merchant) => ({ args: [scriptPath("reference/accept-server.ts"), folder, merchant, kind] });
const alone: Start = (folder) => ({ args: [scriptPath("scripts/accept-server.ts"), folder] });
const serve: Start = (folder) => ({
  args: [PROGRAM, "serve"],
  env: { ...SETTINGS, HOME: folder, FISCAL_DATA_DIR: `${folder}/data` },
});

export async function benchAccepting({ rounds, share }: Effort): Promise<Row[]> {
  const seconds = Math.max(1, SECONDS * share);
  const rows: Row[] = [];
  await compare([reference("bare"), alone], async (load) => {
    for (const { connections, goal } of LOADS) {
      const samples = await alternate(rounds, {
        bare: () => load(0, connections, seconds),
        alone: () => load(1, connections, seconds),
      });
      const row = rowOf(samples, {
        ours: "alone",
        reference: "bare",
        name: `accepting-${connections}`,
        goal: { atLeast: goal },
        about: `accepting over ${connections} connections, compared with a bare h3 server that keeps no promise, with the same inserts and one commit a turn`,
      });
      rows.push(row);
    }
  });
  await compare([reference("promising"), alone, reference("queued"), serve], async (load) => {
    const samples = await alternate(rounds, {
      promising: () => load(0, MOST, seconds),
      alone: () => load(1, MOST, seconds),
      queued: () => load(2, MOST, seconds),
      serve: () => load(3, MOST, seconds),
    });
    const cpu = rowOf(samples, {
      ours: "alone",
      reference: "promising",
      name: "accepting-cpu",
      goal: { atMost: 1.15 },
      about: `processor time of an accepted document over ${MOST} connections, compared with a server that keeps the same promises in straight code`,
      value: (ours, promising) => ours.cpuMicros! / promising.cpuMicros!,
    });
    const both = { ours: "serve", reference: "queued" } as const;
    const serving = rowOf(samples, {
      ...both,
      name: "serving",
      goal: { atLeast: 0.45 },
      about: `\`serve\` until all is issued that it accepts over ${MOST} connections, compared with the bare server and a bare queue`,
    });
    const memory = rowOf(samples, {
      ...both,
      name: "serving-memory",
      unit: "MB",
      goal: { atMost: 40 },
      about: "how much more memory `serve` takes than those",
      value: (ours, queued) => ours.peakMegabytes! - queued.peakMegabytes!,
    });
    rows.push(cpu, serving, memory);
  });
  return rows;
}

type LoadOne = (at: number, connections: number, seconds: number) => ReturnType<typeof sampleLoad>;

/** Starts each program over new files, with a merchant and a key, and warms it up. */
async function compare(starts: readonly Start[], use: (load: LoadOne) => Promise<void>): Promise<void> {
  await withFolder(async (root) => {
    const made: (Access & { program: Program })[] = [];
    for (const [at, start] of starts.entries()) {
      const folder = `${root}/${at}`;
      const appliance = await openBenchAppliance(folder);
      const [merchant, key] = [await makeMerchant(appliance), await makeKey(appliance)];
      await appliance.stop(0);
      const { args, env } = start(folder, merchant);
      made.push({ merchant, key, program: { args, env: { ...env, NODE_OPTIONS } } });
    }
    const programs = made.map(({ program }) => program);
    await withServers(programs, async (servers) => {
      for (const [at, server] of servers.entries()) await warmUp(server, made[at]!);
      await use((at, ...load) => sampleLoad([servers[at]!], made[at]!, ...load));
    });
  });
}
