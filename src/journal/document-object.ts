/** The document object of the API, events and the command line (docs/contract.md#document-object). */
import * as v from "valibot";
import type { DocumentRow } from "../../storage/documents/documents.ts";
import type { TimelineRow } from "../../storage/journal/events.ts";
import {
  DOCUMENT_STAGES,
  DOCUMENT_STATUSES,
  EVENT_TYPES,
  MODES,
  PROVIDERS,
} from "../../storage/stored-values.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import { readJson } from "../foundation/json.ts";
import { wireError, wireWarnings } from "../foundation/stored-texts.ts";
import type { Text } from "../foundation/text.ts";
import { ErrorObjectSchema, idOf, InstantText } from "../foundation/wire.ts";
import { GROSS_MAX, MARK_FORM, NET_MAX } from "../domain/document-codes.ts";
import { DOCUMENT_TYPES } from "../domain/document-types.ts";
import { stageOf } from "../domain/lifecycle.ts";

const day = v.pipe(v.string(), v.isoDate());
const cents = (maximum: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maximum));
const mark = v.pipe(v.string(), v.regex(MARK_FORM));

const TimelineEntrySchema = v.strictObject({
  id: idOf("evt"),
  type: v.picklist(EVENT_TYPES),
  created: InstantText,
});

export const ClassificationObjectSchema = v.strictObject({
  source: v.picklist(["line", "override", "default"]),
  warnings: v.array(v.string()),
});

export const DocumentObjectSchema = v.strictObject({
  id: idOf("doc"),
  object: v.literal("document"),
  merchant: idOf("mer"),
  mode: v.picklist(MODES),
  provider: v.picklist(PROVIDERS),
  type: v.picklist(DOCUMENT_TYPES),
  status: v.picklist(DOCUMENT_STATUSES),
  stage: v.nullable(v.picklist(DOCUMENT_STAGES)),
  issue_date: day,
  currency: v.literal("EUR"),
  net: cents(NET_MAX),
  vat: cents(NET_MAX),
  gross: cents(GROSS_MAX),
  series: v.nullable(v.string()),
  number: v.nullable(v.pipe(v.number(), v.integer())),
  mark: v.nullable(mark),
  uid: v.nullable(v.pipe(v.string(), v.regex(/^[0-9A-F]{40}$/))),
  qr_url: v.nullable(v.pipe(v.string(), v.url())),
  cancellation_mark: v.nullable(mark),
  cancelled_at: v.nullable(InstantText),
  error: v.nullable(ErrorObjectSchema),
  classification: ClassificationObjectSchema,
  external_reference: v.nullable(v.string()),
  metadata: v.record(v.string(), v.string()),
  timeline: v.pipe(v.array(TimelineEntrySchema), v.maxLength(100)),
  created: InstantText,
  updated: InstantText,
});

export type DocumentObject = v.InferOutput<typeof DocumentObjectSchema>;

/** Reads a text again only if it differs from the last one: that of the same document before a change, or an empty one. */
function rememberLast<Value>(read: (text: string) => Value): (text: string) => Value {
  let last: { text: string; value: Value } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, value: Object.freeze(read(text)) as Value };
    return last.value;
  };
}

const readWarnings = rememberLast((text) => wireWarnings(readJson<Text[]>(text)));
const readMetadata = rememberLast((text) => readJson<Record<string, string>>(text));

/** `timeline`: oldest first. Until the document is issued, the uid is internal and null here. */
export function buildDocumentObject(row: DocumentRow, timeline: readonly TimelineRow[]): DocumentObject {
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
    classification: {
      source: row.classification_source as DocumentObject["classification"]["source"],
      warnings: readWarnings(row.warnings_json),
    },
    external_reference: row.external_reference,
    metadata: readMetadata(row.metadata_json),
    timeline: timeline.map((entry) => ({ id: entry.id, type: entry.type, created: entry.created_at })),
    created: row.created_at,
    updated: row.updated_at,
  };
}
