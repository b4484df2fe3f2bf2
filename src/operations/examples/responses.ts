/** The example response and parameters of every operation in the OpenAPI description. */
import { ConnectionObjectSchema } from "../../issuing/connection-status.ts";
import { DocumentObjectSchema } from "../../journal/document-object.ts";
import { EventObjectSchema } from "../../webhooks/event-schema.ts";
import { MerchantObjectSchema, SettingsSchema } from "../../merchants/merchant-object.ts";
import {
  DeletedWebhookEndpointSchema,
  WebhookDeliveryObjectSchema,
  WebhookEndpointObjectSchema,
  WebhookEndpointWithSecretSchema,
  WebhookReplaySchema,
} from "../../webhooks/endpoint-object.ts";
import type { Operation } from "../operation.ts";
import * as documents from "./documents.ts";
import * as objects from "./objects.ts";
import { CUSTOMER_CODE, IDS } from "./names.ts";
import {
  buildErrorObject,
  ERROR_MEANINGS,
  type ErrorCode,
  type ErrorObject,
} from "../../foundation/errors.ts";
import { sameInBoth } from "../../foundation/text.ts";

/** Of every operation with this schema: the object under `data`, or one item of a list. */
const SCHEMA_EXAMPLES: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>([
  [DocumentObjectSchema, documents.ISSUED_DOCUMENT],
  [MerchantObjectSchema, objects.MERCHANT],
  [SettingsSchema, objects.SETTINGS],
  [ConnectionObjectSchema, objects.CONNECTION],
  [EventObjectSchema, objects.EVENT],
  [WebhookEndpointObjectSchema, objects.ENDPOINT],
  [WebhookEndpointWithSecretSchema, objects.ENDPOINT_WITH_SECRET],
  [DeletedWebhookEndpointSchema, objects.DELETED_ENDPOINT],
  [WebhookDeliveryObjectSchema, objects.DELIVERY],
  [WebhookReplaySchema, objects.REPLAY],
]);

/** Of single operations; the whole body of a response without `data`. */
const RESPONSE_EXAMPLES: Readonly<Record<string, unknown>> = {
  issueDocument: documents.QUEUED_DOCUMENT,
  getDocumentContents: documents.CONTENTS,
  previewDocument: documents.PREVIEW,
  computeDocument: documents.COMPUTED_DOCUMENT,
  retryDocument: documents.QUEUED_DOCUMENT,
  cancelDocument: documents.CANCELLED_DOCUMENT,
  creditDocument: documents.QUEUED_CREDIT,

  archiveMerchant: { ...objects.MERCHANT, archived: true },

  disconnectConnection: { ...objects.CONNECTION, status: "disconnected" },
  createConnectSession: objects.NEW_CONNECT_SESSION,
  getConnectSession: objects.CONNECT_SESSION,

  listProviderCalls: objects.CALL,
  getProviderCall: objects.CALL_DETAIL,
  listRequests: objects.REQUEST,
  getRequest: objects.REQUEST_DETAIL,

  lookupTaxId: objects.TAX_ID_LOOKUP,
  getOpenApi: { openapi: "3.1.0", info: { title: "fiscal", version: "0.1.0" }, paths: {} },
};

/** The whole response body of an operation; undefined for a file. */
export function responseExample({ id, response }: Pick<Operation, "id" | "response">): unknown {
  if (response.kind === "file") return undefined;
  const { kind, schema } = response;
  const item = RESPONSE_EXAMPLES[id] ?? SCHEMA_EXAMPLES.get(schema);
  if (item === undefined || kind === "text") return item;
  return kind === "data" ? { data: item } : { object: "list", data: [item], has_more: false };
}

/** The example for `{id}` by the first segment of the path. */
const PATH_IDS: Readonly<Record<string, string>> = {
  documents: IDS.document,
  merchants: IDS.merchant,
  connections: IDS.connection,
  connect_sessions: IDS.connectSession,
  events: IDS.issued,
  webhook_endpoints: IDS.endpoint,
  provider_calls: IDS.call,
  requests: IDS.request,
};

export function pathIdExample(path: string): string | undefined {
  return PATH_IDS[path.split("/")[1] ?? ""];
}

/** Examples of required query parameters. */
export const QUERY_EXAMPLES: Readonly<Record<string, string>> = { country: "GR", code: CUSTOMER_CODE };

const VALIDATION_MESSAGE =
  "document.lines[0].vat_exemption: is required on an exempt line; document.totals.net: must be the sum of the lines' net amounts";

/** The provider's own code and message, for the codes that carry them. */
const PROVIDER_FIELDS: Partial<Record<ErrorCode, { provider_code: string; provider_message: string }>> = {
  provider_rejected: { provider_code: "203", provider_message: "Vat number is not valid" },
  provider_credentials_invalid: { provider_code: "401", provider_message: "Access denied" },
};

/** An example for each of `codes`, by code, in the form of OpenAPI's `examples`. */
export function errorExamples(codes: readonly ErrorCode[]): Record<string, { value: ErrorObject }> {
  return Object.fromEntries(
    codes.map((code) => {
      const message = code === "validation_failed" ? VALIDATION_MESSAGE : ERROR_MEANINGS[code];
      return [code, { value: buildErrorObject(code, sameInBoth(message), PROVIDER_FIELDS[code] ?? {}) }];
    }),
  );
}
