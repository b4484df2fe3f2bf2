/** The example log entries: the request that created the merchant, and the provider call that fetched the document's MARK. */
import type {
  ApiRequestDetail,
  ApiRequestObject,
  ProviderCallDetail,
  ProviderCallObject,
} from "../../logs/log-objects.ts";
import type { TaxIdLookupObject } from "../../domain/tax-id-lookup.ts";
import { ISSUED_DOCUMENT } from "./documents.ts";
import { MERCHANT } from "./merchants.ts";
import { CUSTOMER_CODE, IDS, INSTANTS, REQUEST_ID, SERVER, SUPPLIER_CODE } from "./names.ts";

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
