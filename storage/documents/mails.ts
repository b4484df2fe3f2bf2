/** Mails with a document's PDF: the queue, and the history of each document. */
import { type Selectable, sql } from "kysely";
import type { MailReason, MailStatus, MailTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Mode } from "../stored-values.ts";
import type { Transaction } from "../database/write.ts";

export type MailRow = Selectable<MailTable>;

const insertRow = statement<{
  id: string;
  documentId: string;
  sealed: Uint8Array;
  formKey: string | null;
  now: string;
  due: string;
}>()((db, p) =>
  db.insertInto("mails").values({
    id: p.id,
    document_id: p.documentId,
    sealed: p.sealed,
    form_key: p.formKey,
    status: sql.lit("waiting"),
    due_at: p.due,
    created_at: p.now,
  }),
);

export interface NewMail {
  id: string;
  documentId: string;
  sealed: Uint8Array;
  formKey: string | null;
  due: string;
}

/** Queues a mail, which is due at `due`. */
export async function insertMail(trx: Transaction, mail: NewMail): Promise<void> {
  await trx.run(insertRow, { ...mail, now: trx.now });
}

const selectRow = statement<{ id: string }>()((db, p) =>
  db.selectFrom("mails").selectAll().where("id", "=", p.id),
);

export function findMail(session: Session, id: string): Promise<MailRow | undefined> {
  return session.first(selectRow, { id });
}

const selectOfDocument = statement<{ documentId: string; limit: number }>()((db, p) =>
  db
    .selectFrom("mails")
    .selectAll()
    .where("document_id", "=", p.documentId)
    .orderBy("id", "desc")
    .limit(p.limit),
);

/** The mails of a document, newest first. */
export function findMailsOf(session: Session, documentId: string, limit: number): Promise<MailRow[]> {
  return session.all(selectOfDocument, { documentId, limit });
}

const selectDue = statement<{ now: string; limit: number }>()((db, p) =>
  db
    .selectFrom("mails")
    .select("id")
    .where("due_at", "is not", null)
    .where("due_at", "<=", p.now)
    .orderBy("due_at")
    .limit(p.limit),
);

/** The ids of mails that are due, longest first. */
export async function findDueMails(session: Session, now: string, limit: number): Promise<string[]> {
  return (await session.all(selectDue, { now, limit })).map(({ id }) => id);
}

const claimRow = statement<{ id: string; now: string; clock: string; until: string }>()((db, p) =>
  db
    .updateTable("mails")
    .set((eb) => ({
      due_at: p.until,
      tries: eb("tries", "+", 1),
      tried_at: p.now,
      reason: sql.lit(null),
      smtp_code: sql.lit(null),
    }))
    .where("id", "=", p.id)
    .where("due_at", "<=", p.clock),
);

/** Returns false if it is not due: another process has claimed or settled it. It is due again at `until` if this process dies. */
export async function claimMail(trx: Transaction, id: string, until: string): Promise<boolean> {
  const clock = new Date(trx.clockMs).toISOString();
  return (await trx.run(claimRow, { id, now: trx.now, clock, until })) === 1;
}

export interface MailOutcome {
  id: string;
  status: MailStatus;
  reason: MailReason | null;
  smtpCode: number | null;
  /** When it is sent next; null unless it is waiting. */
  due: string | null;
}

const settleRow = statement<MailOutcome>()((db, p) =>
  db
    .updateTable("mails")
    .set({ status: p.status, reason: p.reason, smtp_code: p.smtpCode, due_at: p.due })
    .where("id", "=", p.id)
    .where("status", "=", "waiting"),
);

/** Stores the outcome of an attempt. A mail that was erased meanwhile stays erased. */
export async function settleMail(trx: Transaction, outcome: MailOutcome): Promise<void> {
  await trx.run(settleRow, outcome);
}

const hastenRow = statement<{ id: string; due: string }>()((db, p) =>
  db
    .updateTable("mails")
    .set({ due_at: p.due })
    .where("id", "=", p.id)
    .where("status", "=", "waiting")
    .where("reason", "is not", null),
);

/** Makes a mail that waits after a failed attempt due at `due`. One that is being sent is left alone. */
export async function hastenMail(trx: Transaction, id: string, due: string): Promise<void> {
  await trx.run(hastenRow, { id, due });
}

const advanceRows = statement<{ after: string; due: string }>()((db, p) =>
  db
    .updateTable("mails")
    .set({ due_at: p.due })
    .where("due_at", "is not", null)
    .where("due_at", ">", p.after),
);

/** Makes mails that are due after `after` due at `due`. */
export async function advanceMails(trx: Transaction, by: { after: string; due: string }): Promise<void> {
  await trx.run(advanceRows, by);
}

const eraseRow = statement<{ id: string }>()((db, p) =>
  db
    .updateTable("mails")
    .set({
      sealed: sql.lit(null),
      due_at: sql.lit(null),
      status: sql<MailStatus>`case when status = 'waiting' then 'erased' else status end`,
    })
    .where("id", "=", p.id)
    .where("sealed", "is not", null),
);

/** Removes the address. A mail that still waits is not sent. */
export async function eraseMailAddress(trx: Transaction, id: string): Promise<void> {
  await trx.run(eraseRow, { id });
}

const selectErasable = statement<{ after: string; before: string; limit: number }>()((db, p) =>
  db
    .selectFrom("mails")
    .select(["id", "document_id", "sealed"])
    .where("id", ">", p.after)
    .where("id", "<", p.before)
    .orderBy("id")
    .limit(p.limit),
);

/** Mails in the order of their ids, for an erasure. */
export function findMailsIn(
  session: Session,
  portion: { after: string; before: string; limit: number },
): Promise<Pick<MailRow, "id" | "document_id" | "sealed">[]> {
  return session.all(selectErasable, portion);
}

const selectStuck = statement<{ mode: Mode; reason: MailReason; limit: number }>()((db, p) =>
  db
    .selectFrom("mails")
    .innerJoin("documents", "documents.id", "mails.document_id")
    .select("mails.document_id")
    .where("mails.status", "=", "waiting")
    .where("mails.reason", "=", p.reason)
    .where("documents.mode", "=", p.mode)
    .orderBy("mails.id")
    .limit(p.limit),
);

/** Documents with a mail that waits for this reason. */
export async function findDocumentsWithStuckMail(
  session: Session,
  of: { mode: Mode; reason: MailReason; limit: number },
): Promise<string[]> {
  return (await session.all(selectStuck, of)).map(({ document_id }) => document_id);
}
