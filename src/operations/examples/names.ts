/** Ids and instants shared by the OpenAPI examples, which follow one merchant's first invoice. */

export const IDS = {
  merchant: "mer_0351LhTBW3fuvBPwlDlvkf",
  document: "doc_0351LhTBWb2gE4jO8tdiTE",
  credit: "doc_0351LhTCWb2gE4jO8tdiTE",
  connection: "con_0351LhTBWA8hGq3VxZ0mNc",
  connectSession: "cs_0351LhTBW9vTq2RfYc71Ks",
  endpoint: "we_0351LhTBWBk4MzqD5yW8Lp",
  delivery: "whd_0351LhTBWxP7uQ2nK9rT4v",
  created: "evt_0351LhTBWb2gE4jO8tjUP6",
  issued: "evt_0351LhTBWb2gE4jO8wLgwU",
  call: "pcl_0351LhTBWb2gE4jO8w35SV",
  request: "rql_0351LhTBWb2gE4jO8vU6Zy",
} as const;

/** The `x-request-id` of the request that issued the document. */
export const REQUEST_ID = "req_01a1fe2b-2bf4-7a82-a7ae-8202f07bc985";
export const IDEMPOTENCY_KEY = "order-4711";

export const SERVER = "https://fiscal.example";

export const SUPPLIER_CODE = "123456783";
export const CUSTOMER_CODE = "094012834";

/** The merchant is set up the day before; the document is issued within seconds. */
export const INSTANTS = {
  setUp: "2025-11-19T08:30:00.000Z",
  verified: "2025-11-19T08:42:10.000Z",
  accepted: "2025-11-20T09:00:00.000Z",
  sent: "2025-11-20T09:00:00.120Z",
  issued: "2025-11-20T09:00:01.480Z",
  delivered: "2025-11-20T09:00:01.650Z",
  cancelled: "2025-11-20T10:15:30.000Z",
} as const;
