/**
 * The substance of a document beside its contents, encrypted: what was sent to file it, one row for each document that was sent to
 * a provider, and the provider's own PDF. The row of a PDF is inserted when a document is issued, with the time at which it is to
 * be fetched; the time is cleared once it is stored, or once it was tried too often.
 */
import {
  allValues,
  changeRows,
  deleteRow,
  findRow,
  hasRow,
  insertRowOnce,
  upsertRow,
} from "../database/queries.ts";
import type { Row } from "../database/schema.ts";
import { workTable } from "../database/work.ts";
import type { Mode } from "../stored-values.ts";

/** Replaces what an earlier send of the document stored. */
export const upsertFiling = upsertRow("filings", ["document_id"]);

export const findFilingRow = findRow("filings", ["document_id"]);

export const hasFiling = hasRow<{ documentId: string }>()((db, p) =>
  db.selectFrom("filings").select("document_id").where("document_id", "=", p.documentId),
);

export const deleteFiling = deleteRow("filings", ["document_id"]);

export type ProviderPdfRow = Row<"provider_pdfs">;

export const pdfWork = workTable<ProviderPdfRow>("provider_pdfs", { key: ["document_id"] });

/** Plans to fetch a PDF, unless there is a row for it. */
export const schedulePdf = insertRowOnce("provider_pdfs");

/** Stores a PDF, which ends the plan to fetch it. */
export const upsertPdf = upsertRow("provider_pdfs", ["document_id"]);

export const deletePdfPlan = changeRows<{ documentId: string }>()((db, p) =>
  db.deleteFrom("provider_pdfs").where("document_id", "=", p.documentId).where("sealed", "is", null),
);

export const findPdfRow = findRow("provider_pdfs", ["document_id"]);

/** Documents whose PDF was tried too often, newest first. */
export const findPdfsGivenUp = allValues<{ mode: Mode; limit: number }>()((db, p) =>
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
