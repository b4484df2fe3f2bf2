/** An appliance whose connection to the fake tax authority is disturbed, and the comparison of both afterwards. */
import { acceptDocument } from "../../src/documents/accept.ts";
import { auditNumbering } from "../../src/numbering/audit-numbers.ts";
import { cancelSurplusMarks } from "../../src/issuing/surplus-marks.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { type Bench, CAUSE } from "./appliance.ts";
import { buildDocument, type DocumentInput } from "./documents.ts";
import { uncancelledMarks, validMarks } from "./fake-registry/authority.ts";
import { openRegistryBench, type RegistryBench, type RegistryBenchOptions } from "./registry-bench.ts";

export interface GatewayBench extends Omit<RegistryBench, "accept" | "processAll"> {
  /** Accepts a document and returns its id. `extra` is added to the request, outside the document. */
  accept(
    type?: DocumentInput["type"],
    overrides?: Partial<DocumentInput>,
    extra?: Record<string, unknown>,
  ): Promise<string>;
  /** Advances from one due time to the next until none of `ids` is pending or `hours` have passed. */
  processAll(ids: readonly string[], hours?: number): Promise<DocumentObject[]>;
  /** Continues until no check or cancellation of surplus MARKs is left. */
  finishSurplusMarks(): Promise<void>;
  /** Lists differences between documents, ledger and numbers. */
  findDiscrepancies(): Promise<string[]>;
}

const HOUR_MS = 3_600_000;
/** The smallest step, for when something is due but the breaker is open. */
const STEP_MS = 5_000;

export async function openGatewayBench(options: RegistryBenchOptions = {}): Promise<GatewayBench> {
  const bench = await openRegistryBench({ pageSize: 2, ...options });
  const { appliance, registry, merchant, get } = bench;

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
    async accept(type = "1.1", overrides = {}, extra = {}) {
      const document = buildDocument(type, overrides);
      return (await acceptDocument(appliance, { merchant, document, ...extra }, CAUSE)).id;
    },
    async processAll(ids, hours = 12) {
      const endMs = appliance.clock.nowMs() + hours * HOUR_MS;
      for (;;) {
        await work();
        const documents = await Promise.all(ids.map(get));
        if (documents.every(({ status }) => status !== "pending")) return documents;
        if (appliance.clock.nowMs() >= endMs || !(await advanceToNextDue())) return documents;
      }
    },
    async finishSurplusMarks() {
      do await work();
      while (await advanceToNextDue());
    },
    findDiscrepancies: () => findDiscrepancies(bench, registry),
  };
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

/**
 * Each issued document must be registered once: under its MARK, or under a later one that a person was told of. Nothing else
 * may be registered, and every number must be explained.
 */
async function findDiscrepancies(
  { appliance }: Bench,
  registry: RegistryBench["registry"],
): Promise<string[]> {
  const { read } = appliance.store;
  const rows = await read.query((db) =>
    db
      .selectFrom("documents")
      .select(["id", "status", "uid", "mark", "series", "number", "cancellation_mark"]),
  );
  const later = await read.query((db) =>
    db.selectFrom("surplus_marks").select(["document_id", "mark"]).where("state", "=", "later"),
  );
  const valid = validMarks(registry.ledger);
  const uncancelled = uncancelledMarks(registry.ledger);
  const found: string[] = [];
  for (const { id, status, uid, mark, series, number, cancellation_mark: cancelled } of rows) {
    const name = `${series} ${number} (${status})`;
    const told = new Set(later.filter((one) => one.document_id === id).map((one) => one.mark));
    const validMark = uid === null ? undefined : valid.get(uid);
    const remaining = uid === null ? [] : (uncancelled.get(uid) ?? []);
    const isOneValid = validMark !== undefined && (validMark === mark || told.has(validMark));
    if (status === "issued" && cancelled === null && !isOneValid)
      found.push(`${name}: ${mark}, valid: ${validMark}`);
    if (status !== "issued" && remaining.length > 0) found.push(`${name}: registered: ${remaining}`);
    const surplus = remaining.filter((one) => one !== mark && !told.has(one));
    if (status === "issued" && surplus.length > 0) found.push(`${name}: ${mark}, surplus: ${surplus}`);
    if (uid !== null) uncancelled.delete(uid);
  }
  for (const [uid, marks] of uncancelled) found.push(`no document has the uid ${uid}, registered: ${marks}`);
  const { holes } = await auditNumbering(appliance, { mode: "test" });
  for (const hole of holes) found.push(`nothing explains ${hole.series} ${hole.number}`);
  return found;
}
