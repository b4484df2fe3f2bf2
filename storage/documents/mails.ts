/** Mails with a document's PDF: the queue, and the history of each document. */
import { sql } from "kysely";
import {
  allRows,
  allValues,
  changeRows,
  findRow,
  firstValue,
  inPortion,
  type Portion,
} from "../database/queries.ts";
import type { MailReason, MailStatus, Row } from "../database/schema.ts";
import { workTable } from "../database/work.ts";
import type { Cipher } from "../encryption/cipher.ts";
import { placeIn } from "../encryption/sealed.ts";
import type { Mode } from "../stored-values.ts";

export type MailRow = Row<"mails">;

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

/** When the newest attempt after `since` was made, beside the `skip` that followed it; undefined if there were no more. */
export const findTriedAt = firstValue<{ since: string; skip: number }>()((db, p) =>
  db
    .selectFrom("mails")
    .select("tried_at")
    .where("tried_at", "is not", null)
    .where("tried_at", ">", p.since)
    .orderBy("tried_at", "desc")
    .limit(sql.lit(1))
    .offset(p.skip),
);

export const findMail = findRow("mails", ["id"]);

export const findMailsOf = allRows<{ documentId: string; limit: number }>()((db, p) =>
  db
    .selectFrom("mails")
    .selectAll()
    .where("document_id", "=", p.documentId)
    .orderBy("id", "desc")
    .limit(p.limit),
);

/** Makes a mail that waits due at `due`. One that is being sent is left alone. */
export const hastenMail = changeRows<{ id: string; due: string }>()((db, p) =>
  db
    .updateTable("mails")
    .set({ due_at: p.due })
    .where("id", "=", p.id)
    .where("status", "=", "waiting")
    .where("lease_owner", "is", null),
);

/** Removes the address. A mail that still waits is not sent. */
export const eraseMailAddress = changeRows<{ id: string }>()((db, p) =>
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

export const findMailsIn = allRows<Portion>()((db, p) =>
  inPortion(db.selectFrom("mails").select(["id", "document_id", "sealed"]), p),
);

export const findDocumentsWithStuckMail = allValues<{ mode: Mode; reason: MailReason; limit: number }>()(
  (db, p) =>
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
