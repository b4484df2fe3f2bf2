/** Prepares a data directory with connected merchants and a webhook endpoint once; each history begins with a copy. */
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, loadConfig } from "../../src/config/config.ts";
import { createConnection } from "../../src/connections/connections.ts";
import type { Appliance } from "../../src/appliance.ts";
import { createMerchant } from "../../src/merchants/merchants.ts";
import { createWebhookEndpoint } from "../../src/webhooks/endpoints.ts";
import type { Account } from "../helpers/fake-registry/authority.ts";
import { AUTHORITY_URL, createAuthorityHost, RECEIVER_URL } from "./hosts.ts";
import { runIn } from "./platform.ts";
import { createDraws } from "./random.ts";
import { World } from "./world.ts";

export const START_MS = Date.parse("2026-11-21T09:00:00.000Z");
export const CAUSE = { mode: "test", requestId: null, idempotencyKey: null } as const;

export const TAX_NUMBERS = ["123456783", "094012834", "090000045"] as const;
export const ACCOUNTS: readonly Account[] = TAX_NUMBERS.map((vat) => ({
  userId: `user-of-${vat}`,
  key: `key-of-${vat}-0123456789abcdef`,
  vat,
}));

/** Memory, where there is a file system of it: the histories sync often. */
const FOLDER = join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), `fiscal-simulation-${process.pid}`);

export interface Prepared {
  /** The ids of the merchants, in the order of `TAX_NUMBERS`. */
  merchants: readonly string[];
  /** Copies the prepared data directory to an empty folder. */
  copy(): Config;
  remove(): void;
}

function configAt(folder: string): Config {
  const env = {
    HOME: folder,
    FISCAL_DATA_DIR: join(folder, "data"),
    FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: AUTHORITY_URL,
    FISCAL_ISSUING__DELAYS_SECONDS: "[0, 5, 20, 60]",
    FISCAL_WEBHOOKS__DELAYS_SECONDS: "[0, 5, 20, 60, 120, 240, 480]",
  };
  return loadConfig({ env, cwd: folder, flags: {} });
}

export async function prepare(): Promise<Prepared> {
  const first = join(FOLDER, "first");
  const current = join(FOLDER, "current");
  mkdirSync(first, { recursive: true });
  const draws = createDraws(0);
  const authority = createAuthorityHost({ accounts: ACCOUNTS, nowMs: () => START_MS });
  const world = new World({
    config: configAt(first),
    startMs: START_MS,
    random: draws.sequence("preparation"),
    destinationOf: () => authority,
    fateOf: () => undefined,
    note: () => undefined,
    complain: (rule, what) => {
      throw new Error(`${rule}: ${what}`);
    },
  });
  const process = world.startProcess("first", 0);
  let merchants: string[] | undefined;
  while (process.appliance === undefined) await world.step();
  const { appliance } = process;
  runIn(process, () => fill(appliance)).then((ids) => (merchants = ids));
  while (merchants === undefined) await world.step();
  let isStopped = false;
  runIn(process, () => appliance.stop(1000)).then(() => (isStopped = true));
  while (!isStopped) await world.step();
  return {
    merchants,
    copy() {
      rmSync(current, { recursive: true, force: true });
      cpSync(first, current, { recursive: true });
      return configAt(current);
    },
    remove: () => rmSync(FOLDER, { recursive: true, force: true }),
  };
}

async function fill(appliance: Appliance): Promise<string[]> {
  const merchants: string[] = [];
  for (const { userId, key, vat } of ACCOUNTS) {
    const input = { external_id: `shop-${vat}`, name: "Παράδειγμα Α.Ε.", tax_id: vat };
    const { id } = await createMerchant(appliance, input, CAUSE);
    const credentials = { user_id: userId, subscription_key: key };
    await createConnection(appliance, id, { provider: "registry_direct", credentials }, CAUSE);
    merchants.push(id);
  }
  await createWebhookEndpoint(appliance, { url: `${RECEIVER_URL}/one`, enabled_events: ["*"] }, CAUSE);
  return merchants;
}
