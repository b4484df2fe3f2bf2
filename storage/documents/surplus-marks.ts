/**
 * MARKs that a provider has for a document beside the document's own (docs/contract.md#surplus-marks). A row with a due time
 * is to be cancelled at the provider or looked up again. Claiming it postpones that time, so that the work is repeated if
 * its process dies.
 */
import { type Insertable, type Selectable, sql } from "kysely";
import { unindexed } from "../database/dialect.ts";
import type { SurplusMarkTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Mode, SurplusState } from "../stored-values.ts";
import type { Transaction } from "../database/write.ts";

export type SurplusMarkRow = Selectable<SurplusMarkTable>;

const insertRow = statement<Insertable<SurplusMarkTable>>()((db, p) =>
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

const selectDue = statement<{ now: string; limit: number }>()((db, p) =>
  db
    .selectFrom("surplus_marks")
    .selectAll()
    .where("due_at", "is not", null)
    .where("due_at", "<=", p.now)
    .orderBy("due_at")
    .limit(p.limit),
);

const claimRow = statement<{ documentId: string; mark: string; due: string; until: string }>()((db, p) =>
  db
    .updateTable("surplus_marks")
    .set((eb) => ({ due_at: p.until, tries: eb("tries", "+", 1) }))
    .where("document_id", "=", p.documentId)
    .where("mark", "=", p.mark)
    .where("due_at", "=", p.due),
);

interface StateChange {
  documentId: string;
  mark: string;
  state: SurplusState;
  due: string | null;
  cancellationMark: string | null;
}

const updateState = statement<StateChange>()((db, p) =>
  db
    .updateTable("surplus_marks")
    .set({ state: p.state, due_at: p.due, cancellation_mark: p.cancellationMark })
    .where("document_id", "=", p.documentId)
    .where("mark", "=", p.mark),
);

const deleteRow = statement<{ documentId: string; mark: string }>()((db, p) =>
  db.deleteFrom("surplus_marks").where("document_id", "=", p.documentId).where("mark", "=", p.mark),
);

const cancelLater = statement<{ documentId: string; due: string }>()((db, p) =>
  db
    .updateTable("surplus_marks")
    .set({ state: sql.lit("cancelling"), due_at: p.due, tries: sql.lit(0) })
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

export function findDueSurplusMarks(session: Session, now: string, limit: number): Promise<SurplusMarkRow[]> {
  return session.all(selectDue, { now, limit });
}

/** Returns false if another worker has claimed it. */
export async function claimSurplusMark(
  trx: Transaction,
  surplus: { documentId: string; mark: string; due: string; until: string },
): Promise<boolean> {
  return (await trx.run(claimRow, surplus)) === 1;
}

export async function changeSurplusMark(trx: Transaction, change: StateChange): Promise<void> {
  await trx.run(updateState, change);
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

const advanceRows = statement<{ after: string; due: string }>()((db, p) =>
  db
    .updateTable("surplus_marks")
    .set({ due_at: p.due })
    .where("due_at", "is not", null)
    .where("due_at", ">", p.after),
);

/** Makes what is due after `after` due at `due`. */
export async function advanceSurplusMarks(
  trx: Transaction,
  by: { after: string; due: string },
): Promise<void> {
  await trx.run(advanceRows, by);
}
