/** Builds papers of valid documents without a database. */
import type { DocumentType } from "../../src/domain/canonical-document.ts";
import { REGISTRY_DIRECT } from "../../src/providers/registry-direct/description.ts";
import { describeProvider } from "../../src/paper/document-pdf.ts";
import { buildPaper, type Paper, type Stationery } from "../../src/paper/paper.ts";
import type { DocumentRow } from "../../storage/documents/documents.ts";
import { buildLine, buildOutgoing, CUSTOMERS, type DocumentInput, SUPPLIER } from "./documents.ts";
import { buildPng } from "./pictures.ts";

export const MARK = "400001234567890";
export const QR_URL = `https://mydatapi.example/TimologioQR/QRInfo?q=${"x1y2".repeat(30)}`;

export interface PaperChanges {
  document?: Partial<DocumentInput>;
  stationery?: Stationery;
  row?: Partial<DocumentRow>;
  originals?: Paper["originals"];
  cancelledOn?: string;
  vatPaymentSuspension?: true;
  format?: Paper["format"];
}

/** The paper of an issued live document with number 57. */
export function buildTestPaper(type: DocumentType, changes: PaperChanges = {}): Paper {
  const outgoing = buildOutgoing(type, changes.document);
  const { vatPaymentSuspension } = changes;
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
    authentication_code: null,
    external_reference: null,
    cancellation_mark: null,
    ...changes.row,
  } as DocumentRow;
  return buildPaper({
    format: changes.format ?? "a4",
    row,
    document: input,
    decided: {
      sentType,
      classifications: [...classifications],
      payments: [...payments],
      ...(vatPaymentSuspension === undefined ? {} : { vatPaymentSuspension }),
    },
    merchantName: "Παράδειγμα Α.Ε.",
    stationery: changes.stationery ?? {},
    originals: changes.originals ?? [],
    issuedThrough: describeProvider(row.provider, REGISTRY_DIRECT),
    issuedAt: "2026-11-02T10:00:00.000Z",
    cancelledOn: changes.cancelledOn,
  });
}

const ADDRESS = { street: "Ερμού", number: "12", postal_code: "10563", city: "Αθήνα" };

/** A paper of several pages with every optional part. */
export function buildFullPaper(): Paper {
  const lines = Array.from({ length: 60 }, (_, index) =>
    buildLine({ description: `Είδος ${index + 1}`, quantity: String(index + 1), unit_price: 1_234_50 }),
  );
  return buildTestPaper("1.1", {
    document: {
      supplier: { tax_id: { country: "GR", code: SUPPLIER }, name: "Παράδειγμα Α.Ε.", address: ADDRESS },
      customer: { ...CUSTOMERS.greek, name: "Πελάτης Ε.Π.Ε.", branch: 3, address: ADDRESS },
      lines,
    },
    row: { external_reference: "order-4711" },
    stationery: {
      phone: "210 1234567",
      email: "info@paradeigma.example",
      website: "www.paradeigma.example",
      // pdfkit unpacks its transparency asynchronously.
      logo: buildPng({ width: 60, height: 20 }).toString("base64"),
      color: "#c2410c",
    },
  });
}
