/** The sandbox's ledger in the database, so that it survives a restart. */
import type { Store } from "../../../storage/database/store.ts";
import type { Session } from "../../../storage/database/session.ts";
import {
  cancelSandboxFiling,
  findCreditedMarks,
  findSandboxCredits,
  findSandboxFiling,
  findSandboxFilings,
  findSandboxFilingsBetween,
  insertSandboxFiling,
  type ListedFiling,
  type SandboxFilingRow,
} from "../../../storage/documents/sandbox.ts";
import type { CreditedDocument } from "../../domain/credit-checks.ts";
import type { Finding } from "../../domain/authority-rules.ts";
import type { Filing, FilingEntry, PlacedFiling, Register, SandboxLedger } from "./ledger.ts";

/** MARKs have 15 digits and start with 4. Those of cancellations have their own range. */
const MARK_BASE = 400_000_000_000_000;
const CANCELLATION_BASE = 490_000_000_000_000;

function filingOf(row: SandboxFilingRow): Filing {
  return {
    mark: String(MARK_BASE + row.id),
    uid: row.uid,
    documentId: row.document_id,
    filedAt: row.filed_at,
    markAt: row.mark_at,
    cancellationMark: row.cancelled_at === null ? null : String(CANCELLATION_BASE + row.id),
  };
}

function listedFrom(row: ListedFiling): PlacedFiling {
  const { net, vat, gross } = row;
  return {
    place: row.id,
    mark: String(MARK_BASE + row.id),
    uid: row.uid,
    reference: row.document_id,
    issueDate: row.issue_date,
    type: null,
    series: row.series,
    number: row.number === null ? null : String(row.number),
    totals: { net, vat, gross },
    isCancelled: row.cancelled_at !== null,
  };
}

function rowIdOf(mark: string): number {
  return /^4\d{14}$/.test(mark) ? Number(mark) - MARK_BASE : 0;
}

function rowOf(entry: FilingEntry): Omit<SandboxFilingRow, "id" | "cancelled_at"> {
  const { uid, documentId, filedAt, markAt, supplier, customer, sentType, net } = entry;
  return {
    uid,
    document_id: documentId,
    filed_at: filedAt,
    mark_at: markAt,
    supplier,
    customer_country: customer?.country ?? null,
    customer_code: customer?.code ?? null,
    sent_type: sentType,
    net,
  };
}

function creditedOf(row: SandboxFilingRow): CreditedDocument {
  const { customer_country: country, customer_code: code } = row;
  return {
    mark: String(MARK_BASE + row.id),
    supplier: row.supplier,
    customer: country === null || code === null ? null : { country, code },
    sentType: row.sent_type,
    net: row.net,
    isCancelled: row.cancelled_at !== null,
  };
}

function registerIn(session: Session): Register {
  return {
    async findCredited(mark) {
      const row = await findSandboxFiling(session, rowIdOf(mark));
      return row === undefined ? undefined : creditedOf(row);
    },
    async findCreditsOf(mark) {
      const rows = await findSandboxCredits(session, mark);
      return rows.map(({ id, uid, net }) => ({ id: String(id), uid, net }));
    },
    findOriginalMarks: ({ id }) => findCreditedMarks(session, Number(id)),
  };
}

export function createDurableLedger(store: Store): SandboxLedger {
  return {
    file: (entries, examine) =>
      store.write(async (trx) => {
        const objections: Finding[][] = [];
        for (const entry of entries) {
          const found = await examine(entry, registerIn(trx));
          if (found.length === 0) await insertSandboxFiling(trx, rowOf(entry), entry.originalMarks);
          objections.push(found);
        }
        return objections;
      }),
    findByUids: async (uids) => (await findSandboxFilings(store.read, uids)).map(filingOf),
    list: async (range) => (await findSandboxFilingsBetween(store.read, range)).map(listedFrom),
    async findByMark(mark) {
      const row = await findSandboxFiling(store.read, rowIdOf(mark));
      return row === undefined ? undefined : filingOf(row);
    },
    cancel: (mark, at, isRefused) =>
      store.write(async (trx) => {
        const id = rowIdOf(mark);
        const before = await findSandboxFiling(trx, id);
        if (before === undefined) return { kind: "unknown_mark" };
        if (before.cancelled_at === null && (await isRefused(mark, registerIn(trx))))
          return { kind: "refused" };
        await cancelSandboxFiling(trx, id, at);
        const cancelled = { ...before, cancelled_at: before.cancelled_at ?? at };
        return { kind: "cancelled", cancellationMark: filingOf(cancelled).cancellationMark! };
      }),
  };
}
