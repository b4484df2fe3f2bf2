/** Operations that take a document or its number back. They load their logic when they run, because lists need none of it. */
import * as v from "valibot";
import { parseWith } from "../foundation/validation.ts";
import { type DocumentObject, DocumentObjectSchema } from "../journal/document-object.ts";
import { documentRows } from "./document-view.ts";
import { data, localOperation, operationsOf } from "./operation.ts";

const operation = operationsOf("documents");

const AbandonSchema = v.strictObject({ reason: v.string() });

export const cancelDocument = operation({
  id: "cancelDocument",
  method: "POST",
  path: "/documents/{id}/cancel",
  summary: "Cancel an issued document",
  description:
    "Cancels an issued document at its provider, which cannot be undone. Its status stays `issued`; `cancellation_mark` and `cancelled_at` are set. If the provider cannot cancel (`not_supported`), call `creditDocument` instead.",
  response: DocumentObjectSchema,
  errors: [
    "invalid_state",
    "not_supported",
    "provider_rejected",
    "provider_credentials_invalid",
    "provider_unavailable",
    "service_unavailable",
  ],
  verb: {
    argument: "document",
    summary: {
      en: "cancel an issued document with the provider",
      el: "ακυρώνει στον πάροχο ένα παραστατικό που εκδόθηκε",
    },
    examples: ["fiscal documents cancel 2026-001 --yes"],
  },
  rows: (document) => documentRows(document),
  async handle({ context, id, cause }) {
    const cancels = await import("../documents/cancel.ts");
    const document = await cancels.cancelDocument(context, id, cause);
    return data(document);
  },
});

export const abandonDocument = localOperation({
  id: "abandonDocument",
  body: AbandonSchema,
  fields: Object.keys(DocumentObjectSchema.entries),
  verb: {
    argument: "document",
    summary: {
      en: "give up a failed document and its number",
      el: "εγκαταλείπει ένα παραστατικό που απέτυχε και τον αριθμό του",
    },
    flags: {
      reason: {
        name: "reason <text>",
        help: {
          en: "why; kept on record with the number",
          el: "ο λόγος· μένει καταγραμμένος μαζί με τον αριθμό",
        },
        ask: { en: "Why is the number given up?", el: "Γιατί εγκαταλείπεται ο αριθμός του;" },
      },
    },
    examples: ['fiscal documents abandon 2026-014 --reason "issued on paper" --yes'],
  },
  rows: (document: DocumentObject) => documentRows(document),
  async handle({ context, id, body, cause }) {
    const { reason } = parseWith(AbandonSchema, body, "");
    const retries = await import("../documents/retry.ts");
    return data(await retries.abandonDocument(context, id, { reason }, cause));
  },
});

export const retryDocument = operation({
  id: "retryDocument",
  method: "POST",
  path: "/documents/{id}/retry",
  summary: "Retry a failed document",
  description:
    "Queues a failed document again, with the same id, series and number, once the cause is removed. Then call `getDocument` until it has an outcome.",
  filesDocuments: true,
  response: DocumentObjectSchema,
  errors: ["invalid_state", "service_unavailable"],
  verb: {
    argument: "document",
    summary: { en: "send a failed document again", el: "στέλνει ξανά ένα παραστατικό που απέτυχε" },
    examples: ["fiscal documents retry 2026-014", "fiscal documents retry 2026-014 --timeout 60"],
  },
  async handle({ context, id, cause }) {
    const retries = await import("../documents/retry.ts");
    const document = await retries.retryDocument(context, id, cause);
    return data(document);
  },
});
