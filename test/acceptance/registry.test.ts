/**
 * The built program issues through the fake authority under random faults, kills and two concurrent processes. Each document
 * is filed exactly once, and every number is accounted for.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acceptDocument } from "../../src/documents/accept.ts";
import { createConnection } from "../../src/connections/connections.ts";
import { buildIssueBody, CAUSE, openBench } from "../helpers/appliance.ts";
import { type Engine, onEngines } from "../helpers/engines.ts";
import { type Filing, uncancelledMarks, validMarks } from "../helpers/fake-registry/authority.ts";
import { type FakeRegistry, startFakeRegistry } from "../helpers/fake-registry/server.ts";
import { type Fault, FAULTS } from "../helpers/fake-registry/faults.ts";
import { waitUntilFinal } from "../helpers/reckoning.ts";
import { ACCOUNT, tendLater } from "../helpers/registry-bench.ts";
import { seeded } from "../helpers/seeded.ts";
import { runBuilt, type ServerProcess, startBuilt } from "../helpers/server-process.ts";

const SERIES = ["A", "B", "Γ"];
const ENGINES = await onEngines({
  SQLite: { documents: 200, kills: 8, rows: 100 },
  PostgreSQL: { documents: 80, kills: 3, rows: 40 },
});

interface Scene {
  folder: string;
  env: Record<string, string>;
  registry: FakeRegistry;
  key: string;
  merchant: string;
}

async function openScene({ makeStorage }: Engine, latencyMs: number): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), "fiscal-registry-"));
  const registry = await startFakeRegistry({ accounts: [{ ...ACCOUNT }], latencyMs, pageSize: 400 });
  const env = {
    FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: registry.url,
    FISCAL_PROVIDERS__REGISTRY_DIRECT__SETTLE_SECONDS: "2",
    FISCAL_ISSUING__LEASE_SECONDS: "1",
    FISCAL_ISSUING__DELAYS_SECONDS: "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0",
    FISCAL_RATE_LIMIT__REQUESTS: "0",
    ...(await makeStorage()),
  };
  const bench = await openBench({ folder, env, startMs: Date.now() });
  const [merchant, key] = [await bench.makeMerchant(), await bench.makeKey("test")];
  const credentials = { user_id: ACCOUNT.userId, subscription_key: ACCOUNT.key };
  await createConnection(bench.appliance, merchant, { provider: "registry_direct", credentials }, CAUSE);
  await bench.close();
  return { folder, env, registry, key, merchant };
}

async function closeScene({ folder, registry }: Scene): Promise<void> {
  await registry.close();
  await rm(folder, { recursive: true, force: true });
}

async function acceptMany({ folder, env, merchant }: Scene, count: number): Promise<void> {
  const bench = await openBench({ folder, env, startMs: Date.now() });
  const work = Array.from({ length: count }, (_, index) =>
    acceptDocument(
      bench.appliance,
      buildIssueBody(merchant, { series: SERIES[index % SERIES.length]! }),
      CAUSE,
    ),
  );
  await Promise.all(work);
  await bench.close();
}

/** Lets the surplus check run, then compares the ledger with the documents. */
async function expectFiledOnce(scene: Scene, count: number): Promise<void> {
  const bench = await openBench({ folder: scene.folder, env: scene.env, startMs: Date.now() });
  try {
    await tendLater(bench);
    const rows = await bench.appliance.store.read.query((db) =>
      db.selectFrom("documents").select(["status", "mark", "uid", "error_json"]),
    );
    expect(rows.filter(({ status }) => status !== "issued")).toEqual([]);
    expect(rows.length).toBe(count);
    const ledger = scene.registry.ledger as readonly Filing[];
    expect(validMarks(ledger)).toEqual(new Map(rows.map(({ uid, mark }) => [uid, mark])));
    expect(uncancelledMarks(ledger)).toEqual(new Map(rows.map(({ uid, mark }) => [uid, [mark]])));
  } finally {
    await bench.close();
  }
  const audit = await runBuilt(["numbering", "audit", "--json"], scene);
  expect(audit.code).toBe(0);
  const { counters } = JSON.parse(audit.stdout) as {
    counters: { series: string; numbers: { number: number; state: string }[] }[];
  };
  for (const { numbers } of counters) {
    expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, index) => index + 1));
    expect(new Set(numbers.map(({ state }) => state))).toEqual(new Set(["issued"]));
  }
}

/** A refused account stops the whole connection, which another test covers. */
const RANDOM_FAULTS: readonly Fault[] = FAULTS.filter((fault) => fault !== "401");

test.concurrent.each(ENGINES)(
  "on $engine, files each of $documents documents in three series once, with faults in 30 % of the sends and $kills SIGKILLs",
  async ({ documents, kills, ...engine }) => {
    const scene = await openScene(engine, 120);
    const random = seeded(20_261_122);
    let server: ServerProcess | undefined;
    try {
      await acceptMany(scene, documents);
      scene.registry.random(0.3, RANDOM_FAULTS, random);
      for (let kill = 0; kill < kills; kill += 1) {
        server = await startBuilt(scene);
        await new Promise((turn) => setTimeout(turn, 100 + random() * 400));
        await server.kill();
      }
      expect(validMarks(scene.registry.ledger).size).toBeLessThan(documents);
      // No more faults: recovering from those so far takes long enough.
      scene.registry.random(0, [], random);
      server = await startBuilt(scene);
      await waitUntilFinal(server.url, scene.key);
      expect(await server.stop()).toBe(0);
      server = undefined;
      await expectFiledOnce(scene, documents);
    } finally {
      await server?.kill();
      await closeScene(scene);
    }
  },
);

test.each(ENGINES)(
  "on $engine, a server and a batch on the command line share a database without sending anything twice",
  async ({ rows: count, ...engine }) => {
    const scene = await openScene(engine, 20);
    let server: ServerProcess | undefined;
    try {
      const rows = Array.from(
        { length: count },
        (_, index) =>
          `r${index},1.1,2026-11-02,${SERIES[index % SERIES.length]},GR,094012834,Καφές,1,kg,3.33,standard`,
      );
      const head =
        "reference,type,issue_date,series,customer_country,customer_tax_id,description,quantity,unit,unit_price,vat_category";
      await writeFile(join(scene.folder, "batch.csv"), [head, ...rows, ""].join("\n"));
      server = await startBuilt(scene);
      const batch = await runBuilt(
        ["documents", "issue", "batch.csv", "--merchant", scene.merchant, "--json"],
        scene,
      );
      expect([batch.code, batch.stderr]).toEqual([0, expect.any(String)]);
      expect(await server.stop()).toBe(0);
      server = undefined;
      expect(scene.registry.ledger.length).toBe(count);
      await expectFiledOnce(scene, count);
    } finally {
      await server?.kill();
      await closeScene(scene);
    }
  },
);
