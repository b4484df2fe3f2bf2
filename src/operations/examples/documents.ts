/** The example document: accepted, issued, cancelled and previewed, and its contents. */
import * as v from "valibot";
import { type DocumentObject, DocumentObjectSchema } from "../../journal/document-object.ts";
import type { PreviewObject } from "../../documents/preview.ts";
import type { DocumentContents } from "../../documents/contents.ts";
import { type CanonicalDocument, CanonicalDocumentSchema } from "../../domain/canonical-document.ts";
import { computeUid } from "../../domain/series.ts";
import {
  completeExample,
  CUSTOMER_CODE,
  DOCUMENT_EXAMPLE,
  IDEMPOTENCY_KEY,
  IDS,
  INSTANTS,
  SERVER,
  SUPPLIER_CODE,
} from "./names.ts";

const MARK = "400000000000001";
const WARNING = "line 1: took the default classification category1_1 with E3_561_001";

export const QUEUED_DOCUMENT = completeExample(DocumentObjectSchema, {
  id: IDS.document,
  object: "document",
  merchant: IDS.merchant,
  mode: "test",
  provider: "sandbox",
  type: "1.1",
  status: "pending",
  stage: "queued",
  issue_date: DOCUMENT_EXAMPLE.issue_date,
  currency: "EUR",
  net: 5100,
  vat: 1224,
  gross: 6324,
  series: "TIM",
  classification: { source: "default", warnings: [WARNING] },
  external_reference: IDEMPOTENCY_KEY,
  metadata: {},
  timeline: [{ id: IDS.created, type: "document.created", created: INSTANTS.accepted }],
  created: INSTANTS.accepted,
  updated: INSTANTS.accepted,
});

export const ISSUED_DOCUMENT: DocumentObject = {
  ...QUEUED_DOCUMENT,
  status: "issued",
  stage: null,
  number: 1,
  mark: MARK,
  uid: computeUid({
    supplier: SUPPLIER_CODE,
    issueDate: DOCUMENT_EXAMPLE.issue_date,
    branch: 0,
    sentType: "1.1",
    series: "TIM",
    number: 1,
  }),
  qr_url: `${SERVER}/sandbox/documents/${MARK}`,
  timeline: [
    ...QUEUED_DOCUMENT.timeline,
    { id: IDS.issued, type: "document.issued", created: INSTANTS.issued },
  ],
  updated: INSTANTS.issued,
};

/** The credit note of the example request. */
export const QUEUED_CREDIT: DocumentObject = {
  ...QUEUED_DOCUMENT,
  id: IDS.credit,
  type: "5.1",
  net: 2700,
  vat: 648,
  gross: 3348,
  series: "PIS",
  classification: { source: "line", warnings: [] },
  external_reference: "order-4711-credit",
};

export const CANCELLED_DOCUMENT: DocumentObject = {
  ...ISSUED_DOCUMENT,
  cancellation_mark: "400000000000002",
  cancelled_at: INSTANTS.cancelled,
  updated: INSTANTS.cancelled,
};

const ACCEPTED: CanonicalDocument = v.parse(CanonicalDocumentSchema, DOCUMENT_EXAMPLE);
const SALE = { category: "category1_1", type: "E3_561_001" };

/** The contents of the example body. */
export const CONTENTS: DocumentContents = {
  id: IDS.document,
  object: "document_contents",
  document: ACCEPTED,
  lines: [
    { ...ACCEPTED.lines[0]!, line: 1, net: 3000, vat: 720, gross: 3720, classification: SALE },
    { ...ACCEPTED.lines[1]!, line: 2, net: 2100, vat: 504, gross: 2604, classification: SALE },
  ],
  classification: QUEUED_DOCUMENT.classification,
};

function income(amount: string) {
  return [
    {
      "icls:classificationType": "E3_561_001",
      "icls:classificationCategory": "category1_1",
      "icls:amount": amount,
    },
  ];
}

function line(lineNumber: string, netValue: string, vatAmount: string) {
  return { lineNumber, netValue, vatCategory: "1", vatAmount, incomeClassification: income(netValue) };
}

/** The preview of the example body, in the registry's format. */
export const PREVIEW: PreviewObject = {
  provider: "sandbox",
  type: "1.1",
  totals: { net: 5100, vat: 1224, gross: 6324 },
  classification: { source: "default", warnings: [WARNING] },
  payload: {
    InvoicesDoc: {
      "@_xmlns": "http://www.aade.gr/myDATA/invoice/v1.0",
      "@_xmlns:icls": "https://www.aade.gr/myDATA/incomeClassificaton/v1.0",
      invoice: [
        {
          issuer: { vatNumber: SUPPLIER_CODE, country: "GR", branch: "0" },
          counterpart: { vatNumber: CUSTOMER_CODE, country: "GR", branch: "0" },
          invoiceHeader: {
            series: "TIM",
            aa: "1",
            issueDate: DOCUMENT_EXAMPLE.issue_date,
            invoiceType: "1.1",
            currency: "EUR",
          },
          paymentMethods: { paymentMethodDetails: [{ type: "1", amount: "63.24" }] },
          invoiceDetails: [line("1", "30.00", "7.20"), line("2", "21.00", "5.04")],
          invoiceSummary: {
            totalNetValue: "51.00",
            totalVatAmount: "12.24",
            totalWithheldAmount: "0.00",
            totalFeesAmount: "0.00",
            totalStampDutyAmount: "0.00",
            totalOtherTaxesAmount: "0.00",
            totalDeductionsAmount: "0.00",
            totalGrossValue: "63.24",
            incomeClassification: income("51.00"),
          },
        },
      ],
    },
  },
};
