/** The document object of the API, events and the command line (docs/contract.md#document-object). */
import * as v from "valibot";
import type { DocumentRow } from "../../storage/documents/documents.ts";
import type { TimelineRow } from "../../storage/journal/events.ts";
import { DOCUMENT_STAGES, DOCUMENT_STATUSES } from "../../storage/stored-values.ts";
import { component, described } from "../foundation/described.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import { readJson } from "../foundation/json.ts";
import { type Warning, wireError, wireWarnings } from "../foundation/stored-texts.ts";
import { MetadataObjectSchema } from "../foundation/field-schemas.ts";
import {
  CreatedField,
  ErrorObjectSchema,
  idOf,
  InstantText,
  ModeField,
  objectName,
  ProviderField,
} from "../foundation/wire.ts";
import {
  AMOUNT_FIELDS,
  CurrencyField,
  DocumentTypeField,
  IssueDateField,
  MarkSchema,
} from "../domain/canonical-schema.ts";
import { stageOf } from "../domain/lifecycle.ts";
import { EventTypeField } from "./event-object.ts";

const TimelineEntrySchema = component(
  "TimelineEntry",
  "One event in the history of a document.",
  v.strictObject({
    id: idOf("evt"),
    type: EventTypeField,
    created: described(InstantText, "When it happened, in UTC."),
  }),
);

export const ClassificationObjectSchema = component(
  "Classification",
  "How the income of the lines was classified, and what to check.",
  v.strictObject({
    source: described(
      v.picklist(["line", "override", "default"]),
      "`default` if any line took the service's default, otherwise `override` if any took the merchant's, otherwise `line`.",
    ),
    warnings: described(
      v.array(v.string()),
      "What to check before issuing, such as lines that took a default. Empty if there is nothing.",
    ),
  }),
);

export const DocumentObjectSchema = component(
  "Document",
  "A document and what has become of it.",
  v.strictObject({
    id: idOf("doc"),
    object: objectName("document"),
    merchant: idOf("mer"),
    mode: ModeField,
    provider: ProviderField,
    type: DocumentTypeField,
    status: described(
      v.picklist(DOCUMENT_STATUSES),
      "`pending` until there is an outcome; `issued` with a MARK; `rejected` by the provider or the tax authority; `failed` if it could not be delivered.",
    ),
    stage: described(
      v.nullable(v.picklist(DOCUMENT_STAGES)),
      "While `pending`: `queued` waits to be sent; `submitting` is being sent; `awaiting_mark` was accepted and has no MARK yet; `reconciling`: the outcome of a send is unknown and is being checked before anything is sent again. Otherwise null.",
    ),
    issue_date: IssueDateField,
    currency: CurrencyField,
    ...AMOUNT_FIELDS,
    series: described(v.nullable(v.string()), "The series of the number; null until known."),
    number: described(
      v.nullable(v.pipe(v.number(), v.integer())),
      "The number within the series; null until the document is sent for the first time.",
    ),
    mark: described(
      v.nullable(MarkSchema),
      "The number under which the tax authority registered the document (MARK); null until issued.",
    ),
    uid: described(
      v.nullable(v.pipe(v.string(), v.regex(/^[0-9A-F]{40}$/))),
      "The SHA-1 that the tax authority derives from the document's identifiers; null until issued.",
    ),
    qr_url: described(
      v.nullable(v.pipe(v.string(), v.url())),
      "The address that the QR code of the document holds; null until the provider returns one.",
    ),
    cancellation_mark: described(
      v.nullable(MarkSchema),
      "The MARK of the cancellation; null unless cancelled.",
    ),
    cancelled_at: described(v.nullable(InstantText), "When it was cancelled, in UTC; null unless cancelled."),
    error: described(
      v.nullable(ErrorObjectSchema),
      "Why the document was rejected or failed; null otherwise.",
    ),
    classification: ClassificationObjectSchema,
    external_reference: described(v.nullable(v.string()), "Your own reference; null if you gave none."),
    metadata: MetadataObjectSchema,
    timeline: described(
      v.pipe(v.array(TimelineEntrySchema), v.maxLength(100)),
      "The events of the document, oldest first. A longer history has the first and the last 99.",
    ),
    created: CreatedField,
    updated: described(InstantText, "When the document last changed, in UTC."),
  }),
);

export type DocumentObject = v.InferOutput<typeof DocumentObjectSchema>;

/** What is fixed when a document is accepted and stored as JSON: the same in all its objects. */
export function parseFixed(row: DocumentRow): Pick<DocumentObject, "classification" | "metadata"> {
  return {
    classification: {
      source: row.classification_source as DocumentObject["classification"]["source"],
      warnings: wireWarnings(readJson<Warning[]>(row.warnings_json)),
    },
    metadata: readJson<Record<string, string>>(row.metadata_json),
  };
}

/** `timeline`: oldest first. Until the document is issued, the uid is internal and null here. */
export function buildDocumentObject(
  row: DocumentRow,
  timeline: readonly TimelineRow[],
  { classification, metadata } = parseFixed(row),
): DocumentObject {
  return {
    id: row.id,
    object: "document",
    merchant: row.merchant_id,
    mode: row.mode,
    provider: row.provider,
    type: row.type as DocumentObject["type"],
    status: row.status,
    stage: stageOf(row.phase),
    issue_date: row.issue_date,
    currency: "EUR",
    net: row.net,
    vat: row.vat,
    gross: row.gross,
    series: row.series,
    number: row.number,
    mark: row.mark,
    uid: row.phase === "issued" ? row.uid : null,
    qr_url: row.phase === "issued" ? row.qr_url : null,
    cancellation_mark: row.cancellation_mark,
    cancelled_at: row.cancelled_at,
    error: row.error_json === null ? null : wireError(readJson<ErrorObject>(row.error_json)),
    classification,
    external_reference: row.external_reference,
    metadata,
    timeline: timeline.map((entry) => ({ id: entry.id, type: entry.type, created: entry.created_at })),
    created: row.created_at,
    updated: row.updated_at,
  };
}
