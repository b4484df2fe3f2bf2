/** Kills the server while it delivers events: no event is lost, and first deliveries arrive in order. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acceptDocument } from "../../src/documents/accept.ts";
import { createWebhookEndpoint } from "../../src/webhooks/endpoints.ts";
import { type Bench, buildIssueBody, CAUSE, openBench } from "../helpers/appliance.ts";
import { onEngines } from "../helpers/engines.ts";
import { type LocalReceiver, startLocalReceiver } from "../helpers/local-receiver.ts";
import { seeded } from "../helpers/seeded.ts";
import { type ServerProcess, startBuilt } from "../helpers/server-process.ts";

/** Two events each: enough that events are still pending at every kill. */
const ENGINES = await onEngines({
  SQLite: { documents: 600, kills: 4 },
  PostgreSQL: { documents: 300, kills: 2 },
});
const SLOW_MS = 400;
const MEMORY_MB_MAX = 350;
const ENV = {
  FISCAL_WEBHOOKS__TIMEOUT_SECONDS: "1",
  // One retry, because a busy machine may take longer than a second for an answer.
  FISCAL_WEBHOOKS__DELAYS_SECONDS: "[0, 2]",
  FISCAL_ISSUING__LEASE_SECONDS: "2",
};

test.concurrent.each(ENGINES)(
  "on $engine, delivers each event of $documents documents to a healthy endpoint despite a slow and a failing one, across $kills SIGKILLs",
  async ({ documents, kills, makeStorage }) => {
    const env = { ...ENV, ...(await makeStorage()) };
    const folder = await mkdtemp(join(tmpdir(), "fiscal-webhooks-"));
    const random = seeded(20_261_122);
    const receiver = await startLocalReceiver();
    const { firsts, count } = respondByPath(receiver);
    let server: ServerProcess | undefined;
    try {
      const bench = await openBench({ folder, env, startMs: Date.now() });
      await prepare(bench, receiver.url, documents);
      await bench.close();
      for (let kill = 0; kill <= kills; kill += 1) {
        server = await startBuilt({ folder, env });
        if (kill === kills) break;
        const until = count() + 80 + random() * 180;
        await waitFor(() => count() >= until);
        await server.kill();
      }
      await waitFor(() => count() === 2 * documents);
      const status = await readFile(`/proc/${server?.child.pid}/status`, "utf8");
      const peakMb = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
      expect(peakMb).toBeLessThan(MEMORY_MB_MAX);
      expect(await server?.stop()).toBe(0);
      server = undefined;
      for (const types of firsts().values()) expect(types).toEqual(["document.created", "document.issued"]);
      expect(firsts().size).toBe(documents);
    } finally {
      await server?.kill();
      await receiver.down();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

async function prepare(bench: Bench, url: string, documents: number): Promise<void> {
  const merchant = await bench.makeMerchant();
  for (const way of ["good", "slow", "failing"]) {
    const hook = { url: `${url}&${way}`, enabled_events: ["document.created", "document.issued"] };
    await createWebhookEndpoint(bench.appliance, hook, CAUSE);
  }
  await Promise.all(
    Array.from({ length: documents }, () =>
      acceptDocument(bench.appliance, buildIssueBody(merchant), CAUSE, undefined),
    ),
  );
}

interface Arrivals {
  /** By document, the types in the order of their first arrival at the good endpoint. */
  firsts(): ReadonlyMap<string, string[]>;
  /** How many distinct events the good endpoint has received. */
  count(): number;
}

/** Responds to each endpoint according to its name, and records what the good one receives. */
function respondByPath(receiver: LocalReceiver): Arrivals {
  const seen = new Set<string>();
  const documents = new Map<string, string[]>();
  receiver.answer = () => {
    // Only the newest request is used; older ones are dropped to save memory.
    const request = receiver.requests.pop();
    const way = request?.path.split("&").at(-1);
    if (way === "failing") return 500;
    if (way === "slow") return { status: 200, headers: {}, afterMs: SLOW_MS };
    const { event } = request!;
    if (!seen.has(event.id)) {
      seen.add(event.id);
      const { id } = event.data.object;
      documents.set(id, [...(documents.get(id) ?? []), event.type]);
    }
    return 200;
  };
  return { firsts: () => documents, count: () => seen.size };
}

async function waitFor(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((turn) => setTimeout(turn, 20));
}
