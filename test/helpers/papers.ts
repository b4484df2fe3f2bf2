/** Papers of documents that are valid as they stand, without a database. */
import type { DocumentType } from "../../src/documents/canonical.ts";
import { buildPaper, type Paper, type Stationery } from "../../src/documents/pdf/paper.ts";
import type { DocumentRow } from "../../storage/documents.ts";
import { buildOutgoing, type DocumentInput } from "./documents.ts";

export const BARE: Stationery = {
  address: undefined,
  phone: undefined,
  email: undefined,
  website: undefined,
  logo: undefined,
  color: undefined,
  language: undefined,
};

export const MARK = "400001234567890";
export const QR_URL = `https://mydatapi.example/TimologioQR/QRInfo?q=${"x1y2".repeat(30)}`;

export interface PaperChanges {
  document?: Partial<DocumentInput>;
  stationery?: Partial<Stationery>;
  row?: Partial<DocumentRow>;
  originals?: Paper["originals"];
  cancelledOn?: string;
}

/** The paper of an issued live document with the number 57 of its series. */
export function buildTestPaper(type: DocumentType, changes: PaperChanges = {}): Paper {
  const outgoing = buildOutgoing(type, changes.document);
  const { input, sentType, classifications, payments, series, number, uid } = outgoing;
  const row = {
    id: outgoing.id,
    mode: "live",
    provider: "registry_direct",
    type,
    issue_date: input.issue_date,
    ...input.totals,
    series,
    number,
    uid,
    mark: MARK,
    qr_url: QR_URL,
    external_reference: null,
    cancellation_mark: null,
    ...changes.row,
  } as DocumentRow;
  return buildPaper({
    row,
    input: {
      document_id: row.id,
      input_json: JSON.stringify(input),
      decided_json: JSON.stringify({ sentType, classifications, payments }),
    },
    merchantName: "Παράδειγμα Α.Ε.",
    stationery: { ...BARE, ...changes.stationery },
    originals: changes.originals ?? [],
    issuedAt: "2026-11-02T10:00:00.000Z",
    cancelledOn: changes.cancelledOn,
  });
}
