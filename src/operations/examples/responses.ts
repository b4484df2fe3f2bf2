/** The example response and parameters of every operation in the OpenAPI description. */
import { COMPUTED_DOCUMENT_EXAMPLE } from "./document-body.ts";
import {
  CANCELLED_DOCUMENT,
  CONTENTS,
  ISSUED_DOCUMENT,
  PREVIEW,
  QUEUED_CREDIT,
  QUEUED_DOCUMENT,
} from "./documents.ts";
import { DELETED_ENDPOINT, DELIVERY, ENDPOINT, ENDPOINT_WITH_SECRET, EVENT, REPLAY } from "./events.ts";
import { CALL, CALL_DETAIL, REQUEST, REQUEST_DETAIL, TAX_ID_LOOKUP } from "./logs.ts";
import {
  ARCHIVED_MERCHANT,
  CONNECT_SESSION,
  CONNECTION,
  DISCONNECTED_CONNECTION,
  MERCHANT,
  NEW_CONNECT_SESSION,
  SETTINGS,
} from "./merchants.ts";
import { CUSTOMER_CODE, IDEMPOTENCY_KEY, IDS } from "./names.ts";

/** By operation: the object under `data`, one item of a list, or the whole body of a response without `data`. */
const RESPONSE_EXAMPLES: Readonly<Record<string, unknown>> = {
  issueDocument: QUEUED_DOCUMENT,
  listDocuments: ISSUED_DOCUMENT,
  getDocument: ISSUED_DOCUMENT,
  getDocumentContents: CONTENTS,
  previewDocument: PREVIEW,
  computeDocument: COMPUTED_DOCUMENT_EXAMPLE,
  retryDocument: QUEUED_DOCUMENT,
  cancelDocument: CANCELLED_DOCUMENT,
  creditDocument: QUEUED_CREDIT,

  createMerchant: MERCHANT,
  listMerchants: MERCHANT,
  getMerchant: MERCHANT,
  updateMerchant: MERCHANT,
  archiveMerchant: ARCHIVED_MERCHANT,
  unarchiveMerchant: MERCHANT,
  getMerchantSettings: SETTINGS,
  updateMerchantSettings: SETTINGS,

  createConnection: CONNECTION,
  listConnections: CONNECTION,
  getConnection: CONNECTION,
  verifyConnection: CONNECTION,
  disconnectConnection: DISCONNECTED_CONNECTION,
  createConnectSession: NEW_CONNECT_SESSION,
  getConnectSession: CONNECT_SESSION,

  listEvents: EVENT,
  getEvent: EVENT,
  resendEvent: EVENT,
  createWebhookEndpoint: ENDPOINT_WITH_SECRET,
  listWebhookEndpoints: ENDPOINT,
  getWebhookEndpoint: ENDPOINT,
  updateWebhookEndpoint: ENDPOINT,
  deleteWebhookEndpoint: DELETED_ENDPOINT,
  rotateWebhookSecret: ENDPOINT_WITH_SECRET,
  listWebhookDeliveries: DELIVERY,
  replayWebhookEvents: REPLAY,

  listProviderCalls: CALL,
  getProviderCall: CALL_DETAIL,
  listRequests: REQUEST,
  getRequest: REQUEST_DETAIL,

  lookupTaxId: TAX_ID_LOOKUP,
  getOpenApi: { openapi: "3.1.0", info: { title: "fiscal", version: "0.1.0" }, paths: {} },
};

/** The whole response body of an operation; undefined if there is no example. */
export function responseExample(operationId: string, kind: "data" | "list" | "text"): unknown {
  const item = RESPONSE_EXAMPLES[operationId];
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

export const IDEMPOTENCY_KEY_EXAMPLE = IDEMPOTENCY_KEY;
