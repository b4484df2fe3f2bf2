/** The body of POST /documents around the canonical document (docs/contract.md#issue-request), and what its metadata may declare. */
import * as v from "valibot";
import { component, described } from "../foundation/described.ts";
import { integerBetween, MetadataSchema } from "../foundation/field-schemas.ts";
import { pattern } from "../foundation/field-checks.ts";
import { ProviderField } from "../foundation/wire.ts";
import { CanonicalDocumentSchema } from "./canonical-document.ts";
import { ExternalReferenceField } from "./canonical-schema.ts";
import { NUMBER_MAX, SeriesSchema } from "./series.ts";
import type { Problem } from "../foundation/errors.ts";

const envelope = {
  merchant: described(
    v.pipe(
      v.string(),
      pattern(/^mer_[0-9A-Za-z]{22}$/, {
        en: "must be a merchant's id (mer_ and 22 letters or digits)",
        el: "πρέπει να είναι id εκδότη (mer_ και 22 λατινικά γράμματα ή ψηφία)",
      }),
    ),
    "The id of the merchant that issues the document.",
  ),
  provider: v.optional(
    described(
      ProviderField,
      "The provider to issue through. Required only if the merchant has several active connections. Without any, a test key uses the sandbox.",
    ),
  ),
  external_reference: v.optional(ExternalReferenceField),
  metadata: v.optional(MetadataSchema),
  series: v.optional(
    described(
      SeriesSchema,
      "The series of the document's number, instead of the merchant's or the default one.",
    ),
  ),
  number: v.optional(
    described(
      integerBetween(1, NUMBER_MAX),
      "The number within `series`, if you number documents yourself. Without it the next free one is taken.",
    ),
  ),
} as const;

export const IssueBodySchema = component(
  "IssueDocument",
  "A document to issue, and on whose behalf.",
  v.strictObject({ ...envelope, document: described(CanonicalDocumentSchema, "The document itself.") }),
);

/** Without the document, which is parsed separately because a schema cannot express its rules. */
export const EnvelopeSchema = v.strictObject({ ...envelope, document: v.unknown() });

/** For preview, where only the document is required. */
export const PreviewEnvelopeSchema = v.strictObject({
  ...envelope,
  merchant: v.optional(envelope.merchant),
  document: v.unknown(),
});

export type Envelope = v.InferOutput<typeof EnvelopeSchema>;

export const TRANSMISSION_FAILURE_KEY = "transmission_failure";

/** The authority's code for programs such as this one. Its other codes are for providers (docs/authority.md#failure-flag). */
export const CONNECTION_WAS_LOST = "3";

/** The problems of the key in a document's metadata. */
export function checkTransmissionFailure(metadata: Readonly<Record<string, string>> | undefined): Problem[] {
  const value = metadata?.[TRANSMISSION_FAILURE_KEY];
  if (value === undefined || value === CONNECTION_WAS_LOST) return [];
  const message = {
    en: `must be "${CONNECTION_WAS_LOST}" (the connection was lost) or be left out`,
    el: `πρέπει να είναι "${CONNECTION_WAS_LOST}" (απώλεια σύνδεσης) ή να παραλείπεται`,
  };
  return [{ path: `metadata.${TRANSMISSION_FAILURE_KEY}`, message }];
}

export function declaresTransmissionFailure(metadata: Readonly<Record<string, string>>): boolean {
  return metadata[TRANSMISSION_FAILURE_KEY] === CONNECTION_WAS_LOST;
}
