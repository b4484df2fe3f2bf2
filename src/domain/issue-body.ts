/** What `issueDocument` takes around the canonical document: spec, POST /documents, and decisions 5.1. */
import * as v from "valibot";
import { PROVIDERS } from "../../storage/stored-values.ts";
import { trimmedCharacters, integerBetween, MetadataSchema } from "../foundation/validation.ts";
import { CanonicalDocumentSchema } from "./canonical-document.ts";
import { NUMBER_MAX } from "./series.ts";
import { SeriesSchema } from "./series.ts";

const envelope = {
  merchant: v.pipe(
    v.string(),
    v.regex(/^mer_[0-9A-Za-z]{22}$/, "must be a merchant's id (mer_ and 22 letters or digits)"),
  ),
  provider: v.optional(v.picklist(PROVIDERS)),
  external_reference: v.optional(trimmedCharacters(1, 200)),
  metadata: v.optional(MetadataSchema),
  series: v.optional(SeriesSchema),
  number: v.optional(integerBetween(1, NUMBER_MAX)),
} as const;

/** The whole body: for the description of the API. */
export const IssueBodySchema = v.strictObject({ ...envelope, document: CanonicalDocumentSchema });

/** The body around a document that is parsed by itself, with rules that a schema cannot tell. */
export const EnvelopeSchema = v.strictObject({ ...envelope, document: v.unknown() });

/** The same where nothing but the document need be there: for a look at it before it is issued. */
export const PreviewEnvelopeSchema = v.strictObject({
  ...envelope,
  merchant: v.optional(envelope.merchant),
  document: v.unknown(),
});

export type Envelope = v.InferOutput<typeof EnvelopeSchema>;
