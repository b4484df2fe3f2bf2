/** Opens an appliance whose registry_direct is the fake authority, with one connected merchant. */
import { acceptDocument } from "../../src/documents/accept.ts";
import { createConnection } from "../../src/connections/connections.ts";
import { getDocument } from "../../src/documents/list-documents.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { auditNumbering, type AuditReport } from "../../src/numbering/audit-numbers.ts";
import { type Bench, buildIssueBody, CAUSE, openBench } from "./appliance.ts";
import { type Account, type Replacing } from "./fake-registry/authority.ts";
import { type FakeRegistry, startFakeRegistry } from "./fake-registry/server.ts";

export const ACCOUNT: Account = {
  userId: "fake-user-4711",
  key: "fake-key-0123456789abcdef",
  vat: "123456783",
};

export interface RegistryBench extends Bench {
  registry: FakeRegistry;
  merchant: string;
  /** Empty without a connection. */
  connection: string;
  /** Connects another merchant with the same account, and returns the connection's id. */
  connect(merchant: string): Promise<string>;
  accept(extra?: Record<string, unknown>, document?: Record<string, unknown>): Promise<string>;
  get(id: string): Promise<DocumentObject>;
  /** Advances the clock and runs what is due until each document has an outcome or `minutes` have passed. */
  processAll(ids: readonly string[], minutes?: number): Promise<DocumentObject[]>;
  audit(): Promise<AuditReport>;
}

export interface RegistryBenchOptions {
  env?: Record<string, string>;
  pageSize?: number;
  listingDelayMs?: number;
  replacing?: Replacing;
  isConnected?: boolean;
}

export async function openRegistryBench(options: RegistryBenchOptions = {}): Promise<RegistryBench> {
  const { env, isConnected = true, ...ofRegistry } = options;
  let bench: Bench | undefined;
  const registry = await startFakeRegistry({
    accounts: [{ ...ACCOUNT }],
    pageSize: 3,
    nowMs: () => bench?.appliance.clock.nowMs() ?? 0,
    ...ofRegistry,
  });
  bench = await openBench({ env: { FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: registry.url, ...env } });
  const { appliance } = bench;
  const merchant = await bench.makeMerchant();
  async function connect(to: string): Promise<string> {
    const credentials = { user_id: ACCOUNT.userId, subscription_key: ACCOUNT.key };
    const body = { provider: "registry_direct", credentials };
    return (await createConnection(appliance, to, body, CAUSE)).id;
  }
  const connection = isConnected ? await connect(merchant) : "";
  const get = (id: string) => getDocument(appliance, "test", id);
  const own = bench;
  return {
    ...own,
    registry,
    merchant,
    connection,
    connect,
    get,
    async accept(extra = {}, document = {}) {
      const body = buildIssueBody(merchant, extra);
      const whole = { ...body, document: { ...(body["document"] as object), ...document } };
      return (await acceptDocument(appliance, whole, CAUSE)).id;
    },
    async processAll(ids, minutes = 60) {
      const { cancelSurplusMarks } = await import("../../src/issuing/surplus-marks.ts");
      // Small steps at first, when retries are due, then longer ones.
      for (let passedMs = 0; passedMs < minutes * 60_000; ) {
        await own.settle();
        await cancelSurplusMarks(appliance);
        const documents = await Promise.all(ids.map(get));
        if (documents.every(({ status }) => status !== "pending")) break;
        const stepMs = passedMs < 60_000 ? 5_000 : 30_000;
        own.advance(stepMs);
        passedMs += stepMs;
      }
      return Promise.all(ids.map(get));
    },
    audit: () => auditNumbering(appliance, {}),
    async close() {
      await own.close();
      await registry.close();
    },
  };
}

/** Advances past the time in which duplicates are looked for and cancelled. */
export async function tendLater(bench: Pick<Bench, "advance" | "appliance">): Promise<void> {
  const { cancelSurplusMarks } = await import("../../src/issuing/surplus-marks.ts");
  for (let times = 0; times < 4; times += 1) {
    bench.advance(11 * 60_000);
    await cancelSurplusMarks(bench.appliance);
  }
}
