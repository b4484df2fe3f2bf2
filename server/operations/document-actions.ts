/** Operations on one document: preview, retry, cancel. */
import * as v from "valibot";
import { PROVIDERS } from "../../storage/stored-values.ts";
import { cancelDocument } from "../../src/documents/cancel.ts";
import { previewDocument } from "../../src/documents/preview.ts";
import { retryDocument } from "../../src/documents/retry.ts";
import {
  CanonicalDocumentSchema,
  DOCUMENT_TYPES,
  GROSS_MAX,
  NET_MAX,
} from "../../src/domain/canonical-document.ts";
import { ClassificationObjectSchema, DocumentObjectSchema } from "../../src/journal/document-object.ts";
import { DOCUMENT_EXAMPLE } from "../examples/document-body.ts";
import { data, operation } from "../operation.ts";
import { wordField } from "../query.ts";

const tag = "documents";

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

export const previewDocumentOperation = operation({
  id: "previewDocument",
  method: "POST",
  path: "/documents/preview",
  tag,
  summary: "Preview a document",
  description:
    "Validates and classifies the document and returns what its provider would receive. Nothing is sent or stored.",
  query: {
    provider: wordField(
      PROVIDERS,
      "The provider whose format to show; by default the one that the document would be routed to.",
    ),
  },
  body: CanonicalDocumentSchema,
  example: DOCUMENT_EXAMPLE,
  idempotency: "accepted",
  readsOnly: true,
  response: {
    status: 200,
    kind: "data",
    schema: PreviewSchema,
    description: "The document as it would be sent.",
  },
  errors: ["validation_failed", "payload_too_large", "unsupported_media_type", "not_supported"],
  handle: async ({ appliance, mode, query, body }) =>
    data(await previewDocument(appliance, body, { mode, provider: query.provider })),
});

export const retryDocumentOperation = operation({
  id: "retryDocument",
  method: "POST",
  path: "/documents/{id}/retry",
  tag,
  summary: "Retry a failed document",
  description: "Queues a failed document again with the same id, series and number.",
  query: {},
  idempotency: "accepted",
  isAdditive: true,
  response: {
    status: 200,
    kind: "data",
    schema: DocumentObjectSchema,
    description: "The document, pending and queued.",
  },
  errors: ["validation_failed", "not_found", "invalid_state", "service_unavailable"],
  async handle({ appliance, params, cause }) {
    const document = await retryDocument(appliance, params["id"] ?? "", cause);
    return data(document, { documentId: document.id, merchantId: document.merchant });
  },
});

export const cancelDocumentOperation = operation({
  id: "cancelDocument",
  method: "POST",
  path: "/documents/{id}/cancel",
  tag,
  summary: "Cancel an issued document",
  description:
    "Cancels the document at its provider, if the provider can cancel; otherwise issue a credit note. The status stays issued; cancellation_mark and cancelled_at are set.",
  query: {},
  idempotency: "accepted",
  response: {
    status: 200,
    kind: "data",
    schema: DocumentObjectSchema,
    description: "The cancelled document.",
  },
  errors: [
    "validation_failed",
    "not_found",
    "invalid_state",
    "not_supported",
    "provider_rejected",
    "provider_credentials_invalid",
    "provider_unavailable",
    "service_unavailable",
  ],
  async handle({ appliance, params, cause }) {
    const document = await cancelDocument(appliance, params["id"] ?? "", cause);
    return data(document, { documentId: document.id, merchantId: document.merchant });
  },
});
