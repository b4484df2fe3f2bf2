/** Measures accepting on PostgreSQL: one server with all it can get, and two compared with one, each with the same share of a processor. */
import { randomBytes } from "node:crypto";
import { createDatabase, startPostgres } from "../test/helpers/postgres.ts";
import { sampleLoad, warmUp } from "./load.ts";
import { makeKey, makeMerchant, openBenchAppliance } from "./material.ts";
import { scriptPath, withServers } from "./processes.ts";
import { type Row, rowOf } from "./results.ts";
import { alternate, type Effort, withFolder } from "./rounds.ts";
import { canShare, withShare } from "./shares.ts";

const SECONDS = 5;
/** Connections to each server. */
const CONNECTIONS = 32;
/** Of a processor, for each server: PostgreSQL and the drivers need the rest of the machine. */
const SHARE = 0.3;

export async function benchMachines({ rounds, share }: Effort): Promise<Row[]> {
  const seconds = Math.max(1, SECONDS * share);
  const postgres = await startPostgres(["-c", "fsync=on"]);
  if (postgres === undefined) throw new Error("There is no PostgreSQL for this platform");
  try {
    const url = await createDatabase(postgres.url);
    const env = { FISCAL_STORAGE__URL: url, FISCAL_MASTER_KEY: randomBytes(32).toString("base64") };
    return await withFolder(async (folder) => {
      const appliance = await openBenchAppliance(folder, env);
      const access = { merchant: await makeMerchant(appliance), key: await makeKey(appliance) };
      await appliance.stop(0);
      const program = (own: string) => ({ args: [scriptPath("scripts/accept-server.ts"), own], env });
      return withServers([program(`${folder}/0`), program(`${folder}/1`)], async (both) => {
        for (const server of both) await warmUp(server, access);
        const pids = both.map(({ pid }) => pid);
        const load = (servers: number) => () =>
          sampleLoad(both.slice(0, servers), access, CONNECTIONS, seconds);
        const shared = (servers: number) => () => withShare(pids, SHARE, load(servers));
        const rows = [
          rowOf(await alternate(rounds, { ours: load(1) }), {
            ours: "ours",
            name: "postgres-accepting",
            unit: "/s",
            goal: { atLeast: 1200 },
            about: `accepting on PostgreSQL over ${CONNECTIONS} connections; the goal is twice the rate of one commit a document`,
            value: (ours) => ours.perSecond,
          }),
        ];
        if (!canShare()) return rows;
        const samples = await alternate(rounds, { two: shared(2), one: shared(1) });
        const machines = rowOf(samples, {
          ours: "two",
          reference: "one",
          name: "machines-accepting",
          goal: { atLeast: 1.1 },
          about: `two servers accepting on one PostgreSQL, compared with one, each with ${SHARE} of a processor`,
        });
        return [...rows, machines];
      });
    });
  } finally {
    await postgres.stop();
  }
}
