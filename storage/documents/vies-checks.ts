/** Lookups of the VAT numbers of EU customers, and their answers (docs/contract.md#numbers-of-eu-customers). */
import type { Selectable } from "kysely";
import type { ViesCheckTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import { workTable } from "../database/work.ts";

export type ViesCheckRow = Selectable<ViesCheckTable>;

export const viesCheckWork = workTable<ViesCheckRow>("vies_checks", { key: ["document_id"] });

const selectCheck = statement<{ documentId: string }>()((db, p) =>
  db.selectFrom("vies_checks").selectAll().where("document_id", "=", p.documentId),
);

/** Undefined for a document whose customer's number is not looked up. */
export function findViesCheck(session: Session, documentId: string): Promise<ViesCheckRow | undefined> {
  return session.first(selectCheck, { documentId });
}
