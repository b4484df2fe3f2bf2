/** Builds papers of valid documents without a database. */
import type { DocumentType } from "../../src/domain/canonical-document.ts";
import { REGISTRY_DIRECT } from "../../src/providers/registry-direct/description.ts";
import { describeProvider } from "../../src/paper/document-pdf.ts";
import { buildPaper, type Paper } from "../../src/paper/paper.ts";
import { buildLine, buildOutgoing, CUSTOMERS, type DocumentInput, SUPPLIER } from "./documents.ts";
import { buildPng } from "./pictures.ts";

export const MARK = "400001234567890";
export const QR_URL = `https://mydatapi.example/TimologioQR/QRInfo?q=${"x1y2".repeat(30)}`;

export interface PaperChanges extends Partial<Omit<Paper, "document">> {
  document?: Partial<DocumentInput>;
}

/** The paper of an issued live document with number 57. */
export function buildTestPaper(type: DocumentType, { document, ...changes }: PaperChanges = {}): Paper {
  const { input, sentType, payments, series, number, uid } = buildOutgoing(type, document);
  return buildPaper({
    format: "a4",
    document: input,
    sentType,
    isTest: false,
    issuedThrough: describeProvider("registry_direct", REGISTRY_DIRECT),
    series: series!,
    number: number!,
    mark: MARK,
    uid,
    qrUrl: QR_URL,
    authenticationCode: null,
    reference: null,
    cancellation: undefined,
    merchantName: "Παράδειγμα Α.Ε.",
    originals: [],
    payments,
    vatPaymentSuspension: false,
    stationery: {},
    issuedAt: new Date("2026-11-02T10:00:00.000Z"),
    ...changes,
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
    reference: "order-4711",
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
