/** The example merchant with its connection, event, webhook endpoint and log entries. */
import { ConnectionObjectSchema } from "../../issuing/connection-status.ts";
import type { ConnectSessionObject } from "../../connect-sessions/connect-sessions.ts";
import { MerchantObjectSchema } from "../../merchants/merchant-object.ts";
import { completeExample, CUSTOMER_CODE, IDS, INSTANTS, REQUEST_ID, SERVER, SUPPLIER_CODE } from "./names.ts";
import type {
  ApiRequestDetail,
  ApiRequestObject,
  ProviderCallDetail,
  ProviderCallObject,
} from "../../logs/log-objects.ts";
import type { TaxIdLookupObject } from "../../domain/tax-number.ts";
import { ISSUED_DOCUMENT, QUEUED_DOCUMENT } from "./documents.ts";
import type { EventObject } from "../../journal/event-object.ts";
import { WebhookEndpointObjectSchema } from "../../webhooks/endpoint-object.ts";

export const MERCHANT = completeExample(MerchantObjectSchema, {
  id: IDS.merchant,
  object: "merchant",
  external_id: "shop-1",
  name: "Παράδειγμα Α.Ε.",
  tax_id: SUPPLIER_CODE,
  branch: 0,
  metadata: { plan: "standard" },
  archived: false,
  created: INSTANTS.setUp,
});

export const SETTINGS = {
  classification: { "1.1": { category: "category1_2", type: "E3_561_001" } },
  numbering: { "1.1": { series: "A", next_number: 1201 } },
  paper: { phone: "2101234567", language: "el" },
} as const;

export const CONNECTION = completeExample(ConnectionObjectSchema, {
  id: IDS.connection,
  object: "connection",
  merchant: IDS.merchant,
  provider: "registry_direct",
  mode: "test",
  status: "active",
  verified_at: INSTANTS.verified,
  created: INSTANTS.verified,
});

export const CONNECT_SESSION: ConnectSessionObject = {
  id: IDS.connectSession,
  object: "connect_session",
  merchant: IDS.merchant,
  provider: "registry_direct",
  expires_at: "2025-11-19T09:10:00.000Z",
  completed_at: INSTANTS.verified,
  connection: IDS.connection,
  created: "2025-11-19T08:40:00.000Z",
};

export const NEW_CONNECT_SESSION = {
  ...CONNECT_SESSION,
  completed_at: null,
  connection: null,
  url: `${SERVER}/connect/q0Zr7v0lX4dGm2yT8bN5cK1hJ6sW3eR9uPfAiOtYxLw`,
} as const;

const STATUS_URL = `${SERVER}/sandbox/RequestTransmittedDocs`;

export const CALL: ProviderCallObject = {
  id: IDS.call,
  object: "provider_call",
  livemode: false,
  provider: "sandbox",
  operation: "status",
  purpose: "operation",
  outcome: "ok",
  settled_at: INSTANTS.issued,
  http_status: 200,
  duration_ms: 12,
  error: null,
  url: STATUS_URL,
  merchant: IDS.merchant,
  document: IDS.document,
  connection: null,
  started_at: INSTANTS.issued,
};

const { uid, mark } = ISSUED_DOCUMENT;

export const CALL_DETAIL: ProviderCallDetail = {
  ...CALL,
  request: { method: "GET", url: `${STATUS_URL}?uid=${uid}`, headers: {}, body: null },
  response: {
    status: 200,
    headers: { "content-type": "application/json" },
    body: { invoices: [{ invoiceUid: uid, invoiceMark: mark }] },
  },
  bodies_purged_at: null,
  bodies_unreadable: false,
  bodies_withheld: false,
};

export const REQUEST: ApiRequestObject = {
  id: IDS.request,
  object: "api_request",
  request_id: REQUEST_ID,
  livemode: false,
  source: "api",
  method: "POST",
  path: "/api/v1/merchants",
  operation_id: "createMerchant",
  status: 201,
  duration_ms: 7,
  idempotency_key: "merchant-1",
  merchant: IDS.merchant,
  document: null,
  created: INSTANTS.setUp,
};

export const REQUEST_DETAIL: ApiRequestDetail = {
  ...REQUEST,
  request: {
    method: "POST",
    path: REQUEST.path,
    headers: {
      authorization: "[redacted]",
      "content-type": "application/json",
      "idempotency-key": "merchant-1",
    },
    body: { external_id: MERCHANT.external_id, name: MERCHANT.name, tax_id: SUPPLIER_CODE },
  },
  response: {
    status: 201,
    headers: { "content-type": "application/json", "x-request-id": REQUEST_ID },
    body: { data: MERCHANT },
  },
  bodies_purged_at: null,
  bodies_unreadable: false,
};

export const TAX_ID_LOOKUP: TaxIdLookupObject = {
  object: "tax_id_lookup",
  country: "GR",
  code: CUSTOMER_CODE,
  valid: true,
  name: "ΥΠΟΔΕΙΓΜΑ ΕΜΠΟΡΙΚΗ ΑΕ||ΥΠΟΔΕΙΓΜΑ",
  address: "ΟΔΟΣ ΔΟΚΙΜΩΝ 1 10431 - ΑΘΗΝΑ",
  source: "sandbox",
  checked_at: INSTANTS.setUp,
};

export const EVENT: EventObject = {
  id: IDS.issued,
  object: "event",
  type: "document.issued",
  created: INSTANTS.issued,
  api_version: "0.1.0",
  livemode: false,
  data: {
    object: { ...ISSUED_DOCUMENT },
    previous_attributes: {
      status: "pending",
      stage: "awaiting_mark",
      mark: null,
      uid: null,
      qr_url: null,
      timeline: QUEUED_DOCUMENT.timeline,
      updated: INSTANTS.sent,
    },
  },
  request: null,
};

export const ENDPOINT = completeExample(WebhookEndpointObjectSchema, {
  id: IDS.endpoint,
  object: "webhook_endpoint",
  url: "https://shop.example/webhooks",
  enabled_events: ["document.issued", "document.rejected", "document.failed"],
  description: "Web shop",
  mode: "test",
  status: "enabled",
  created: INSTANTS.setUp,
});

/** The secret was generated for this example only. */
export const ENDPOINT_WITH_SECRET = {
  ...ENDPOINT,
  secret: "whsec_ZXhhbXBsZS1vbmx5LWV4YW1wbGUtb25seS1leGFtcGw=",
} as const;

export const DELETED_ENDPOINT = { id: IDS.endpoint, object: "webhook_endpoint", deleted: true } as const;

export const DELIVERY = {
  id: IDS.delivery,
  object: "webhook_delivery",
  endpoint: IDS.endpoint,
  event: IDS.issued,
  status: "delivered",
  attempts: [{ at: INSTANTS.delivered, status: 200, duration_ms: 84, error: null, response: "ok" }],
  next_attempt_at: null,
  created: INSTANTS.issued,
} as const;

export const REPLAY = { object: "webhook_replay", queued: 3 } as const;
