/** Kills servers and cuts their connections to the database, spread over the whole run. */
import { withClient } from "../helpers/postgres.ts";
import { pause } from "./clients.ts";
import type { Scene } from "./scene.ts";

export interface Accidents {
  documents: number;
  /** Of each server. */
  kills: number;
  cuts: number;
  /** From 0 up to, not including, 1. */
  random(): number;
}

export type Happened = ReadonlyMap<string, number>;

const POLL_MS = 5;
/** How long after its turn an accident happens at most. */
const DELAY_MS = 200;

type Accident = readonly [name: string, happen: (scene: Scene) => Promise<void> | void];

const KILLS: readonly Accident[] = [
  ["first server killed", ({ machines: [first] }) => first.kill()],
  ["second server killed", ({ machines: [, second] }) => second.kill()],
];

const CUTS: readonly Accident[] = [
  ["commit cut before the database got it", ({ machines: [, second] }) => second.cutNextCommit()],
  ["commit cut before its answer", ({ machines: [first] }) => first.cutNextCommit()],
  ["first server's connections cut", ({ machines: [first] }) => first.cut()],
  ["second server's connections cut", ({ machines: [, second] }) => second.cut()],
  ["all connections ended by the database", endConnections],
];

const END = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;

function endConnections({ url }: Scene): Promise<void> {
  return withClient(url, async (client) => void (await client.query(END)));
}

/** Resolves after the last one. Each happens when its share of the documents is filed. */
export async function haveAccidents(scene: Scene, plan: Accidents): Promise<Happened> {
  const happened = new Map<string, number>();
  const drawn = drawAccidents(plan);
  const inProgress: Promise<void>[] = [];
  for (const [index, [name, happen]] of drawn.entries()) {
    const filed = ((index + 0.5) / (drawn.length + 1)) * plan.documents;
    while (scene.registry.ledger.length < filed) await pause(POLL_MS);
    await pause(plan.random() * DELAY_MS);
    const accident = Promise.resolve(happen(scene));
    // Reported at the end.
    accident.catch(() => undefined);
    inProgress.push(accident);
    happened.set(name, (happened.get(name) ?? 0) + 1);
  }
  await Promise.all(inProgress);
  return happened;
}

function drawAccidents({ kills, cuts, random }: Accidents): Accident[] {
  const accidents = [
    ...Array.from({ length: 2 * kills }, (_, index) => KILLS[index % KILLS.length]!),
    ...Array.from({ length: cuts }, (_, index) => CUTS[index % CUTS.length]!),
  ];
  const order = accidents.map((accident) => ({ accident, at: random() }));
  return order.toSorted((a, b) => a.at - b.at).map(({ accident }) => accident);
}
