/** A document as a provider has registered it, with its lines: it can be credited although it was not issued here. Pure. */

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
