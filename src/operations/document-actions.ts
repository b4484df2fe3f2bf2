/** Operations that issue documents, and those on one document. */
import * as v from "valibot";
import { PROVIDERS } from "../../storage/stored-values.ts";
import { component, described } from "../foundation/described.ts";
import { ProviderField } from "../foundation/wire.ts";
import * as credits from "../documents/credit.ts";
import { CreditBodySchema } from "../documents/credit.ts";
import { examineDocument } from "../documents/preview.ts";
import { CanonicalDocumentSchema } from "../domain/canonical-document.ts";
import { DocumentTypeField, TotalsSchema } from "../domain/canonical-schema.ts";
import { ClassificationObjectSchema, DocumentObjectSchema } from "../journal/document-object.ts";
import * as compute from "../intake/compute-document.ts";
import { DOCUMENT_EXAMPLE, GROSS_DOCUMENT_EXAMPLE } from "./examples/names.ts";
import { acceptDocument } from "../documents/accept.ts";
import { DocumentContentsSchema, readContents } from "../documents/contents.ts";
import { IssueBodySchema } from "../domain/issue-body.ts";
import * as paper from "../paper/document-pdf.ts";
import { PAPER_FORMATS } from "../paper/paper.ts";
import { created, data, file, operationsOf } from "./operation.ts";
import { wordField } from "./field.ts";

const operation = operationsOf("documents");

const PreviewSchema = component(
  "Preview",
  "A document as its provider would receive it.",
  v.strictObject({
    provider: ProviderField,
    type: DocumentTypeField,
    totals: TotalsSchema,
    classification: ClassificationObjectSchema,
    payload: described(
      v.record(v.string(), v.unknown()),
      "What the provider would receive, in its own format. Its number is the next free one and is not reserved.",
    ),
  }),
);

export const issueDocument = operation({
  id: "issueDocument",
  method: "POST",
  path: "/documents",
  summary: "Issue a document",
  description:
    "Issues an invoice, a credit note or a retail receipt. The document is checked, classified and stored, and is sent in the background: call `getDocument` until it is issued (then it has a MARK), rejected or failed, or receive its events by webhook. With a live key it is filed with the authority, so call `previewDocument` first. In the sandbox `metadata.sandbox` chooses how it ends: `issued` (default), `rejected`, `unavailable` (failed after every attempt), `unavailable_once`, `timeout` (filed, but the response is lost) or `pending` (the MARK takes 10 seconds); a customer GR 099999999 is rejected with code 102.",
  body: IssueBodySchema,
  example: {
    merchant: "mer_0351LhTBW3fuvBPwlDlvkf",
    external_reference: "order-4711",
    document: DOCUMENT_EXAMPLE,
  },
  idempotency: "required",
  filesDocuments: true,
  response: DocumentObjectSchema,
  errors: [
    "not_found",
    "already_exists",
    "not_supported",
    "connection_unavailable",
    "regime_mismatch",
    "service_unavailable",
  ],
  async handle({ context, body, cause, use }) {
    const result = await acceptDocument(context, body, cause, use);
    return created(result, (body as { merchant: string }).merchant);
  },
});

export const previewDocument = operation({
  id: "previewDocument",
  method: "POST",
  path: "/documents/preview",
  summary: "Preview a document",
  description:
    "Validates and classifies a document without sending or storing anything. Takes the document itself, as in the `document` of `issueDocument`. An error names the fields to correct.",
  query: {
    provider: wordField(
      PROVIDERS,
      "The provider whose format to show; by default the one that the document would be routed to.",
    ),
  },
  body: CanonicalDocumentSchema,
  example: DOCUMENT_EXAMPLE,
  readsOnly: true,
  response: PreviewSchema,
  errors: ["not_supported"],
  async handle({ context, mode, query, body }) {
    const { object } = await examineDocument(context, body, { mode, provider: query.provider });
    return data(object);
  },
});

export const computeDocument = operation({
  id: "computeDocument",
  method: "POST",
  path: "/documents/compute",
  summary: "Compute a document from prices with VAT",
  description:
    "Takes the `document` of `issueDocument` with `unit_price_gross`, the price of one unit with VAT, instead of `unit_price` on each line, and without totals. Returns the document to pass to `issueDocument`: lines, totals, and a payment of the whole unless payments are given. It comes to quantity × price of each line to the cent; where one net price does not, the line becomes two. Stores nothing.",
  body: compute.GrossDocumentSchema,
  example: GROSS_DOCUMENT_EXAMPLE,
  readsOnly: true,
  response: CanonicalDocumentSchema,
  handle: async ({ context, body }) => data(compute.computeDocument(body, context.clock.today())),
});

export const creditDocument = operation({
  id: "creditDocument",
  method: "POST",
  path: "/documents/{id}/credit",
  summary: "Credit an issued document",
  description:
    "Issues a credit note for an issued document that is not cancelled, a 5.1 or, for retail receipts, an 11.4: to the same customer, through the same provider, with the same classification and with its MARK in original_marks. Without lines it credits everything that is left; `getDocumentContents` shows the number of each line. Credits of a document, however divided, add up to it exactly. Nothing left: `invalid_state`; more than is left: `validation_failed`.",
  body: CreditBodySchema,
  isBodyOptional: true,
  example: {
    external_reference: "order-4711-credit",
    lines: [{ line: 1, quantity: "0.5" }, { line: 2 }],
  },
  idempotency: "required",
  filesDocuments: true,
  response: DocumentObjectSchema,
  errors: [
    "invalid_state",
    "not_supported",
    "connection_unavailable",
    "regime_mismatch",
    "service_unavailable",
  ],
  async handle({ context, id, body, cause, use }) {
    const result = await credits.creditDocument(
      context,
      credits.ownOriginal(context, cause.mode, id),
      body,
      cause,
      use,
    );
    const { merchant } = JSON.parse(result.json) as { merchant: string };
    return created(result, merchant);
  },
});

export const getDocumentContents = operation({
  id: "getDocumentContents",
  method: "GET",
  path: "/documents/{id}/contents",
  summary: "Get the contents of a document",
  description:
    "Shows what a document says: supplier, customer, lines, payments and totals as they were accepted, and the number, amounts and applied classification of each line. Use it before crediting: a credit names the number of a line.",
  response: DocumentContentsSchema,
  async handle({ context, mode, id }) {
    const { object, merchantId } = await readContents(context, mode, id);
    return data(object, merchantId);
  },
});

export const getDocumentPdf = operation({
  id: "getDocumentPdf",
  method: "GET",
  path: "/documents/{id}/pdf",
  summary: "Get the PDF of an issued document",
  description:
    "The provider's PDF if it has one, otherwise one made here with the letterhead from the merchant's settings (`paper`); a receipt is always made here. Until the document has its MARK, and while the provider prepares the file, the response is 409 `pdf_not_ready`: try again, after `retry-after` if the response has it.",
  query: {
    format: wordField(
      PAPER_FORMATS,
      "`a4` or, for retail documents only, `receipt`, 80 mm wide. By default as the merchant's `paper.receipt` says.",
    ),
  },
  response: {
    contentType: "application/pdf",
    description: "The document as a PDF named series-number.pdf.",
  },
  errors: ["pdf_not_ready", "provider_credentials_invalid", "provider_unavailable", "service_unavailable"],
  async handle({ context, mode, id, query }) {
    const { bytes, fileName, documentId, merchantId } = await paper.getDocumentPdf(
      context,
      mode,
      id,
      query.format,
    );
    return file({ bytes, contentType: "application/pdf", name: fileName }, { documentId, merchantId });
  },
});
