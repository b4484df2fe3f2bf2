/** Measures servers on one PostgreSQL: two compared with one, each with the same share of a processor, and one with SQLite. */
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { createDatabase, startPostgres, withClient } from "../test/helpers/postgres.ts";
import { loaded, serve } from "./accepting.ts";
import { makeKey, makeMerchant, openBenchAppliance, SETTINGS } from "./material.ts";
import { PROGRAM, run, scriptPath, type Server, withServer } from "./processes.ts";
import { type Row, rowOf } from "./results.ts";
import { alternate, type Effort, type Sample, withFolder } from "./rounds.ts";
import type { Load } from "./scripts/driver.ts";
import { canShare, withShare } from "./shares.ts";

const SECONDS = 6;
/** Connections to each server. */
const CONNECTIONS = 32;
const SERIES = 40;
/** Of a processor, for each server: PostgreSQL and the drivers need the rest of the machine. */
const SHARE = 0.3;

interface Machines {
  servers: number;
  /** Without the scheduler, nothing is issued. */
  issues: boolean;
  /** Undefined: as much as there is. */
  share: number | undefined;
}

export async function* benchMachines({ rounds, share }: Effort): AsyncGenerator<Row> {
  const seconds = Math.max(1, SECONDS * share);
  const machines = (plan: Machines) => () => withPostgres((server) => measure(server, plan, seconds));
  yield* compareEngines(rounds, seconds, machines);
  if (canShare()) yield* compareMachines(rounds, machines);
}

/** A server for one measurement: after its end, its processor time does not count as that of other programs. */
async function withPostgres<T>(use: (server: string) => Promise<T>): Promise<T> {
  const postgres = await startPostgres(["-c", "fsync=on"]);
  if (postgres === undefined) throw new Error("There is no PostgreSQL for this platform");
  try {
    return await use(postgres.url);
  } finally {
    await postgres.stop();
  }
}

type Measuring = (plan: Machines) => () => Promise<Sample>;

async function* compareEngines(rounds: number, seconds: number, machines: Measuring): AsyncGenerator<Row> {
  const measured = await alternate(rounds, {
    postgres: machines({ servers: 1, issues: true, share: undefined }),
    sqlite: loaded(serve, CONNECTIONS, seconds),
  });
  yield rowOf(measured, {
    ours: "postgres",
    reference: "sqlite",
    name: "postgres-serving",
    about: `\`serve\` on PostgreSQL, accepting and issuing over ${CONNECTIONS} connections, compared with SQLite`,
  });
  yield rowOf(measured, {
    ours: "postgres",
    reference: "sqlite",
    name: "postgres-serving-cpu",
    about: "processor time of the server for a document on PostgreSQL, compared with SQLite",
    value: (ours, reference) => ours.cpuMicros! / reference.cpuMicros!,
  });
}

async function* compareMachines(rounds: number, machines: Measuring): AsyncGenerator<Row> {
  for (const { issues, goal, work } of [
    { issues: false, goal: 1.1, work: "accepting" },
    { issues: true, goal: 1.1, work: "accepting and issuing" },
  ]) {
    const measured = await alternate(rounds, {
      two: machines({ servers: 2, issues, share: SHARE }),
      one: machines({ servers: 1, issues, share: SHARE }),
    });
    yield rowOf(measured, {
      ours: "two",
      reference: "one",
      name: issues ? "machines-serving" : "machines-accepting",
      goal: { atLeast: goal },
      about: `two servers ${work} over ${SERIES} series on one PostgreSQL, compared with one, each with ${SHARE} of a processor`,
    });
  }
}

/** The rate of documents until all are accepted and, if the servers issue, issued. */
async function measure(
  server: string,
  { servers, issues, share }: Machines,
  seconds: number,
): Promise<Sample> {
  const url = await createDatabase(server);
  const env = { FISCAL_STORAGE__URL: url, FISCAL_MASTER_KEY: randomBytes(32).toString("base64") };
  return withFolder(async (folder) => {
    const appliance = await openBenchAppliance(folder, env);
    const access = { merchant: await makeMerchant(appliance), key: await makeKey(appliance) };
    await appliance.stop(0);
    return withServers({ servers, issues }, folder, env, async (started) => {
      const load = (span: number) =>
        Promise.all(started.map(({ url: target }) => drive(target, access, span)));
      // At full speed: a share would make this take long.
      await load(0);
      if (issues) await untilIssued(url);
      const measureLoad = () => sampleOf(url, started, issues, () => load(seconds));
      return share === undefined
        ? measureLoad()
        : withShare(
            started.map(({ pid }) => pid),
            share,
            measureLoad,
          );
    });
  });
}

/** The rate of what `drives` sends; the processor time of all servers for a document. */
async function sampleOf(
  url: string,
  started: readonly Server[],
  issues: boolean,
  drives: () => Promise<Load[]>,
): Promise<Sample> {
  const before = started.map(({ usage }) => usage());
  const from = performance.now();
  const loads = await drives();
  const accepted = loads.reduce((sum, load) => sum + load.accepted, 0);
  if (issues) await untilIssued(url);
  const elapsedMs = performance.now() - from;
  const cpuMs = started.reduce(
    (sum, { usage }, at) => sum + (usage()?.cpuMs ?? 0) - (before[at]?.cpuMs ?? 0),
    0,
  );
  return {
    perSecond: issues ? (accepted / elapsedMs) * 1000 : loads.reduce((sum, load) => sum + load.perSecond, 0),
    cpuMicros: (cpuMs * 1000) / accepted,
    p50Ms: loads[0]!.p50Ms,
    p99Ms: loads[0]!.p99Ms,
  };
}

/** Starts them one after another, since the first creates nothing that the others need. */
async function withServers<T>(
  { servers, issues }: Omit<Machines, "share">,
  folder: string,
  env: Record<string, string>,
  use: (servers: readonly Server[]) => Promise<T>,
): Promise<T> {
  const next = async (started: readonly Server[]): Promise<T> => {
    if (started.length === servers) return use(started);
    const own = `${folder}/${started.length}`;
    const args = issues ? [PROGRAM, "serve"] : [scriptPath("scripts/accept-server.ts"), own];
    const settings = { ...SETTINGS, ...env, HOME: folder, FISCAL_DATA_DIR: `${own}/data` };
    return withServer(args, settings, (server) => next([...started, server]));
  };
  return next([]);
}

async function drive(
  url: string,
  { key, merchant }: { key: string; merchant: string },
  seconds: number,
): Promise<Load> {
  const args = [url, key, merchant, CONNECTIONS, seconds, SERIES].map(String);
  return JSON.parse((await run([scriptPath("scripts/driver.ts"), ...args])).output) as Load;
}

async function untilIssued(url: string): Promise<void> {
  const isPending = "select 1 from documents where status = 'pending' limit 1";
  await withClient(url, async (client) => {
    while ((await client.query(isPending)).rowCount !== 0) await wait(20);
  });
}
