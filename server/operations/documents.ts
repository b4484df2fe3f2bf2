/** Documents: issue, list, get, preview, retry, cancel, PDF. */
import * as v from "valibot";
import { DOCUMENT_STATUSES, PROVIDERS } from "../../storage/stored-values.ts";
import { acceptDocument } from "../../src/documents/accept.ts";
import { retryDocument } from "../../src/documents/retry.ts";
import { cancelDocument } from "../../src/documents/cancel.ts";
import {
  CanonicalDocumentSchema,
  DOCUMENT_TYPES,
  GROSS_MAX,
  MARK_FORM,
  NET_MAX,
} from "../../src/domain/canonical-document.ts";
import { getDocument, listDocuments } from "../../src/documents/list-documents.ts";
import { IssueBodySchema } from "../../src/domain/issue-body.ts";
import { ClassificationObjectSchema, DocumentObjectSchema } from "../../src/journal/document-object.ts";
import { previewDocument } from "../../src/documents/preview.ts";
import { getDocumentPdf } from "../../src/paper/document-pdf.ts";
import { type Answer, created, data, file, list, type Operation, operation } from "../operation.ts";
import {
  CREATED_FIELDS,
  dateField,
  idField,
  PAGE_FIELDS,
  patternField,
  textField,
  wordField,
} from "../query.ts";

const tag = "documents";

function about(document: { id: string; merchant: string }): Partial<Answer> {
  return { documentId: document.id, merchantId: document.merchant };
}

const PreviewSchema = v.strictObject({
  provider: v.picklist(PROVIDERS),
  type: v.picklist(DOCUMENT_TYPES),
  totals: v.strictObject({
    net: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(NET_MAX)),
    vat: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(NET_MAX)),
    gross: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(GROSS_MAX)),
  }),
  classification: ClassificationObjectSchema,
  payload: v.record(v.string(), v.unknown()),
});

/** Of its two lines the first leaves its classification to the service. */
const DOCUMENT_EXAMPLE = {
  type: "1.1",
  issue_date: "2026-11-20",
  currency: "EUR",
  supplier: { tax_id: { country: "GR", code: "123456783" } },
  customer: { tax_id: { country: "GR", code: "094012834" } },
  lines: [
    { description: "Καφές", quantity: "2.5", unit: "kg", unit_price: 1200, vat_category: "standard" },
    {
      description: "Φλιτζάνια",
      quantity: "6",
      unit_price: 350,
      vat_category: "standard",
      income_classification: { category: "category1_1", type: "E3_561_001" },
    },
  ],
  payments: [{ method: "domestic_account", amount: 6324 }],
  totals: { net: 5100, vat: 1224, gross: 6324 },
} as const;

const issueDocument = operation({
  id: "issueDocument",
  method: "POST",
  path: "/documents",
  tag,
  summary: "Issue a document",
  description:
    "Validates, classifies and stores the document, and answers at once. It is issued in the background: poll it, or take the events.",
  query: {},
  body: IssueBodySchema,
  example: {
    merchant: "mer_0351LhTBW3fuvBPwlDlvkf",
    external_reference: "order-4711",
    document: DOCUMENT_EXAMPLE,
  },
  idempotency: "required",
  answer: {
    status: 201,
    kind: "data",
    schema: DocumentObjectSchema,
    description: "The document, pending and queued.",
  },
  errors: [
    "connection_unavailable",
    ...([
      "validation_failed",
      "not_found",
      "idempotency_conflict",
      "idempotency_in_progress",
      "already_exists",
    ] as const),
    ...([
      "payload_too_large",
      "unsupported_media_type",
      "not_supported",
      "connection_unavailable",
      "regime_mismatch",
      "service_unavailable",
    ] as const),
  ],
  async handle({ appliance, body, cause, claim }) {
    const result = await acceptDocument(appliance, body, cause, claim);
    const merchantId = (body as { merchant: string }).merchant;
    return created(result, { documentId: result.id, merchantId, accepted: result.document });
  },
});

const listDocumentsOperation = operation({
  id: "listDocuments",
  method: "GET",
  path: "/documents",
  tag,
  summary: "List documents",
  query: {
    ...PAGE_FIELDS,
    ...CREATED_FIELDS,
    merchant: idField("mer", "Only documents of this merchant."),
    status: wordField(DOCUMENT_STATUSES, "Only documents with this status."),
    type: wordField(DOCUMENT_TYPES, "Only documents of this type."),
    provider: wordField(PROVIDERS, "Only documents routed to this provider."),
    mark: patternField(
      MARK_FORM,
      "Only the document with this MARK.",
      "must be a MARK: 1 to 19 digits, the first not 0",
    ),
    external_reference: textField(200, "Only documents with this reference of yours."),
    "issue_date[gte]": dateField("Issued on this day or later."),
    "issue_date[lte]": dateField("Issued on this day or earlier."),
  },
  idempotency: "none",
  answer: {
    status: 200,
    kind: "list",
    schema: DocumentObjectSchema,
    description: "A page of documents, newest first.",
  },
  errors: ["validation_failed"],
  handle: async ({ appliance, mode, query }) => list(await listDocuments(appliance, mode, query)),
});

const getDocumentOperation = operation({
  id: "getDocument",
  method: "GET",
  path: "/documents/{id}",
  tag,
  summary: "Get a document",
  query: {},
  idempotency: "none",
  answer: {
    status: 200,
    kind: "data",
    schema: DocumentObjectSchema,
    description: "The document as it is now.",
  },
  errors: ["not_found"],
  async handle({ appliance, mode, params }) {
    const document = await getDocument(appliance, mode, params["id"] ?? "");
    return data(document, about(document));
  },
});

const previewDocumentOperation = operation({
  id: "previewDocument",
  method: "POST",
  path: "/documents/preview",
  tag,
  summary: "Preview a document",
  description:
    "Validates and classifies the document and answers what its provider would receive. Nothing is sent or stored.",
  query: {
    provider: wordField(
      PROVIDERS,
      "Whose format the payload has; chosen as for issuing when it is left out.",
    ),
  },
  body: CanonicalDocumentSchema,
  example: DOCUMENT_EXAMPLE,
  idempotency: "accepted",
  readsOnly: true,
  answer: {
    status: 200,
    kind: "data",
    schema: PreviewSchema,
    description: "The document as it would be sent.",
  },
  errors: ["validation_failed", "payload_too_large", "unsupported_media_type", "not_supported"],
  handle: async ({ appliance, mode, query, body }) =>
    data(await previewDocument(appliance, body, { mode, provider: query.provider })),
});

const retryDocumentOperation = operation({
  id: "retryDocument",
  method: "POST",
  path: "/documents/{id}/retry",
  tag,
  summary: "Retry a failed document",
  description: "Queues a failed document again, under the same id, series and number.",
  query: {},
  idempotency: "accepted",
  answer: {
    status: 200,
    kind: "data",
    schema: DocumentObjectSchema,
    description: "The document, pending and queued.",
  },
  errors: ["validation_failed", "not_found", "invalid_state", "service_unavailable"],
  async handle({ appliance, params, cause }) {
    const document = await retryDocument(appliance, params["id"] ?? "", cause);
    return data(document, about(document));
  },
});

const cancelDocumentOperation = operation({
  id: "cancelDocument",
  method: "POST",
  path: "/documents/{id}/cancel",
  tag,
  summary: "Cancel an issued document",
  description:
    "Cancels the document at its provider, where that can cancel; elsewhere issue a credit note. The status stays issued; cancellation_mark and cancelled_at are set.",
  query: {},
  idempotency: "accepted",
  answer: { status: 200, kind: "data", schema: DocumentObjectSchema, description: "The cancelled document." },
  errors: [
    ...(["validation_failed", "not_found", "invalid_state", "not_supported", "provider_rejected"] as const),
    ...(["provider_credentials_invalid", "provider_unavailable", "service_unavailable"] as const),
  ],
  async handle({ appliance, params, cause }) {
    const document = await cancelDocument(appliance, params["id"] ?? "", cause);
    return data(document, about(document));
  },
});

const getDocumentPdfOperation = operation({
  id: "getDocumentPdf",
  method: "GET",
  path: "/documents/{id}/pdf",
  tag,
  summary: "Get the PDF of an issued document",
  description:
    "The provider's PDF where it has one, otherwise our own, with the merchant's stationery from its settings (`paper`). Before the MARK, and while the provider prepares it, 409 pdf_not_ready: ask again, after retry-after where the answer has it.",
  query: {},
  idempotency: "none",
  answer: {
    status: 200,
    kind: "file",
    contentType: "application/pdf",
    description: "The document on paper, to be kept as series-number.pdf.",
  },
  errors: [
    "not_found",
    "pdf_not_ready",
    "provider_credentials_invalid",
    "provider_unavailable",
    "service_unavailable",
  ],
  async handle({ appliance, mode, params }) {
    const { bytes, fileName, documentId, merchantId } = await getDocumentPdf(
      appliance,
      mode,
      params["id"] ?? "",
    );
    return file({ bytes, contentType: "application/pdf", name: fileName }, { documentId, merchantId });
  },
});

export const DOCUMENT_OPERATIONS: readonly Operation[] = [
  issueDocument,
  listDocumentsOperation,
  previewDocumentOperation,
  getDocumentOperation,
  retryDocumentOperation,
  cancelDocumentOperation,
  getDocumentPdfOperation,
];
