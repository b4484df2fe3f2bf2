/** Documents as a provider has them: listed, with their VAT figures and refusals by customers, or with their lines. Pure. */

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

/** A registered document. Amounts are in cents. */
export interface RegisteredDocument {
  mark: string;
  /** Upper case; null where the provider shows none. */
  uid: string | null;
  series: string | null;
  number: string | null;
  /** The authority's type. */
  type: string;
  /** Null where none is given, which means euro. */
  currency: string | null;
  isCancelled: boolean;
  supplier: RegisteredParty;
  /** Null on retail documents. */
  customer: RegisteredParty | null;
  /** In the order of their numbers. */
  lines: readonly RegisteredLine[];
  totals: { net: number; vat: number; gross: number };
  /** Withheld tax, fees, stamp duty, other taxes or deductions on the lines or on the whole document. */
  hasOtherTaxes: boolean;
}

/** Greek parties have neither name nor address (docs/authority.md#greek-parties). */
export interface RegisteredParty {
  code: string;
  /** ISO 3166-1. */
  country: string;
  branch: number;
  name: string | null;
  address: { street: string | null; number: string | null; postalCode: string; city: string } | null;
}

/** Everything that is null was not given. */
export interface RegisteredLine {
  description: string | null;
  /** A decimal such as `2.5`. */
  quantity: string | null;
  /** The authority's code (docs/authority.md#units). */
  unit: string | null;
  net: number;
  vat: number;
  /** The authority's code (docs/authority.md#vat-categories). */
  vatCategory: string;
  /** The authority's code (docs/authority.md#exemption-causes). */
  vatExemption: string | null;
  /** The line is a fee, a tax or the like (docs/authority.md#record-types). */
  recordType: string | null;
  /** Empty if the income is not classified. */
  classifications: readonly { category: string; type: string | null }[];
}
