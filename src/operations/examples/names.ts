/** What the examples of the API description share: one merchant and its first invoice, by ids, instants and the request body. */
import type * as v from "valibot";

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

type NullableKey<T> = { [K in keyof T]: null extends T[K] ? K : never }[keyof T];

/** An object whose nullable fields may be left out. */
type WithoutNulls<T> = Omit<T, NullableKey<T>> & Partial<Pick<T, NullableKey<T>>>;

/** Returns `fields` in the order of the schema. Fields left out are null, so a new nullable field changes no example. */
export function completeExample<Schema extends v.StrictObjectSchema<v.ObjectEntries, undefined>>(
  schema: Schema,
  fields: WithoutNulls<v.InferOutput<Schema>>,
): v.InferOutput<Schema> {
  const nulls = Object.fromEntries(Object.keys(schema.entries).map((key) => [key, null]));
  return { ...nulls, ...fields } as v.InferOutput<Schema>;
}

/**
 * A document to issue or preview. Its day is long past, so that it is valid at any time. The first of its two lines leaves the
 * classification to the service.
 */
export const DOCUMENT_EXAMPLE = {
  type: "1.1",
  issue_date: "2025-11-20",
  currency: "EUR",
  supplier: { tax_id: { country: "GR", code: "123456783" } },
  customer: {
    tax_id: { country: "GR", code: "094012834" },
    name: "Πελάτης Ε.Π.Ε.",
    address: { street: "Ερμού", number: "12", postal_code: "10563", city: "Αθήνα" },
  },
  lines: [
    { description: "Καφές", quantity: "2.5", unit: "kg", unit_price: 1200, vat_category: "standard" },
    {
      description: "Φλιτζάνια",
      quantity: "6",
      unit_price: 350,
      vat_category: "standard",
      income_classification: { category: "category1_1", type: "E3_561_001" },
    },
  ],
  payments: [{ method: "domestic_account", amount: 6324 }],
  totals: { net: 5100, vat: 1224, gross: 6324 },
} as const;

/** Prices with VAT, as a web shop has them. */
export const GROSS_DOCUMENT_EXAMPLE = {
  type: "11.1",
  issue_date: "2025-11-20",
  currency: "EUR",
  supplier: { tax_id: { country: "GR", code: "123456783" } },
  lines: [{ description: "Καφές", quantity: "2", unit_price_gross: 310, vat_category: "standard" }],
  payments: [{ method: "pos" }],
} as const;
