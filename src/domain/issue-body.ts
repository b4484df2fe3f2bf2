/** The body of POST /documents around the canonical document (docs/contract.md#issue-request). */
import * as v from "valibot";
import { PROVIDERS } from "../../storage/stored-values.ts";
import { trimmedCharacters, integerBetween } from "../foundation/field-schemas.ts";
import { MetadataSchema } from "../foundation/metadata.ts";
import { pattern } from "../foundation/rules.ts";
import { CanonicalDocumentSchema } from "./canonical-document.ts";
import { NUMBER_MAX, SeriesSchema } from "./series.ts";

const envelope = {
  merchant: v.pipe(
    v.string(),
    pattern(/^mer_[0-9A-Za-z]{22}$/, {
      en: "must be a merchant's id (mer_ and 22 letters or digits)",
      el: "πρέπει να είναι id εκδότη (mer_ και 22 λατινικά γράμματα ή ψηφία)",
    }),
  ),
  provider: v.optional(v.picklist(PROVIDERS)),
  external_reference: v.optional(trimmedCharacters(200)),
  metadata: v.optional(MetadataSchema),
  series: v.optional(SeriesSchema),
  number: v.optional(integerBetween(1, NUMBER_MAX)),
} as const;

/** The whole body, for the API description. */
export const IssueBodySchema = v.strictObject({ ...envelope, document: CanonicalDocumentSchema });

/** Without the document, which is parsed separately because a schema cannot express its rules. */
export const EnvelopeSchema = v.strictObject({ ...envelope, document: v.unknown() });

/** For preview, where only the document is required. */
export const PreviewEnvelopeSchema = v.strictObject({
  ...envelope,
  merchant: v.optional(envelope.merchant),
  document: v.unknown(),
});

export type Envelope = v.InferOutput<typeof EnvelopeSchema>;
