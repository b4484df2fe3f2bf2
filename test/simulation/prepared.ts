/** Prepares a data directory with connected merchants and a webhook endpoint once; each history begins with a copy. */
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, loadConfig } from "../../src/config/config.ts";
import { createConnection } from "../../src/connections/connections.ts";
import type { Appliance } from "../../src/appliance.ts";
import { createMerchant } from "../../src/merchants/merchants.ts";
import { createWebhookEndpoint } from "../../src/webhooks/endpoints.ts";
import { AUTHORITY_URL, createAuthorityHost, DEAD_RECEIVER_URL, RECEIVER_URL } from "./hosts.ts";
import { ACCOUNTS, PROVIDER_A_MERCHANT, TAX_NUMBERS } from "./merchants.ts";
import { runIn } from "./platform.ts";
import { createProviderAHost, PROVIDER_A_CREDENTIALS, PROVIDER_A_URL } from "./provider-a-host.ts";
import { createDraws } from "./random.ts";
import { World } from "./world.ts";

export const START_MS = Date.parse("2026-11-21T09:00:00.000Z");
export const CAUSE = { mode: "test", requestId: null, idempotencyKey: null } as const;

/** Memory, where there is a file system of it: the histories sync often. */
const FOLDER = join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), `fiscal-simulation-${process.pid}`);

export interface Prepared {
  /** The ids of the merchants, in the order of `TAX_NUMBERS`. */
  merchants: readonly string[];
  /** With which the webhooks are signed. */
  secret: string;
  /** Copies the prepared data directory to an empty folder. */
  copy(): Config;
  remove(): void;
}

function configAt(folder: string): Config {
  const env = {
    HOME: folder,
    FISCAL_DATA_DIR: join(folder, "data"),
    FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: AUTHORITY_URL,
    FISCAL_PROVIDERS__PROVIDER_A__TEST_URL: `${PROVIDER_A_URL}/api/v1`,
    // Short enough for documents to fail in a storm, and for deliveries to be tried after it.
    FISCAL_ISSUING__DELAYS_SECONDS: "[0, 2, 4, 8]",
    FISCAL_WEBHOOKS__DELAYS_SECONDS: "[0, 5, 20, 60, 120]",
  };
  return loadConfig({ env, cwd: folder, flags: {} });
}

export async function prepare(): Promise<Prepared> {
  const first = join(FOLDER, "first");
  const current = join(FOLDER, "current");
  mkdirSync(first, { recursive: true });
  const draws = createDraws(0);
  const authority = createAuthorityHost({ accounts: ACCOUNTS, nowMs: () => START_MS }, () => undefined);
  const providerA = createProviderAHost({ nowMs: () => START_MS, draw: draws.sequence("provider_a") });
  const world = new World({
    config: configAt(first),
    startMs: START_MS,
    random: draws.sequence("preparation"),
    destinationOf: ({ origin }) => (origin === AUTHORITY_URL ? authority : providerA),
    fateOf: () => undefined,
    note: () => undefined,
    complain: (rule, what) => {
      throw new Error(`${rule}: ${what}`);
    },
  });
  const process = world.startProcess("first", 0);
  let filled: Pick<Prepared, "merchants" | "secret"> | undefined;
  while (process.appliance === undefined) await world.step();
  const { appliance } = process;
  runIn(process, () => fill(appliance)).then((made) => (filled = made));
  while (filled === undefined) await world.step();
  let isStopped = false;
  runIn(process, () => appliance.stop(1000)).then(() => (isStopped = true));
  while (!isStopped) await world.step();
  return {
    ...filled,
    copy() {
      rmSync(current, { recursive: true, force: true });
      cpSync(first, current, { recursive: true });
      return configAt(current);
    },
    remove: () => rmSync(FOLDER, { recursive: true, force: true }),
  };
}

async function fill(appliance: Appliance): Promise<Pick<Prepared, "merchants" | "secret">> {
  const merchants: string[] = [];
  for (const [index, taxNumber] of TAX_NUMBERS.entries()) {
    const input = { external_id: `shop-${index}`, name: "Παράδειγμα Α.Ε.", tax_id: taxNumber };
    const { id } = await createMerchant(appliance, input, CAUSE);
    await createConnection(appliance, id, connectionOf(index), CAUSE);
    merchants.push(id);
  }
  const dead = { url: DEAD_RECEIVER_URL, enabled_events: ["document.rejected"] };
  await createWebhookEndpoint(appliance, dead, CAUSE);
  const endpoint = { url: `${RECEIVER_URL}/one`, enabled_events: ["*"] };
  const { json } = await createWebhookEndpoint(appliance, endpoint, CAUSE);
  return { merchants, secret: (JSON.parse(json) as { secret: string }).secret };
}

function connectionOf(index: number): object {
  if (index === PROVIDER_A_MERCHANT) return { provider: "provider_a", credentials: PROVIDER_A_CREDENTIALS };
  const { userId, key } = ACCOUNTS[index]!;
  return { provider: "registry_direct", credentials: { user_id: userId, subscription_key: key } };
}
