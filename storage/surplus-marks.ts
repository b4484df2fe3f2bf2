/**
 * MARKs of a second registration of the same document (docs/contract.md#surplus-marks). A row with a due time is to be
 * cancelled at the provider. Claiming it postpones that time, so that the cancellation runs again if its process dies.
 */
import { type Insertable, type Selectable, sql } from "kysely";
import type { SurplusMarkTable } from "./schema.ts";
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";
import type { Transaction } from "./write.ts";

export type SurplusMarkRow = Selectable<SurplusMarkTable>;

const insertRow = statement<Insertable<SurplusMarkTable>>()((db, p) =>
  db
    .insertInto("surplus_marks")
    .values({ document_id: p.document_id, mark: p.mark, due_at: p.due_at, found_at: p.found_at })
    .onConflict((conflict) => conflict.columns(["document_id", "mark"]).doNothing()),
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

const closeRow = statement<{ documentId: string; mark: string; cancellationMark: string | null }>()((db, p) =>
  db
    .updateTable("surplus_marks")
    .set({ due_at: sql<null>`null`, cancellation_mark: p.cancellationMark })
    .where("document_id", "=", p.documentId)
    .where("mark", "=", p.mark),
);

/** Inserts a MARK to cancel, unless it is known already. */
export async function insertSurplusMark(
  trx: Transaction,
  surplus: { documentId: string; mark: string; due: string },
): Promise<void> {
  const { documentId, mark, due } = surplus;
  await trx.run(insertRow, { document_id: documentId, mark, due_at: due, found_at: trx.now });
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

/** Records that the MARK was cancelled, or with null that a person must cancel it. */
export async function closeSurplusMark(
  trx: Transaction,
  surplus: { documentId: string; mark: string; cancellationMark: string | null },
): Promise<void> {
  await trx.run(closeRow, surplus);
}
