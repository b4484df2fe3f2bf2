/** Operations on documents: issue, list, get, contents, PDF. */
import { DOCUMENT_STATUSES, PROVIDERS } from "../../storage/stored-values.ts";
import { acceptDocument } from "../documents/accept.ts";
import { DocumentContentsSchema, readContents } from "../documents/contents.ts";
import { DOCUMENT_TYPES, MARK_FORM, NOT_A_MARK } from "../domain/canonical-document.ts";
import { getDocument, listDocuments } from "../documents/list-documents.ts";
import { IssueBodySchema } from "../domain/issue-body.ts";
import { DocumentObjectSchema } from "../journal/document-object.ts";
import { getDocumentPdf } from "../paper/document-pdf.ts";
import { DOCUMENT_EXAMPLE } from "./examples/document-body.ts";
import { created, data, file, list, type Operation, operation } from "./operation.ts";
import {
  createdFields,
  dateField,
  idField,
  PAGE_FIELDS,
  patternField,
  textField,
  wordField,
} from "./field.ts";
import {
  cancelDocumentOperation,
  creditDocumentOperation,
  previewDocumentOperation,
  retryDocumentOperation,
} from "./document-actions.ts";

const tag = "documents";

const issueDocument = operation({
  id: "issueDocument",
  method: "POST",
  path: "/documents",
  tag,
  summary: "Issue a document",
  description:
    "Issues an invoice, a credit note or a retail receipt. The document is checked, classified and stored, and is sent in the background: call `getDocument` until it is issued (then it has a MARK), rejected or failed, or receive its events by webhook. With a live key it is filed with the tax authority, so call `previewDocument` first. In the sandbox `metadata.sandbox` chooses how it ends: `issued` (default), `rejected`, `unavailable` (failed after every attempt), `unavailable_once`, `timeout` (filed, but the response is lost) or `pending` (the MARK takes 10 seconds); a customer GR 099999999 is rejected with code 102.",
  query: {},
  body: IssueBodySchema,
  example: {
    merchant: "mer_0351LhTBW3fuvBPwlDlvkf",
    external_reference: "order-4711",
    document: DOCUMENT_EXAMPLE,
  },
  idempotency: "required",
  filesDocuments: true,
  response: {
    status: 201,
    kind: "data",
    schema: DocumentObjectSchema,
    description: "The document, pending and queued.",
  },
  errors: [
    "validation_failed",
    "not_found",
    "idempotency_conflict",
    "idempotency_in_progress",
    "already_exists",
    "payload_too_large",
    "unsupported_media_type",
    "not_supported",
    "connection_unavailable",
    "regime_mismatch",
    "service_unavailable",
  ],
  async handle({ context, body, cause, claim }) {
    const result = await acceptDocument(context, body, cause, claim);
    const merchantId = (body as { merchant: string }).merchant;
    return created(result, { documentId: result.id, merchantId });
  },
});

const listDocumentsOperation = operation({
  id: "listDocuments",
  method: "GET",
  path: "/documents",
  tag,
  summary: "List documents",
  description:
    "Finds documents by merchant, status, type, provider, MARK, external reference or day, newest first.",
  query: {
    ...PAGE_FIELDS,
    ...createdFields({ en: "only accepted", el: "έγιναν δεκτά" }),
    merchant: idField("mer", "Only documents of this merchant."),
    status: wordField(DOCUMENT_STATUSES, "Only documents with this status."),
    type: wordField(DOCUMENT_TYPES, "Only documents of this type."),
    provider: wordField(PROVIDERS, "Only documents routed to this provider."),
    mark: patternField(MARK_FORM, "Only the document with this MARK.", NOT_A_MARK),
    external_reference: textField(200, "Only documents with this external reference."),
    "issue_date[gte]": dateField("Only documents issued on this day or later."),
    "issue_date[lte]": dateField("Only documents issued on this day or earlier."),
  },
  idempotency: "none",
  response: {
    status: 200,
    kind: "list",
    schema: DocumentObjectSchema,
    description: "A page of documents, newest first.",
  },
  errors: ["validation_failed"],
  handle: async ({ context, mode, query }) => list(await listDocuments(context, mode, query)),
});

const getDocumentOperation = operation({
  id: "getDocument",
  method: "GET",
  path: "/documents/{id}",
  tag,
  summary: "Get a document",
  description:
    "Shows what became of a document: its status, number, MARK, errors, warnings and history. If it was rejected, correct what the error names and issue a new one; if it failed, call `retryDocument`.",
  query: {},
  idempotency: "none",
  response: {
    status: 200,
    kind: "data",
    schema: DocumentObjectSchema,
    description: "The document as it is now.",
  },
  errors: ["not_found"],
  async handle({ context, mode, params }) {
    const document = await getDocument(context, mode, params["id"] ?? "");
    return data(document, { documentId: document.id, merchantId: document.merchant });
  },
});

const getDocumentContents = operation({
  id: "getDocumentContents",
  method: "GET",
  path: "/documents/{id}/contents",
  tag,
  summary: "Get the contents of a document",
  description:
    "Shows what a document says: supplier, customer, lines, payments and totals as they were accepted, and the number, amounts and applied classification of each line. Use it before crediting: a credit names the number of a line.",
  query: {},
  idempotency: "none",
  response: {
    status: 200,
    kind: "data",
    schema: DocumentContentsSchema,
    description: "The contents, which never change.",
  },
  errors: ["not_found"],
  async handle({ context, mode, params }) {
    const { object, merchantId } = await readContents(context, mode, params["id"] ?? "");
    return data(object, { documentId: object.id, merchantId });
  },
});

const getDocumentPdfOperation = operation({
  id: "getDocumentPdf",
  method: "GET",
  path: "/documents/{id}/pdf",
  tag,
  summary: "Get the PDF of an issued document",
  description:
    "The provider's PDF if it has one, otherwise one made here with the letterhead from the merchant's settings (`paper`). Until the document has its MARK, and while the provider prepares the file, the response is 409 `pdf_not_ready`: try again, after `retry-after` if the response has it.",
  query: {},
  idempotency: "none",
  response: {
    status: 200,
    kind: "file",
    contentType: "application/pdf",
    description: "The document as a PDF named series-number.pdf.",
  },
  errors: [
    "not_found",
    "pdf_not_ready",
    "provider_credentials_invalid",
    "provider_unavailable",
    "service_unavailable",
  ],
  async handle({ context, mode, params }) {
    const { bytes, fileName, documentId, merchantId } = await getDocumentPdf(
      context,
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
  getDocumentContents,
  retryDocumentOperation,
  cancelDocumentOperation,
  creditDocumentOperation,
  getDocumentPdfOperation,
];
