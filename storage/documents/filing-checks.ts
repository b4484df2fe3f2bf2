/**
 * Documents that may be registered twice, because one of their sends was not found (docs/contract.md#surplus-marks). A row
 * with a due time is to be checked. Claiming it postpones that time, so that the check runs again if its process dies.
 */
import { type Insertable, type Selectable, sql } from "kysely";
import type { FilingCheckTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

export type FilingCheckRow = Selectable<FilingCheckTable>;

const insertCheck = statement<Insertable<FilingCheckTable>>()((db, p) =>
  db
    .insertInto("filing_checks")
    .values({
      document_id: p.document_id,
      series: p.series,
      number: p.number,
      uid: p.uid,
      due_at: sql.lit(null),
    })
    .onConflict((conflict) => conflict.column("document_id").doNothing()),
);

const setCheckDue = statement<{ documentId: string; due: string }>()((db, p) =>
  db.updateTable("filing_checks").set({ due_at: p.due, looks: 0 }).where("document_id", "=", p.documentId),
);

/** Records a send that the provider did not find. Once the document has its outcome, that send is checked again. */
export async function recordUnfoundSend(
  trx: Transaction,
  send: { documentId: string; series: string | null; number: number | null; uid: string | null },
): Promise<void> {
  const { documentId, series, number, uid } = send;
  await trx.run(insertCheck, { document_id: documentId, series, number, uid, due_at: null });
}

const selectCheck = statement<{ documentId: string }>()((db, p) =>
  db.selectFrom("filing_checks").select("document_id").where("document_id", "=", p.documentId),
);

/** Whether a send of the document was recorded as not found. */
export async function hasUnfoundSend(session: Session, documentId: string): Promise<boolean> {
  return (await session.first(selectCheck, { documentId })) !== undefined;
}

/** Sets when the check of a document is due, if it has one. */
export async function scheduleFilingCheck(trx: Transaction, documentId: string, due: string): Promise<void> {
  await trx.run(setCheckDue, { documentId, due });
}

const selectDueChecks = statement<{ now: string; limit: number }>()((db, p) =>
  db
    .selectFrom("filing_checks")
    .selectAll()
    .where("due_at", "is not", null)
    .where("due_at", "<=", p.now)
    .orderBy("due_at")
    .limit(p.limit),
);

const claimRow = statement<{ documentId: string; due: string; until: string }>()((db, p) =>
  db
    .updateTable("filing_checks")
    .set((eb) => ({ due_at: p.until, looks: eb("looks", "+", 1) }))
    .where("document_id", "=", p.documentId)
    .where("due_at", "=", p.due),
);

const deleteCheck = statement<{ documentId: string }>()((db, p) =>
  db.deleteFrom("filing_checks").where("document_id", "=", p.documentId),
);

export function findDueFilingChecks(session: Session, now: string, limit: number): Promise<FilingCheckRow[]> {
  return session.all(selectDueChecks, { now, limit });
}

/** Returns false if another worker has claimed it. */
export async function claimFilingCheck(
  trx: Transaction,
  check: { documentId: string; due: string; until: string },
): Promise<boolean> {
  return (await trx.run(claimRow, check)) === 1;
}

export async function deleteFilingCheck(trx: Transaction, documentId: string): Promise<void> {
  await trx.run(deleteCheck, { documentId });
}

const advanceRows = statement<{ after: string; due: string }>()((db, p) =>
  db
    .updateTable("filing_checks")
    .set({ due_at: p.due })
    .where("due_at", "is not", null)
    .where("due_at", ">", p.after),
);

const postponeRows = statement<{ due: string }>()((db, p) =>
  db
    .updateTable("filing_checks")
    .set({ due_at: p.due })
    .where("due_at", "is not", null)
    .where("due_at", "<", p.due),
);

/** Makes what is due before `due` due then. */
export async function postponeFilingChecks(trx: Transaction, due: string): Promise<void> {
  await trx.run(postponeRows, { due });
}

/** Makes what is due after `after` due at `due`. */
export async function advanceFilingChecks(
  trx: Transaction,
  by: { after: string; due: string },
): Promise<void> {
  await trx.run(advanceRows, by);
}
