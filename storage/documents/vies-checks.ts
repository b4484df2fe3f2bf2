/** Lookups of the VAT numbers of EU customers, and their answers (docs/contract.md#numbers-of-eu-customers). */
import { type Selectable, sql } from "kysely";
import type { ViesCheckTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import { workTable } from "../database/work.ts";
import type { Mode } from "../stored-values.ts";
import type { SharesRow } from "./dated-documents.ts";

export type ViesCheckRow = Selectable<ViesCheckTable>;

export const viesCheckWork = workTable<ViesCheckRow>("vies_checks", { key: ["document_id"] });

const selectCheck = statement<{ documentId: string }>()((db, p) =>
  db.selectFrom("vies_checks").selectAll().where("document_id", "=", p.documentId),
);

/** Undefined for a document whose customer's number is not looked up. */
export function findViesCheck(session: Session, documentId: string): Promise<ViesCheckRow | undefined> {
  return session.first(selectCheck, { documentId });
}

/** Issued documents that are not cancelled, counted by merchant and customer, to numbers that the registry calls invalid. */
export function countInvalidNumbers(
  session: Session,
  { mode, from, through }: { mode: Mode; from: string; through: string },
): Promise<InvalidNumber[]> {
  return session.query((db) =>
    db
      .selectFrom("vies_checks")
      .innerJoin("documents", "documents.id", "vies_checks.document_id")
      .select("merchant_id")
      .select(sql<string | null>`customer_country || customer_hash`.as("customer"))
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("valid", "=", sql.lit(0))
      .where("mode", "=", mode)
      .where("issue_date", ">=", from)
      .where("issue_date", "<=", through)
      .where("status", "=", "issued")
      .where("cancelled_at", "is", null)
      .groupBy(["merchant_id", "customer_country", "customer_hash"]),
  );
}

export type InvalidNumber = Pick<SharesRow, "merchant_id" | "customer"> & { count: number };
