/** Which documents credit which MARKs, and what they take of each line. */
import type { Selectable } from "kysely";
import { unindexed } from "../database/dialect.ts";
import type { CreditedLineTable, DocumentTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Mode } from "../stored-values.ts";

/** A credit note as far as it concerns what it credits. Amounts in cents. */
export type CreditRow = Pick<
  Selectable<DocumentTable>,
  "id" | "status" | "net" | "vat" | "gross" | "cancelled_at" | "updated_at"
>;

const selectCredits = statement<{ mark: string; merchantId: string; mode: Mode }>()((db, p) =>
  db
    .selectFrom("document_originals as o")
    .innerJoin("documents as d", "d.id", "o.document_id")
    .select(["d.id", "d.status", "d.net", "d.vat", "d.gross", "d.cancelled_at", "d.updated_at"])
    .where("o.mark", "=", p.mark)
    // The pluses keep SQLite to the index of MARKs; a merchant has far more documents.
    .where(unindexed<string>("d.merchant_id"), "=", p.merchantId)
    .where(unindexed<Mode>("d.mode"), "=", p.mode)
    .orderBy("o.document_id"),
);

/** The merchant's documents of every status that credit a MARK, oldest first. */
export function creditsOfMark(
  session: Session,
  mark: string,
  merchantId: string,
  mode: Mode,
): Promise<CreditRow[]> {
  return session.all(selectCredits, { mark, merchantId, mode });
}

const selectCreditedLines = statement<{ mark: string }>()((db, p) =>
  db
    .selectFrom("document_originals as o")
    .innerJoin("credited_lines as l", "l.document_id", "o.document_id")
    .selectAll("l")
    .where("o.mark", "=", p.mark),
);

/** What the documents that credit a MARK take of its lines: of all merchants, both modes and every status. */
export function creditedLinesOfMark(session: Session, mark: string): Promise<CreditedLineTable[]> {
  return session.all(selectCreditedLines, { mark });
}
