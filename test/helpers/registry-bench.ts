/** An appliance whose registry_direct is the fake authority, with one connected merchant, and the comparison of both. */
import { createConnection } from "../../src/connections/connections.ts";
import { acceptDocument } from "../../src/documents/accept.ts";
import { cancelSurplusMarks } from "../../src/issuing/surplus-marks.ts";
import { auditNumbering } from "../../src/numbering/audit-numbers.ts";
import { documentsCheck } from "../../src/upkeep/doctor/check-documents.ts";
import { inspectDatabase } from "../../storage/sqlite/inspection.ts";
import { type Bench, type BenchOptions, CAUSE, openBench } from "./appliance.ts";
import { buildDocument, type DocumentInput } from "./documents.ts";
import { type Account, type Filing, findMisfiled, type Replacing } from "./fake-registry/authority.ts";
import { type FakeRegistry, startFakeRegistry } from "./fake-registry/server.ts";

export const ACCOUNT: Account = {
  userId: "fake-user-4711",
  key: "fake-key-0123456789abcdef",
  vat: "123456783",
};

interface RegistryBenchOptions extends Pick<BenchOptions, "env" | "folder" | "startMs"> {
  pageSize?: number;
  replacing?: Replacing;
  /** The appliance from whose data this one was made: it has the same authority, merchant and connection. */
  earlier?: { registry: FakeRegistry; merchant: string; connection: string };
}

/** The smallest step, for when something is due but the breaker is open. */
const STEP_MS = 5_000;

export async function openRegistryBench(options: RegistryBenchOptions = {}) {
  const { env, pageSize = 2, replacing, earlier, ...place } = options;
  const accounts = [{ ...ACCOUNT }];
  const registry = earlier?.registry ?? (await startFakeRegistry({ accounts, pageSize, replacing }));
  const bench = await openBench({
    ...place,
    env: { FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: registry.url, ...env },
  });
  const { appliance } = bench;
  registry.nowMs = appliance.clock.nowMs;
  const merchant = earlier?.merchant ?? (await bench.makeMerchant());
  const connect = (to: string) => connectToRegistry(bench, to);
  const connection = earlier?.connection ?? (await connect(merchant));
  const get = bench.see;

  /** Advances the clock to the next due time; false if there is none. */
  async function advanceToNextDue(): Promise<boolean> {
    const due = await nextDueMs(bench);
    if (due === undefined) return false;
    bench.advance(Math.max(due - appliance.clock.nowMs(), STEP_MS));
    return true;
  }

  async function work(): Promise<void> {
    await appliance.issuing.rescue();
    await bench.settle();
    await cancelSurplusMarks(appliance);
  }

  return {
    ...bench,
    registry,
    merchant,
    connection,
    /** Connects another merchant with the same account, and returns the connection's id. */
    connect,
    get,
    /** Accepts a document, by default a 1.1, and returns its id. `extra` is added to the request, outside the document. */
    async accept(document: Partial<DocumentInput> = {}, extra: Record<string, unknown> = {}) {
      const whole = buildDocument(document.type ?? "1.1", document);
      return (await acceptDocument(appliance, { merchant, document: whole, ...extra }, CAUSE)).id;
    },
    /** Advances from one due time to the next until none of `ids` is pending or `minutes` have passed. */
    async processAll(ids: readonly string[], minutes = 720) {
      const endMs = appliance.clock.nowMs() + minutes * 60_000;
      for (;;) {
        await work();
        const documents = await Promise.all(ids.map(get));
        if (documents.every(({ status }) => status !== "pending")) return documents;
        if (appliance.clock.nowMs() >= endMs || !(await advanceToNextDue())) return documents;
      }
    },
    /** Continues until no check or cancellation of surplus MARKs is left. */
    async finishSurplusMarks() {
      do await work();
      while (await advanceToNextDue());
    },
    /** What doctor finds about the documents. */
    async diagnoseDocuments() {
      const { config, clock } = appliance;
      const inspection = inspectDatabase(config.storage.database);
      const command = (_mode: unknown, words: string) => `fiscal ${words}`;
      try {
        const input = { inspection, config, clock, command, online: false, deep: false };
        return await Array.fromAsync(documentsCheck.find(input));
      } finally {
        inspection.close();
      }
    },
    async close() {
      await bench.close();
      await registry.close();
    },
  };
}

/** Connects the merchant with `ACCOUNT`, and returns the connection's id. */
export async function connectToRegistry({ appliance }: Bench, merchant: string): Promise<string> {
  const credentials = { user_id: ACCOUNT.userId, subscription_key: ACCOUNT.key };
  const body = { provider: "registry_direct", credentials };
  return (await createConnection(appliance, merchant, body, CAUSE)).id;
}

async function nextDueMs({ appliance }: Bench): Promise<number | undefined> {
  const { read } = appliance.store;
  const due = [
    ...(await read.query((db) => db.selectFrom("documents").select("next_at as due"))),
    ...(await read.query((db) => db.selectFrom("filing_checks").select("due_at as due"))),
    ...(await read.query((db) =>
      db.selectFrom("surplus_marks").select("due_at as due").where("state", "=", "cancelling"),
    )),
  ].flatMap((row) => (row.due === null ? [] : [Date.parse(row.due)]));
  return due.length === 0 ? undefined : Math.min(...due);
}

/** Lists differences between documents, ledger and numbers: every number must be explained, too. */
export async function findDiscrepancies(
  { appliance }: Bench,
  { ledger }: { ledger: readonly Filing[] },
): Promise<string[]> {
  const { read } = appliance.store;
  const rows = await read.query((db) => db.selectFrom("documents").selectAll());
  const later = await read.query((db) =>
    db.selectFrom("surplus_marks").select(["document_id", "mark"]).where("state", "=", "later"),
  );
  const documents = rows.map((row) => ({
    ...row,
    name: `${row.series} ${row.number}`,
    isCancelled: row.cancellation_mark !== null,
    later: new Set(later.filter((one) => one.document_id === row.id).map(({ mark }) => mark)),
  }));
  const { holes } = await auditNumbering(appliance, { mode: "test" });
  const unexplained = holes.map(({ series, number }) => `nothing explains ${series} ${number}`);
  return [...findMisfiled(ledger, documents), ...unexplained];
}
