/** Mails with a document's PDF: the queue, and the history of each document. */
import { type Selectable, sql } from "kysely";
import type { MailReason, MailStatus, MailTable } from "../database/schema.ts";
import type { Cipher } from "../encryption/cipher.ts";
import { placeIn } from "../encryption/sealed.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Mode } from "../stored-values.ts";
import { workTable } from "../database/work.ts";
import type { Transaction } from "../database/write.ts";

export type MailRow = Selectable<MailTable>;

/** Undefined once it is erased, and if it cannot be decrypted. */
export function addressOf(
  cipher: Cipher,
  { id, sealed }: Pick<MailRow, "id" | "sealed">,
): string | undefined {
  return sealed === null ? undefined : cipher.open(placeIn("mails", id), sealed)?.toString("utf8");
}

/** `only`: the id of the one mail to claim, or null. */
export const mailWork = workTable<MailRow, { only: string | null }>("mails", {
  key: ["id"],
  among: ({ only }) => sql<boolean>`(cast(${only} as text) is null or due.id = ${only})`,
});

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

const insertUnsent = statement<{ id: string; documentId: string; sealed: Uint8Array; now: string }>()(
  (db, p) =>
    db.insertInto("mails").values({
      id: p.id,
      document_id: p.documentId,
      sealed: p.sealed,
      // No server refuses a mail without a reason.
      status: sql.lit("refused"),
      created_at: p.now,
    }),
);

/** Records a mail that is not sent. */
export async function insertUnsentMail(
  trx: Transaction,
  mail: Pick<NewMail, "id" | "documentId" | "sealed">,
): Promise<void> {
  await trx.run(insertUnsent, { ...mail, now: trx.now });
}

const selectTried = statement<{ since: string; skip: number }>()((db, p) =>
  db
    .selectFrom("mails")
    .select("tried_at")
    .where("tried_at", "is not", null)
    .where("tried_at", ">", p.since)
    .orderBy("tried_at", "desc")
    .limit(sql.lit(1))
    .offset(p.skip),
);

/** When the `count`th newest attempt after `since` was made; undefined if there were fewer. */
export async function findTriedAt(
  session: Session,
  { since, count }: { since: string; count: number },
): Promise<string | undefined> {
  const row = await session.first(selectTried, { since, skip: count - 1 });
  return row?.tried_at ?? undefined;
}

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

const hastenRow = statement<{ id: string; due: string }>()((db, p) =>
  db
    .updateTable("mails")
    .set({ due_at: p.due })
    .where("id", "=", p.id)
    .where("status", "=", "waiting")
    .where("lease_owner", "is", null),
);

/** Makes a mail that waits due at `due`. One that is being sent is left alone. */
export async function hastenMail(trx: Transaction, id: string, due: string): Promise<void> {
  await trx.run(hastenRow, { id, due });
}

const eraseRow = statement<{ id: string }>()((db, p) =>
  db
    .updateTable("mails")
    .set({
      sealed: sql.lit(null),
      due_at: sql.lit(null),
      lease_owner: sql.lit(null),
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
