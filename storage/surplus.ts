/**
 * Documents that may be registered twice, and MARKs that are one too many. A row with a due time is to be worked; taking it
 * moves the time on, so that what dies with its process comes up again.
 */
import { type Insertable, type Selectable, sql } from "kysely";
import type { FilingCheckTable, SurplusMarkTable } from "./schema.ts";
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";
import type { Transaction } from "./write.ts";

export type FilingCheckRow = Selectable<FilingCheckTable>;
export type SurplusMarkRow = Selectable<SurplusMarkTable>;

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

/** A send of the document was not found: once the document has its outcome that send is looked for once more. */
export async function noteUnfoundSend(
  trx: Transaction,
  send: { documentId: string; series: string | null; number: number | null; uid: string | null },
): Promise<void> {
  const { documentId, series, number, uid } = send;
  await trx.run(insertCheck, { document_id: documentId, series, number, uid, due_at: null });
}

const selectCheck = statement<{ documentId: string }>()((db, p) =>
  db.selectFrom("filing_checks").select("document_id").where("document_id", "=", p.documentId),
);

/** Whether a send of the document may stand at the provider without anybody knowing it. */
export async function hasUnfoundSend(session: Session, documentId: string): Promise<boolean> {
  return (await session.first(selectCheck, { documentId })) !== undefined;
}

/** Makes the check of a document due; without one nothing happens. */
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
const takeCheckRow = statement<{ documentId: string; due: string; until: string }>()((db, p) =>
  db
    .updateTable("filing_checks")
    .set((eb) => ({ due_at: p.until, looks: eb("looks", "+", 1) }))
    .where("document_id", "=", p.documentId)
    .where("due_at", "=", p.due),
);
const dropCheck = statement<{ documentId: string }>()((db, p) =>
  db.deleteFrom("filing_checks").where("document_id", "=", p.documentId),
);

export function findDueFilingChecks(session: Session, now: string, limit: number): Promise<FilingCheckRow[]> {
  return session.all(selectDueChecks, { now, limit });
}

/** False when another worker was first. */
export async function takeFilingCheck(
  trx: Transaction,
  check: { documentId: string; due: string; until: string },
): Promise<boolean> {
  return (await trx.run(takeCheckRow, check)) === 1;
}

export async function dropFilingCheck(trx: Transaction, documentId: string): Promise<void> {
  await trx.run(dropCheck, { documentId });
}

const insertSurplusRow = statement<Insertable<SurplusMarkTable>>()((db, p) =>
  db
    .insertInto("surplus_marks")
    .values({ document_id: p.document_id, mark: p.mark, due_at: p.due_at, found_at: p.found_at })
    .onConflict((conflict) => conflict.columns(["document_id", "mark"]).doNothing()),
);
const selectDueSurplus = statement<{ now: string; limit: number }>()((db, p) =>
  db
    .selectFrom("surplus_marks")
    .selectAll()
    .where("due_at", "is not", null)
    .where("due_at", "<=", p.now)
    .orderBy("due_at")
    .limit(p.limit),
);
const takeSurplusRow = statement<{ documentId: string; mark: string; due: string; until: string }>()(
  (db, p) =>
    db
      .updateTable("surplus_marks")
      .set((eb) => ({ due_at: p.until, tries: eb("tries", "+", 1) }))
      .where("document_id", "=", p.documentId)
      .where("mark", "=", p.mark)
      .where("due_at", "=", p.due),
);
const endSurplusRow = statement<{ documentId: string; mark: string; cancellationMark: string | null }>()(
  (db, p) =>
    db
      .updateTable("surplus_marks")
      .set({ due_at: sql<null>`null`, cancellation_mark: p.cancellationMark })
      .where("document_id", "=", p.documentId)
      .where("mark", "=", p.mark),
);

/** Keeps a MARK that is to be cancelled; one that is known already stays as it is. */
export async function keepSurplusMark(
  trx: Transaction,
  surplus: { documentId: string; mark: string; due: string },
): Promise<void> {
  const { documentId, mark, due } = surplus;
  await trx.run(insertSurplusRow, { document_id: documentId, mark, due_at: due, found_at: trx.now });
}

export function findDueSurplusMarks(session: Session, now: string, limit: number): Promise<SurplusMarkRow[]> {
  return session.all(selectDueSurplus, { now, limit });
}

/** False when another worker was first. */
export async function takeSurplusMark(
  trx: Transaction,
  surplus: { documentId: string; mark: string; due: string; until: string },
): Promise<boolean> {
  return (await trx.run(takeSurplusRow, surplus)) === 1;
}

/** It is cancelled, or with null a person must see to it. */
export async function endSurplusMark(
  trx: Transaction,
  surplus: { documentId: string; mark: string; cancellationMark: string | null },
): Promise<void> {
  await trx.run(endSurplusRow, surplus);
}
