/**
 * What a model reads about a tool: when to use it, what it returns and what to do next. An operation without an entry is described
 * in the words of the API.
 */
import type { Operation } from "../operation.ts";

/** By operation id. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  issueDocument:
    'Issue an invoice (1.1 goods, 2.1 services), a credit note (5.1 of the documents in original_marks, 5.2 without them) or a retail receipt (11.1 goods, 11.2 services). With a live key it files with the tax authority, so preview_document first. unit_price is net, in cents; quantity is text such as "2.5"; totals come from compute_totals; vat_category exempt needs vat_exemption; receipts have no customer, the others need one. Returns the document at once, with status pending: call get_document until it is issued (then it has a mark), rejected or failed. In the sandbox metadata.sandbox chooses how it ends: issued, rejected, unavailable, unavailable_once, timeout or pending.',
  previewDocument:
    "Check a document before issue_document, with the fields of its `document`. Nothing is stored or sent. Returns the classification, the warnings and what the provider would receive, or an error that names the fields to correct.",
  listDocuments:
    "Find documents, newest first, by merchant, status, MARK, external reference or day. Returns a page of documents. Then get_document for the history of one, or starting_after for the next page.",
  getDocument:
    "See what became of a document, after issue_document or to explain it. Returns its status, number, mark, the errors of the authority, warnings and the timeline. If it was rejected, correct what its errors name and issue again; if it failed, retry_document.",
  getDocumentContents:
    "Read what a document says: supplier, customer, payments, totals, and each line with its net, VAT, gross and classification. Use it before crediting or repeating a document. Returns the contents, which never change.",
  creditDocument:
    "Credit an issued 1.1 or 2.1, wholly or in part, instead of issuing a 5.1 yourself. Without lines it credits all that is left. A line is named by its number in get_document_contents; give its quantity, or its net in cents, or neither for all that is left of it. Returns the credit note, status pending: call get_document until it has an outcome. invalid_state: nothing is left; validation_failed: more than is left. A receipt or a cancelled document cannot be credited so.",
  getDocumentPdf:
    "Get the PDF of an issued document, to hand to a person. Returns its name, its size and, up to 1 MiB, the file as a resource. pdf_not_ready: the document has no MARK yet, try again later.",
  retryDocument:
    "Queue a document with status failed again, under the same number, once the cause is removed. Returns the document, pending: call get_document until it has an outcome.",
  cancelDocument:
    "Cancel an issued document at its provider. Ask the person first: it cannot be undone. Returns the document with cancellation_mark; its status stays issued. not_supported: the provider cannot cancel, use credit_document instead.",
  createMerchant:
    "Add a business that issues documents. Use list_merchants first: it may exist. external_id is your own name for it. Returns the merchant, whose id every document names.",
  listMerchants:
    "Find the businesses that issue documents, and their ids. Returns a page of merchants, newest first. Then issue_document with the id.",
  getMerchant:
    "Look at one merchant. Returns its name, tax number, branch, metadata, and whether it is archived.",
  updateMerchant:
    "Change the given fields of a merchant; metadata is merged, and null removes a key. Returns the merchant. A test key cannot rename a merchant that is in use live.",
  archiveMerchant:
    "Stop a merchant from issuing anything new; its documents stay. Returns the merchant. unarchive_merchant undoes it.",
  unarchiveMerchant: "Allow an archived merchant to issue again. Returns the merchant.",
  getMerchantSettings:
    "Read how a merchant issues: income classification by document type, series and next numbers, letterhead of its PDFs. Returns the settings.",
  updateMerchantSettings:
    "Replace all settings of a merchant: what is left out is removed, so read them with get_merchant_settings first and send them back changed. Returns the settings.",
  lookupTaxId:
    "Check a tax number of the EU before invoicing it. A live key asks the registry; a test key gets invented answers. Returns whether it is valid, and the name and address if the registry has them, to fill in the customer. Calls are limited: look each number up once.",
};

const REPEATED =
  "Repeating the call with the same arguments creates nothing and returns the first result. idempotency_conflict: it exists already, so look it up. Only for a second, equal one pass a different idempotency_key.";

export function describeTool(operation: Operation): string {
  const text = DESCRIPTIONS[operation.id] ?? describeAsApi(operation);
  return operation.idempotency === "required" ? `${text} ${REPEATED}` : text;
}

function describeAsApi({ summary, description, response }: Operation): string {
  const returned = response.description.replace(/^(?:The|A|An)\b/, (word) => word.toLowerCase());
  return [`${summary}.`, ...(description === undefined ? [] : [description]), `Returns ${returned}`].join(
    " ",
  );
}
