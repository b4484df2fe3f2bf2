/** The sandbox's ledger in the database, so that it survives a restart. */
import type { Store } from "../../../storage/open.ts";
import {
  cancelSandboxFiling,
  findSandboxFiling,
  findSandboxFilings,
  insertSandboxFiling,
  type SandboxFilingRow,
} from "../../../storage/sandbox.ts";
import type { Filing, SandboxLedger } from "./ledger.ts";

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

function rowIdOf(mark: string): number {
  return /^4\d{14}$/.test(mark) ? Number(mark) - MARK_BASE : 0;
}

export function createDurableLedger(store: Store): SandboxLedger {
  return {
    file: (entries) =>
      store.write(async (trx) => {
        for (const { uid, documentId, filedAt, markAt } of entries) {
          await insertSandboxFiling(trx, {
            uid,
            document_id: documentId,
            filed_at: filedAt,
            mark_at: markAt,
          });
        }
      }),
    async findByUids(uids) {
      const filings: Filing[] = [];
      for (const uid of uids) filings.push(...(await findSandboxFilings(store.read, uid)).map(filingOf));
      return filings;
    },
    async findByMark(mark) {
      const row = await findSandboxFiling(store.read, rowIdOf(mark));
      return row === undefined ? undefined : filingOf(row);
    },
    cancel: (mark, at) =>
      store.write(async (trx) => {
        const id = rowIdOf(mark);
        await cancelSandboxFiling(trx, id, at);
        const row = await findSandboxFiling(trx, id);
        return row === undefined ? undefined : (filingOf(row).cancellationMark ?? undefined);
      }),
  };
}
