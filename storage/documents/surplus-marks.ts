/**
 * MARKs that a provider has for a document beside the document's own (docs/contract.md#surplus-marks). One that is due is to be
 * cancelled at the provider or looked up again. A check of filings looks for them, because a send was not found.
 */
import { sql } from "kysely";
import { unindexed } from "../database/dialect.ts";
import {
  allRows,
  allValues,
  changeRows,
  deleteRow,
  findRow,
  hasRow,
  insertRowOnce,
} from "../database/queries.ts";
import type { Row } from "../database/schema.ts";
import { workTable } from "../database/work.ts";
import type { Transaction } from "../database/write.ts";
import type { Mode, SurplusState } from "../stored-values.ts";

export type SurplusMarkRow = Row<"surplus_marks">;

export const surplusMarkWork = workTable<SurplusMarkRow>("surplus_marks", { key: ["document_id", "mark"] });

export const insertSurplusMark = insertRowOnce("surplus_marks");

type SurplusMark = Pick<SurplusMarkRow, "document_id" | "mark" | "state" | "due_at" | "cancellation_mark">;

const upsertSurplusMark = changeRows<SurplusMark & { found_at: string }>()(
  (_, p) => sql`
    insert into surplus_marks (document_id, mark, state, due_at, cancellation_mark, found_at)
    values (${p.document_id}, ${p.mark}, ${p.state}, ${p.due_at}, ${p.cancellation_mark}, ${p.found_at})
    on conflict (document_id, mark) do update set state = excluded.state, due_at = excluded.due_at,
      lease_owner = null, cancellation_mark = excluded.cancellation_mark`,
);

/** Inserts a MARK, or changes it even while another process has claimed it. */
export async function setSurplusMark(trx: Transaction, surplus: SurplusMark): Promise<void> {
  await upsertSurplusMark(trx, { ...surplus, found_at: trx.now });
}

export const findSurplusMark = findRow("surplus_marks", ["document_id", "mark"]);

export const findSurplusMarksIn = allValues<{ documentId: string; state: SurplusState }>()((db, p) =>
  db
    .selectFrom("surplus_marks")
    .select("mark")
    .where("document_id", "=", p.documentId)
    .where("state", "=", p.state),
);

export const deleteSurplusMark = deleteRow("surplus_marks", ["document_id", "mark"]);

/** The document itself was cancelled: nothing of it may remain, so its other MARKs are cancelled too. */
export const cancelOtherMarks = changeRows<{ documentId: string; due: string }>()((db, p) =>
  db
    .updateTable("surplus_marks")
    .set({ state: sql.lit("cancelling"), due_at: p.due, lease_owner: sql.lit(null), tries: sql.lit(0) })
    .where("document_id", "=", p.documentId)
    .where(sql<boolean>`state in ('later', 'counts', 'stuck')`),
);

/** The newest MARKs that a person must see to. `own_mark`: the document's own MARK. */
export const findMarksForPerson = allRows<{ mode: Mode; limit: number }>()((db, p) =>
  db
    .selectFrom("surplus_marks")
    .innerJoin("documents", "documents.id", "surplus_marks.document_id")
    .select(["surplus_marks.document_id", "surplus_marks.mark", "documents.mark as own_mark"])
    .select((eb) =>
      eb.ref("surplus_marks.state").$castTo<Extract<SurplusState, "stuck" | "later" | "taken">>().as("state"),
    )
    // The plus keeps SQLite to the index of these MARKs, which are few.
    .where(unindexed<Mode>("documents.mode"), "=", p.mode)
    .where(sql<boolean>`surplus_marks.state in ('stuck', 'later', 'taken')`)
    // A taken MARK matters only until the document has its own.
    .where((eb) =>
      eb.or([
        eb("surplus_marks.state", "<>", sql.lit("taken")),
        eb(unindexed<string>("documents.status"), "=", sql.lit("pending")),
      ]),
    )
    .orderBy("surplus_marks.document_id", "desc")
    .limit(p.limit),
);

/** A document that may be registered twice, because a send was not found. */
export type FilingCheckRow = Row<"filing_checks">;

export const filingCheckWork = workTable<FilingCheckRow>("filing_checks", { key: ["document_id"] });

/** Records a send that the provider did not find. Once the document has its outcome, that send is checked again. */
export const recordUnfoundSend = insertRowOnce("filing_checks");

export const hasUnfoundSend = hasRow<{ documentId: string }>()((db, p) =>
  db.selectFrom("filing_checks").select("document_id").where("document_id", "=", p.documentId),
);

/** Sets when the check of a document is due, if it has one. */
export const scheduleFilingCheck = changeRows<{ documentId: string; due: string }>()((db, p) =>
  db
    .updateTable("filing_checks")
    .set({ due_at: p.due, lease_owner: sql.lit(null), tries: sql.lit(0) })
    .where("document_id", "=", p.documentId),
);

export const deleteFilingCheck = deleteRow("filing_checks", ["document_id"]);
