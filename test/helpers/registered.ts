/** An invoice as its provider shows it, for documents that were not issued here. */
import type { ReadDocumentOutcome } from "../../src/domain/provider-adapter.ts";
import { SUPPLIER } from "./receipts.ts";

const party = (code: string) => ({ code, country: "GR", branch: 0, name: null, address: null });

const LINE = {
  description: null,
  quantity: null,
  unit: null,
  net: 10_000,
  vat: 2400,
  vatCategory: "1",
  vatExemption: null,
  recordType: null,
  classifications: [{ category: "category1_1", type: "E3_561_001" }],
};

/** Of one line: 100.00 net at 24%. */
export function foundInvoice(mark: string): ReadDocumentOutcome {
  return {
    kind: "found",
    document: {
      mark,
      uid: null,
      series: "X",
      number: "1",
      type: "1.1",
      currency: "EUR",
      isCancelled: false,
      supplier: party(SUPPLIER),
      customer: party("094012834"),
      lines: [LINE],
      hasOtherTaxes: false,
      totals: { net: 10_000, vat: 2400, gross: 12_400 },
    },
  };
}
