/** The example document: accepted, issued, cancelled and previewed, and its contents. */
import * as v from "valibot";
import { type DocumentObject, DocumentObjectSchema } from "../../journal/document-object.ts";
import type { PreviewObject } from "../../documents/preview.ts";
import { contentsLines, type DocumentContents } from "../../documents/contents.ts";
import { type CanonicalDocument, CanonicalDocumentSchema } from "../../domain/canonical-document.ts";
import { computeDocument } from "../../intake/compute-document.ts";
import { buildInvoicesDoc } from "../../providers/registry-direct/payload.ts";
import { computeUid } from "../../domain/series.ts";
import {
  completeExample,
  DOCUMENT_EXAMPLE,
  GROSS_DOCUMENT_EXAMPLE,
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
  lines: contentsLines(ACCEPTED.lines, [SALE, SALE]),
  classification: QUEUED_DOCUMENT.classification,
};

/** The preview of the example body, in the registry's format. */
export const PREVIEW: PreviewObject = {
  provider: "sandbox",
  type: "1.1",
  totals: ACCEPTED.totals,
  classification: QUEUED_DOCUMENT.classification,
  payload: buildInvoicesDoc([
    {
      id: IDS.document,
      mode: "test",
      input: ACCEPTED,
      sentType: "1.1",
      classifications: [SALE, SALE],
      payments: ACCEPTED.payments!,
      vatPaymentSuspension: false,
      series: "TIM",
      number: 1,
      uid: null,
      metadata: {},
      wasNotFound: false,
      firstFreeNumber: 1,
    },
  ]),
};

export const COMPUTED_DOCUMENT = computeDocument(GROSS_DOCUMENT_EXAMPLE, GROSS_DOCUMENT_EXAMPLE.issue_date);
