/**
 * A server and a command of the built program issue through the fake authority at the same time. Each document is filed exactly
 * once, and every number is accounted for.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cancelSurplusMarks } from "../../src/issuing/surplus-marks.ts";
import { openBench } from "../helpers/appliance.ts";
import { makeFolder } from "../helpers/folder.ts";
import { type FakeRegistry, startFakeRegistry } from "../helpers/fake-registry/server.ts";
import { checkNumbers } from "../helpers/reckoning.ts";
import { ACCOUNT, connectToRegistry, findDiscrepancies } from "../helpers/registry-bench.ts";
import { runBuilt, type ServerProcess, startBuilt } from "../helpers/server-process.ts";

const SERIES = ["A", "B", "Γ"];
const ROWS = 100;

interface Scene {
  folder: string;
  env: Record<string, string>;
  registry: FakeRegistry;
  merchant: string;
}

async function openScene(): Promise<Scene> {
  const folder = makeFolder();
  const registry = await startFakeRegistry({ accounts: [{ ...ACCOUNT }], latencyMs: 20, pageSize: 400 });
  const env = {
    FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: registry.url,
    FISCAL_PROVIDERS__REGISTRY_DIRECT__SETTLE_SECONDS: "2",
    FISCAL_ISSUING__LEASE_SECONDS: "1",
    FISCAL_ISSUING__DELAYS_SECONDS: "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0",
    FISCAL_RATE_LIMIT__REQUESTS: "0",
  };
  const bench = await openBench({ folder, env, startMs: Date.now() });
  const merchant = await bench.makeMerchant();
  await connectToRegistry(bench, merchant);
  await bench.close();
  return { folder, env, registry, merchant };
}

/** Lets the surplus check run, then compares the ledger with the documents. */
async function expectFiledOnce(scene: Scene, count: number): Promise<void> {
  const bench = await openBench({ folder: scene.folder, env: scene.env, startMs: Date.now() });
  const { appliance } = bench;
  try {
    for (let times = 0; times < 4; times += 1) {
      bench.advance(11 * 60_000);
      await cancelSurplusMarks(appliance);
    }
    const rows = await appliance.store.read.query((db) =>
      db.selectFrom("documents").select(["status", "error_json"]),
    );
    expect(rows.filter(({ status }) => status !== "issued")).toEqual([]);
    expect(rows).toHaveLength(count);
    expect(await findDiscrepancies(bench, scene.registry)).toEqual([]);
  } finally {
    await bench.close();
  }
  await checkNumbers(scene, count);
}

test("a server and a batch on the command line share a database without sending anything twice", async () => {
  const scene = await openScene();
  let server: ServerProcess | undefined;
  try {
    const rows = Array.from(
      { length: ROWS },
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
    expect(scene.registry.ledger.length).toBe(ROWS);
    await expectFiledOnce(scene, ROWS);
  } finally {
    await server?.kill();
    await scene.registry.close();
  }
});
