/** The server is killed while events are delivered: nothing is lost, and what is first comes first. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acceptDocument } from "../../src/documents/accept.ts";
import { createWebhookEndpoint } from "../../src/webhooks/endpoints.ts";
import { type Bench, buildIssueBody, openBench } from "../helpers/appliance.ts";
import { type LocalReceiver, startLocalReceiver } from "../helpers/local-receiver.ts";
import { seeded, type ServerProcess, startBuilt } from "../helpers/server-process.ts";

/** Two events each. */
const DOCUMENTS = 5_000;
const KILLS = 10;
const SLOW_MS = 400;
const MEMORY_MB_MAX = 350;
const CAUSE = { mode: "test", requestId: null, idempotencyKey: null } as const;
const ENV = {
  FISCAL_WEBHOOKS__TIMEOUT_SECONDS: "1",
  // Failures come back after the test: what fails once has been tried.
  FISCAL_WEBHOOKS__DELAYS_SECONDS: "[0, 3600]",
  FISCAL_ISSUING__LEASE_SECONDS: "2",
};

test("10,000 events to three endpoints, one slow and one failing, over ten SIGKILLs: the good one gets each", {
  timeout: 240_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "fiscal-webhooks-"));
  const random = seeded(20_261_122);
  const receiver = await startLocalReceiver();
  const { firsts, count } = answerByPath(receiver);
  let server: ServerProcess | undefined;
  try {
    const bench = await openBench({ folder, env: ENV, startMs: Date.now() });
    await prepare(bench, receiver.url);
    await bench.close();
    for (let kill = 0; kill <= KILLS; kill += 1) {
      server = await startBuilt({ folder, env: ENV });
      if (kill === KILLS) break;
      const until = count() + 300 + random() * 600;
      await waitFor(() => count() >= until);
      await server.kill();
    }
    await waitFor(() => count() === 2 * DOCUMENTS);
    const status = await readFile(`/proc/${server?.child.pid}/status`, "utf8");
    const peakMb = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    expect(peakMb).toBeLessThan(MEMORY_MB_MAX);
    expect(await server?.stop()).toBe(0);
    server = undefined;
    for (const types of firsts().values()) expect(types).toEqual(["document.created", "document.issued"]);
    expect(firsts().size).toBe(DOCUMENTS);
  } finally {
    await server?.kill();
    await receiver.down();
    await rm(folder, { recursive: true, force: true });
  }
});

async function prepare(bench: Bench, url: string): Promise<void> {
  const merchant = await bench.makeMerchant();
  for (const way of ["good", "slow", "failing"]) {
    const hook = { url: `${url}&${way}`, enabled_events: ["document.created", "document.issued"] };
    await createWebhookEndpoint(bench.appliance, hook, CAUSE);
  }
  await Promise.all(
    Array.from({ length: DOCUMENTS }, () =>
      acceptDocument(bench.appliance, buildIssueBody(merchant), CAUSE, undefined),
    ),
  );
}

interface Arrivals {
  /** By document, the types in the order of their first arrival at the good endpoint. */
  firsts(): ReadonlyMap<string, string[]>;
  /** How many different events the good endpoint has. */
  count(): number;
}

/** Answers each of the three as it is named, and notes what comes to the good one. */
function answerByPath(receiver: LocalReceiver): Arrivals {
  const seen = new Set<string>();
  const documents = new Map<string, string[]>();
  receiver.answer = () => {
    // Nothing but the newest is looked at: what was answered is dropped.
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
