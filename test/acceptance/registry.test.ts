/**
 * A server and a command of the built program issue through the fake authority at the same time. Each document is filed exactly
 * once, and every number is accounted for.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createConnection } from "../../src/connections/connections.ts";
import { CAUSE, openBench } from "../helpers/appliance.ts";
import { type Engine, onEngines } from "../helpers/engines.ts";
import { type Filing, uncancelledMarks, validMarks } from "../helpers/fake-registry/authority.ts";
import { type FakeRegistry, startFakeRegistry } from "../helpers/fake-registry/server.ts";
import { ACCOUNT, tendLater } from "../helpers/registry-bench.ts";
import { runBuilt, type ServerProcess, startBuilt } from "../helpers/server-process.ts";

const SERIES = ["A", "B", "Γ"];
const ENGINES = await onEngines({
  SQLite: { rows: 100 },
  PostgreSQL: { rows: 40 },
});

interface Scene {
  folder: string;
  env: Record<string, string>;
  registry: FakeRegistry;
  merchant: string;
}

async function openScene({ makeStorage }: Engine): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), "fiscal-registry-"));
  const registry = await startFakeRegistry({ accounts: [{ ...ACCOUNT }], latencyMs: 20, pageSize: 400 });
  const env = {
    FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: registry.url,
    FISCAL_PROVIDERS__REGISTRY_DIRECT__SETTLE_SECONDS: "2",
    FISCAL_ISSUING__LEASE_SECONDS: "1",
    FISCAL_ISSUING__DELAYS_SECONDS: "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0",
    FISCAL_RATE_LIMIT__REQUESTS: "0",
    ...(await makeStorage()),
  };
  const bench = await openBench({ folder, env, startMs: Date.now() });
  const merchant = await bench.makeMerchant();
  const credentials = { user_id: ACCOUNT.userId, subscription_key: ACCOUNT.key };
  await createConnection(bench.appliance, merchant, { provider: "registry_direct", credentials }, CAUSE);
  await bench.close();
  return { folder, env, registry, merchant };
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

test.each(ENGINES)(
  "on $engine, a server and a batch on the command line share a database without sending anything twice",
  async ({ rows: count, ...engine }) => {
    const scene = await openScene(engine);
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
      await scene.registry.close();
      await rm(scene.folder, { recursive: true, force: true });
    }
  },
);
