/** Documents that may be registered twice, because one of their sends was not found (docs/contract.md#surplus-marks). */
import { type Selectable, sql } from "kysely";
import type { FilingCheckTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import { workTable } from "../database/work.ts";
import type { Transaction } from "../database/write.ts";

export type FilingCheckRow = Selectable<FilingCheckTable>;

export const filingCheckWork = workTable<FilingCheckRow>("filing_checks", { key: ["document_id"] });

/** A send that the provider did not find. */
type UnfoundSend = Pick<FilingCheckRow, "document_id" | "series" | "number" | "uid">;

const insertCheck = statement<UnfoundSend>()((db, p) =>
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
  db
    .updateTable("filing_checks")
    .set({ due_at: p.due, lease_owner: sql.lit(null), tries: sql.lit(0) })
    .where("document_id", "=", p.documentId),
);

/** Records a send that the provider did not find. Once the document has its outcome, that send is checked again. */
export async function recordUnfoundSend(trx: Transaction, send: UnfoundSend): Promise<void> {
  await trx.run(insertCheck, send);
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

const deleteCheck = statement<{ documentId: string }>()((db, p) =>
  db.deleteFrom("filing_checks").where("document_id", "=", p.documentId),
);

export async function deleteFilingCheck(trx: Transaction, documentId: string): Promise<void> {
  await trx.run(deleteCheck, { documentId });
}
