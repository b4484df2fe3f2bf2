/**
 * Two servers of one PostgreSQL issue documents while they are killed and their connections are cut. Every document must be
 * filed once, numbers have no gaps, and readers by cursor see every event once, in one order
 * (docs/contract.md#several-machines).
 */
import { seeded } from "../helpers/seeded.ts";
import { type Happened, haveAccidents } from "./accidents.ts";
import { type Accepted, ask, pause, startClients } from "./clients.ts";
import { follow, type Followed, type Reader } from "./reader.ts";
import { inspect } from "./inspection.ts";
import { openScene, type Scene } from "./scene.ts";

export interface Plan {
  documents: number;
  series: number;
  /** Of each server. */
  kills: number;
  cuts: number;
  seed: number;
}

export interface Played {
  seconds: number;
  events: number;
  happened: Happened;
  repeats: Accepted["repeats"];
  violations: readonly string[];
}

/** `server` is the address of a PostgreSQL server whose role may create databases. `tell` gets the progress, twice a minute. */
export async function play(server: string, plan: Plan, tell: (line: string) => void): Promise<Played> {
  const startedMs = performance.now();
  const scene = await openScene(server);
  const telling = setInterval(
    () => tell(`${scene.registry.ledger.length} of ${plan.documents} filed`),
    30_000,
  );
  try {
    const readers = startReaders(scene);
    const random = seeded(plan.seed);
    const clients = startClients(scene, { ...plan, random });
    const [happened] = await Promise.all([
      haveAccidents(scene, { ...plan, random: seeded(plan.seed + 1) }),
      clients.done,
    ]);
    await untilFinal(scene);
    await Promise.all(readers.map((reader) => reader.finish()));
    const violations = [
      ...clients.violations,
      ...(await inspect(scene, { plan, accepted: clients.ids, readers })),
    ];
    const seconds = (performance.now() - startedMs) / 1000;
    return { seconds, events: readers[0]!.ids.length, happened, repeats: clients.repeats, violations };
  } finally {
    clearInterval(telling);
    await scene.close();
  }
}

/** Of the events, one at each server, and one that changes between them; of the documents, one that changes. */
function startReaders({ machines, key }: Scene): Reader[] {
  const [first, second] = machines;
  let asked = 0;
  const either = () => machines[asked++ % 2 === 0 ? 0 : 1].url();
  const events = { path: "/api/v1/events", key };
  const followed: Followed[] = [
    { ...events, name: "events at the first server", url: first.url },
    { ...events, name: "events at the second server", url: second.url },
    { ...events, name: "events at both servers", url: either },
    { name: "documents at both servers", path: "/api/v1/documents", key, url: either },
  ];
  return followed.map(follow);
}

async function untilFinal({ machines: [{ url }], key }: Scene): Promise<void> {
  for (;;) {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await ask(`${url()}/api/v1/documents?status=pending&limit=1`, { headers });
    if (answer?.status === 200 && (answer.body as { data: unknown[] }).data.length === 0) return;
    await pause(200);
  }
}
