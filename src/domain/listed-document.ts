/** Types for what a provider lists about a period: documents, VAT figures, and refusals by customers. Pure. */

/** A document that the provider has for the account, sent by fiscal or by another program. Null where the provider shows no value. */
export interface ListedDocument {
  mark: string;
  /** Upper case. */
  uid: string | null;
  /** `doc_...`, if the provider keeps our id. */
  reference: string | null;
  /** `YYYY-MM-DD`. */
  issueDate: string | null;
  /** The authority's type. */
  type: string | null;
  series: string | null;
  number: string | null;
  /** Cents. */
  totals: { net: number | null; vat: number | null; gross: number | null };
  isCancelled: boolean;
}

/** What the authority counts in the VAT return for one document (docs/authority.md#vat-and-e3-figures). */
export interface VatFigures {
  mark: string;
  isCancelled: boolean;
  /** Cents by box of the VAT return, such as `303`; negative for credit notes. */
  boxes: Readonly<Record<string, number>>;
}

/** A customer's refusal of a document (docs/authority.md#customer-refusals). */
export interface CustomerRefusal {
  /** The MARK of the document. */
  mark: string;
  /** `rejected`: the customer does not accept the document. `deviates`: the customer has other amounts for it. */
  kind: "rejected" | "deviates";
  /** The MARK of the refusal. */
  refusalMark: string | null;
}
