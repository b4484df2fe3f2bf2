/**
 * The providers' own PDFs, encrypted. A row is inserted when a document is issued, with the time at which the PDF is to be fetched;
 * the time is cleared once it is stored, or once it was tried too often.
 */
import { type Selectable, sql } from "kysely";
import type { ProviderPdfTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Mode } from "../stored-values.ts";
import { workTable } from "../database/work.ts";
import type { Transaction } from "../database/write.ts";

export type ProviderPdfRow = Selectable<ProviderPdfTable>;

export const pdfWork = workTable<ProviderPdfRow>("provider_pdfs", { key: ["document_id"] });

const insertRow = statement<{ documentId: string; due: string }>()((db, p) =>
  db
    .insertInto("provider_pdfs")
    .values({ document_id: p.documentId, sealed: sql.lit(null), due_at: p.due })
    .onConflict((conflict) => conflict.column("document_id").doNothing()),
);

export async function schedulePdf(trx: Transaction, documentId: string, due: string): Promise<void> {
  await trx.run(insertRow, { documentId, due });
}

const upsertRow = statement<{ documentId: string; sealed: Uint8Array }>()((db, p) =>
  db
    .insertInto("provider_pdfs")
    .values({ document_id: p.documentId, sealed: p.sealed, due_at: sql.lit(null) })
    .onConflict((conflict) =>
      conflict
        .column("document_id")
        .doUpdateSet({ sealed: p.sealed, due_at: sql.lit(null), lease_owner: sql.lit(null) }),
    ),
);

export async function upsertPdf(trx: Transaction, documentId: string, sealed: Uint8Array): Promise<void> {
  await trx.run(upsertRow, { documentId, sealed });
}

const deleteRow = statement<{ documentId: string }>()((db, p) =>
  db.deleteFrom("provider_pdfs").where("document_id", "=", p.documentId).where("sealed", "is", null),
);

/** Removes the plan to fetch a PDF that the provider does not have. */
export async function deletePdfPlan(trx: Transaction, documentId: string): Promise<void> {
  await trx.run(deleteRow, { documentId });
}

const selectSealed = statement<{ documentId: string }>()((db, p) =>
  db.selectFrom("provider_pdfs").select("sealed").where("document_id", "=", p.documentId),
);

/** The encrypted PDF; undefined if it is not stored. */
export async function findSealedPdf(session: Session, documentId: string): Promise<Uint8Array | undefined> {
  return (await session.first(selectSealed, { documentId }))?.sealed ?? undefined;
}

const selectGivenUp = statement<{ mode: Mode; limit: number }>()((db, p) =>
  db
    .selectFrom("provider_pdfs")
    .innerJoin("documents", "documents.id", "provider_pdfs.document_id")
    .select("document_id")
    .where("provider_pdfs.due_at", "is", null)
    .where("provider_pdfs.sealed", "is", null)
    .where("documents.mode", "=", p.mode)
    .orderBy("document_id", "desc")
    .limit(p.limit),
);

/** Documents whose PDF was tried too often, newest first. */
export async function findPdfsGivenUp(
  session: Session,
  of: { mode: Mode; limit: number },
): Promise<string[]> {
  return (await session.all(selectGivenUp, of)).map(({ document_id }) => document_id);
}
