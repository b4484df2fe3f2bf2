/**
 * Digests by which an event vouches for what its snapshot does not show of a document (docs/contract.md#keyed-audit-chain):
 * the first event for the contents, each later one for the state.
 */
import type { AuditKey } from "./audit-key.ts";
import type { DocumentInputRow, DocumentRow } from "../documents/documents.ts";

/** Covers everything that is fixed when a document is accepted. */
export function digestOfContents(key: AuditKey, row: DocumentRow, input: DocumentInputRow): Buffer {
  const { input_json: contents, decided_json: decided } = input;
  const head = JSON.stringify([
    "contents",
    row.id,
    row.mode,
    row.merchant_id,
    row.provider,
    row.type,
    row.issue_date,
    row.net,
    row.vat,
    row.gross,
    row.supplier,
    row.branch,
    row.number_given,
    row.provider_numbered,
    row.classification_source,
    row.warnings_json,
    row.external_reference,
    row.metadata_json,
    row.created_at,
    input.letterhead_id,
    contents.length,
    decided.length,
  ]);
  return key.authenticate(`${head}\n${contents}\n${decided}`);
}

/**
 * Covers what issuing adds, once the document has an outcome. A number and uid count only if the document is issued: they can
 * be given up without an event.
 */
export function digestOfState(key: AuditKey, row: DocumentRow): Buffer {
  const isIssued = row.status === "issued";
  return key.authenticate(
    JSON.stringify([
      "state",
      row.id,
      row.status,
      row.connection_id,
      row.provider_ref,
      row.series,
      isIssued ? row.number : null,
      isIssued ? row.uid : null,
      row.mark,
      row.qr_url,
      row.cancellation_mark,
      row.cancelled_at,
      row.authentication_code,
      row.has_filing,
    ]),
  );
}
