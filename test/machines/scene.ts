/** Two servers on one database in PostgreSQL, each with a data directory of its own, and a fake authority that keeps every filing. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeRegistry, startFakeRegistry } from "../helpers/fake-registry/server.ts";
import { createDatabase } from "../helpers/postgres.ts";
import { SUPPLIER } from "../helpers/receipts.ts";
import { runBuilt } from "../helpers/server-process.ts";
import { type Machine, startMachine } from "./machine.ts";

const ACCOUNT = { userId: "fake-user-4711", key: "fake-key-0123456789abcdef", vat: SUPPLIER };

function settingsOf(registry: FakeRegistry): Record<string, string> {
  return {
    FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: registry.url,
    // Short, so that the work of a killed server is soon taken over, but longer than a busy machine delays a send.
    FISCAL_ISSUING__LEASE_SECONDS: "5",
    FISCAL_PROVIDERS__REGISTRY_DIRECT__SETTLE_SECONDS: "5",
    FISCAL_ISSUING__DELAYS_SECONDS: Array.from({ length: 20 }, () => 0).join(","),
    // Counted, but never reached.
    FISCAL_RATE_LIMIT__REQUESTS: "1000000",
  };
}

/** `server` is the address of a PostgreSQL server whose role may create databases. */
export async function openScene(server: string) {
  const folder = mkdtempSync(join(tmpdir(), "fiscal-machines-"));
  const registry = await startFakeRegistry({ accounts: [ACCOUNT], latencyMs: 20 });
  const machines: Machine[] = [];
  async function close(): Promise<void> {
    await Promise.all(machines.map((machine) => machine.close()));
    await registry.close();
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    const url = await createDatabase(server);
    const settings = settingsOf(registry);
    const folders = ["first", "second"].map((name) => join(folder, name)) as [string, string];
    for (const one of folders) mkdirSync(join(one, "data"), { recursive: true, mode: 0o700 });
    const environment = { folder: folders[0], env: { ...settings, FISCAL_STORAGE__URL: url } };
    /** Runs a command on the first machine, and returns what it prints as JSON. Throws if it fails. */
    const run = async (...args: string[]) => JSON.parse(await runFine(args, environment)) as unknown;
    const { key, merchant } = await setUp(environment);
    cpSync(join(folders[0], "data", "master.key"), join(folders[1], "data", "master.key"));
    for (const [index, one] of folders.entries())
      machines.push(await startMachine({ folder: one, settings, url, losesAnswer: index === 0 }));
    return {
      machines: machines as [Machine, Machine],
      registry,
      /** The address of the database, without a proxy. */
      url,
      key,
      merchant,
      run,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export type Scene = Awaited<ReturnType<typeof openScene>>;

type Environment = Parameters<typeof runBuilt>[1];

async function runFine(args: readonly string[], environment: Environment): Promise<string> {
  const { code, stdout, stderr } = await runBuilt(args, environment);
  if (code !== 0) throw new Error(`fiscal ${args.join(" ")} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}

/** Makes the tables, a connected merchant and an API key. */
async function setUp(environment: Environment): Promise<{ key: string; merchant: string }> {
  const { folder } = environment;
  writeFileSync(join(folder, "user.txt"), ACCOUNT.userId);
  writeFileSync(join(folder, "key.txt"), ACCOUNT.key);
  await runFine(["init", "--yes"], environment);
  const shop = ["--external-id", "shop", "--name", "Shop", "--tax-id", SUPPLIER];
  const merchant = JSON.parse(await runFine(["merchants", "add", ...shop, "--json"], environment)) as {
    id: string;
  };
  const credentials = ["--user-id-file", "user.txt", "--subscription-key-file", "key.txt"];
  const connection = ["--merchant", "shop", "--provider", "registry_direct", ...credentials];
  await runFine(["connections", "add", ...connection], environment);
  const key = await runFine(["keys", "create", "--mode", "test", "--name", "orders"], environment);
  return { key: key.trim(), merchant: merchant.id };
}
