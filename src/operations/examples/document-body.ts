/** The request body of the examples: a document to issue or preview. Its day is long past, so that it is valid whatever the clock says. */

/** The first of its two lines leaves the classification to the service. */
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

const RECEIPT = {
  type: "11.1",
  issue_date: "2025-11-20",
  currency: "EUR",
  supplier: { tax_id: { country: "GR", code: "123456783" } },
} as const;

/** Prices with VAT, as a web shop has them. */
export const GROSS_DOCUMENT_EXAMPLE = {
  ...RECEIPT,
  lines: [{ description: "Καφές", quantity: "2", unit_price_gross: 310, vat_category: "standard" }],
  payments: [{ method: "pos" }],
} as const;

/** What is computed from it. */
export const COMPUTED_DOCUMENT_EXAMPLE = {
  ...RECEIPT,
  supplier: { ...RECEIPT.supplier, branch: 0 },
  lines: [
    {
      description: "Καφές",
      quantity: "2",
      unit: "piece",
      unit_price: 250,
      unit_price_gross: 310,
      vat_category: "standard",
    },
  ],
  payments: [{ method: "pos", amount: 620 }],
  totals: { net: 500, vat: 120, gross: 620 },
} as const;
