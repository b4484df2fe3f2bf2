/**
 * MARKs that a provider has for a document beside the document's own (docs/contract.md#surplus-marks). One that is due is to be
 * cancelled at the provider or looked up again.
 */
import { type Selectable, sql } from "kysely";
import { unindexed } from "../database/dialect.ts";
import type { SurplusMarkTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Mode, SurplusState } from "../stored-values.ts";
import { workTable } from "../database/work.ts";
import type { Transaction } from "../database/write.ts";

export type SurplusMarkRow = Selectable<SurplusMarkTable>;

export const surplusMarkWork = workTable<SurplusMarkRow>("surplus_marks", { key: ["document_id", "mark"] });

type NewSurplusMark = Pick<SurplusMarkRow, "document_id" | "mark" | "state" | "due_at" | "found_at">;

const insertRow = statement<NewSurplusMark>()((db, p) =>
  db
    .insertInto("surplus_marks")
    .values({
      document_id: p.document_id,
      mark: p.mark,
      state: p.state,
      due_at: p.due_at,
      found_at: p.found_at,
    })
    .onConflict((conflict) => conflict.columns(["document_id", "mark"]).doNothing()),
);

type SurplusMark = Pick<SurplusMarkRow, "document_id" | "mark" | "state" | "due_at" | "cancellation_mark">;

const upsertRow = statement<SurplusMark & { found_at: string }>()((db, p) =>
  db
    .insertInto("surplus_marks")
    .values({
      document_id: p.document_id,
      mark: p.mark,
      state: p.state,
      due_at: p.due_at,
      cancellation_mark: p.cancellation_mark,
      found_at: p.found_at,
    })
    .onConflict((conflict) =>
      conflict.columns(["document_id", "mark"]).doUpdateSet({
        state: p.state,
        due_at: p.due_at,
        lease_owner: sql.lit(null),
        cancellation_mark: p.cancellation_mark,
      }),
    ),
);

const selectRow = statement<{ documentId: string; mark: string }>()((db, p) =>
  db
    .selectFrom("surplus_marks")
    .selectAll()
    .where("document_id", "=", p.documentId)
    .where("mark", "=", p.mark),
);

const selectInState = statement<{ documentId: string; state: SurplusState }>()((db, p) =>
  db
    .selectFrom("surplus_marks")
    .select("mark")
    .where("document_id", "=", p.documentId)
    .where("state", "=", p.state),
);

const deleteRow = statement<{ documentId: string; mark: string }>()((db, p) =>
  db.deleteFrom("surplus_marks").where("document_id", "=", p.documentId).where("mark", "=", p.mark),
);

const cancelLater = statement<{ documentId: string; due: string }>()((db, p) =>
  db
    .updateTable("surplus_marks")
    .set({ state: sql.lit("cancelling"), due_at: p.due, lease_owner: sql.lit(null), tries: sql.lit(0) })
    .where("document_id", "=", p.documentId)
    .where(sql<boolean>`state in ('later', 'counts', 'stuck')`),
);

/** Inserts a MARK, unless it is known already. */
export async function insertSurplusMark(
  trx: Transaction,
  surplus: { documentId: string; mark: string; state: SurplusState; due: string | null },
): Promise<void> {
  const { documentId, mark, state, due } = surplus;
  await trx.run(insertRow, { document_id: documentId, mark, state, due_at: due, found_at: trx.now });
}

/** Inserts a MARK, or changes it even while another process has claimed it. */
export async function setSurplusMark(trx: Transaction, surplus: SurplusMark): Promise<void> {
  await trx.run(upsertRow, { ...surplus, found_at: trx.now });
}

export function findSurplusMark(
  session: Session,
  documentId: string,
  mark: string,
): Promise<SurplusMarkRow | undefined> {
  return session.first(selectRow, { documentId, mark });
}

/** The document's MARKs in this state. */
export async function findSurplusMarksIn(
  session: Session,
  documentId: string,
  state: SurplusState,
): Promise<string[]> {
  return (await session.all(selectInState, { documentId, state })).map(({ mark }) => mark);
}

export async function deleteSurplusMark(trx: Transaction, documentId: string, mark: string): Promise<void> {
  await trx.run(deleteRow, { documentId, mark });
}

/** The document itself was cancelled: nothing of it may remain, so its other MARKs are cancelled too. */
export async function cancelOtherMarks(trx: Transaction, documentId: string, due: string): Promise<void> {
  await trx.run(cancelLater, { documentId, due });
}

/** A MARK that a person must see to, with its document. */
export interface MarkForPerson {
  document_id: string;
  mark: string;
  state: Extract<SurplusState, "stuck" | "later" | "taken">;
  /** The document's own MARK. */
  own_mark: string | null;
}

const selectForPerson = statement<{ mode: Mode; limit: number }>()((db, p) =>
  db
    .selectFrom("surplus_marks")
    .innerJoin("documents", "documents.id", "surplus_marks.document_id")
    .select(["surplus_marks.document_id", "surplus_marks.mark"])
    .select((eb) => eb.ref("surplus_marks.state").$castTo<MarkForPerson["state"]>().as("state"))
    .select("documents.mark as own_mark")
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

/** The newest MARKs that a person must see to. */
export function findMarksForPerson(
  session: Session,
  by: { mode: Mode; limit: number },
): Promise<MarkForPerson[]> {
  return session.all(selectForPerson, by);
}
