/**
 * Builds a document in the provider's format (docs/provider-a.md#issuing), and finds what the provider cannot do with it
 * (docs/contract.md#rules-of-provider_a). Pure: preview shows what is sent.
 */
import {
  type Party,
  UNITS,
  VAT_CATEGORIES,
  type CanonicalDocument,
} from "../../domain/canonical-document.ts";
import { onlyWithheld, payableOf } from "../../domain/taxes.ts";
import { computeTotals } from "../../domain/totals.ts";
import type { Payment } from "../../domain/canonical-schema.ts";
import type { OutgoingDocument } from "../../domain/provider-adapter.ts";
import type { ErrorCode, Problem } from "../../foundation/errors.ts";
import { roundHalfUp } from "../../foundation/money.ts";
import type { Text } from "../../foundation/text.ts";

/** The provider's own codes, which differ from the authority's. */
const PAYMENT_CODES: Record<Payment["method"], number> = {
  cash: 0,
  on_credit: 1,
  domestic_account: 2,
  pos: 3,
  cheque: 4,
  foreign_account: 5,
  web_banking: 6,
  iris: 7,
};

/** The provider requires a name even on retail receipts, which name no customer. */
const RETAIL_CUSTOMER = "Πελάτης λιανικής";

/** The type that integrators send for a category that has none (docs/provider-a.md#untyped-category). */
const NO_TYPE = "_";

/** The provider's customer. On retail receipts only the name is present. */
export interface Counterpart {
  name?: string | undefined;
  country_code?: string | undefined;
  vat?: string | undefined;
  city?: string | undefined;
  street?: string | undefined;
  number?: string | undefined;
  postal_code?: string | undefined;
}

/**
 * Cents in euro. JSON.stringify writes the exact decimal: up to 1.25e13 euro, doubles lie closer together than cents,
 * so the shortest text that identifies one is that of its cents.
 */
export function euro(cents: number): number {
  return cents / 100;
}

/** The provider's list of countries is the authority's, which has no XI. */
function countryOf(party: Party): string {
  const { country } = party.tax_id;
  return country === "XI" ? "GB" : country;
}

/** The customer, with the fields that the document contains. */
export function knownCounterpart(document: OutgoingDocument): Counterpart {
  const { customer } = document.input;
  if (customer === undefined) return { name: RETAIL_CUSTOMER };
  const { name, address, tax_id: taxId } = customer;
  return withoutAbsent({
    name,
    country_code: countryOf(customer),
    vat: taxId.code,
    city: address?.city,
    street: address?.street,
    number: address?.number,
    postal_code: address?.postal_code,
  });
}

/** Leaves out keys without a value, so that preview shows only what is sent. */
export function withoutAbsent(counterpart: Counterpart): Counterpart {
  return Object.fromEntries(Object.entries(counterpart).filter(([, value]) => value !== undefined));
}

function paymentCode(document: OutgoingDocument): number {
  const [payment] = document.payments;
  if (payment === undefined) throw new Error(`The document ${document.id} has no payment to be sent with`);
  return PAYMENT_CODES[payment.method];
}

function buildLines(document: OutgoingDocument) {
  const withheld = withheldShares(document);
  return computeTotals(document.input.lines).lines.map((line, index) => {
    const pair = document.classifications[index];
    if (pair === undefined) {
      throw new Error(`Line ${index + 1} of the document ${document.id} has no classification`);
    }
    return {
      line_number: index + 1,
      name: line.description,
      // At most 9 digits and 3 decimals, which a double writes unchanged.
      quantity: Number(line.quantity),
      quantity_type: UNITS[line.unit],
      unit_price: euro(line.unit_price),
      net_total_price: euro(line.net),
      vat_rate: VAT_CATEGORIES[line.vat_category].ratePercent,
      vat_total: euro(line.vat),
      subtotal: euro(line.net + line.vat),
      ...(line.vat_exemption === undefined ? {} : { vat_exemption_code: line.vat_exemption }),
      classification_category: pair.category,
      classification_type: pair.type ?? NO_TYPE,
      ...withheld[index],
    };
  });
}

/** The part of a withheld tax that belongs to each line; together they are the tax. Empty without one. */
function withheldShares({ input }: OutgoingDocument) {
  const withheld = onlyWithheld(input);
  if (withheld === undefined) return [];
  let [net, taken] = [0, 0];
  return computeTotals(input.lines).lines.map((line) => {
    net += line.net;
    const part = Number(roundHalfUp(BigInt(withheld.amount) * BigInt(net), BigInt(input.totals.net))) - taken;
    taken += part;
    return {
      withhold_tax_rate: withheld.rate,
      withhold_tax_code: String(withheld.category),
      withholding_total: euro(part),
    };
  });
}

/** What is looked up at the provider when the document is sent. */
export interface LookedUp {
  bookId: string;
  /** Null for the head office, which is not sent. */
  branchId: string | null;
  counterpart: Counterpart;
}

/**
 * The body of POST /invoices. In a preview, without `lookedUp`, `billing_book_id` is null, `branch` is null unless it
 * is the head office, and a Greek customer has only the details of the document, because the rest is looked up when
 * sending. `num` is present only if the caller gave the document its number.
 */
export function buildPayload(document: OutgoingDocument, lookedUp?: LookedUp): Record<string, unknown> {
  const { input } = document;
  const { net, vat, gross } = computeTotals(input.lines);
  const withheld = onlyWithheld(input);
  const branch =
    input.supplier.branch === 0 ? {} : { branch: lookedUp === undefined ? null : lookedUp.branchId };
  return {
    external_id: document.id,
    invoice_type_code: document.sentType,
    billing_book_id: lookedUp?.bookId ?? null,
    ...branch,
    ...(document.number === null ? {} : { num: document.number }),
    payment_method_type: paymentCode(document),
    net_total_amount: euro(net),
    vat_total_amount: euro(vat),
    total_amount: euro(gross),
    payable_total_amount: euro(payableOf(input)),
    ...(withheld === undefined ? {} : { withholding_total_amount: euro(withheld.amount) }),
    ...(input.original_marks === undefined ? {} : { correlated_invoices: [...input.original_marks] }),
    // Wrapp makes the paper, on which the notes belong.
    ...(input.notes === undefined ? {} : { notes: input.notes }),
    counterpart: lookedUp?.counterpart ?? knownCounterpart(document),
    invoice_lines: buildLines(document),
  };
}

/** The code of such a refusal: 422 on acceptance, `rejected` if it only became so while the document waited. */
export const UNSUPPORTED_CODE = "not_supported" satisfies ErrorCode;

/** Its format has no field for `vatPaymentSuspension`. */
export const SUSPENSION_IS_NOT_SENT: Text = {
  en: "vat_payment_suspension: Wrapp does not send it to the authority; set it in the account there",
  el: "vat_payment_suspension: το Wrapp δεν το διαβιβάζει στην ΑΑΔΕ· ορίστε το στον εκεί λογαριασμό",
};

/** Its description of the fields for withheld taxes says little (docs/provider-a.md#withheld-taxes). */
const CHECK_WITHHELD: Text = {
  en: "taxes: check at Wrapp how the withheld tax of the first such document appears; its form there is known from a description only",
  el: "taxes: ελέγξτε στο Wrapp πώς φαίνεται ο παρακρατούμενος φόρος στο πρώτο τέτοιο παραστατικό· η μορφή του εκεί είναι γνωστή μόνο από περιγραφή",
};

export function warnAboutWithheld({ taxes }: CanonicalDocument): Text[] {
  return taxes === undefined ? [] : [CHECK_WITHHELD];
}

/**
 * Every reason why the provider cannot issue `document`; empty if it can. `today` is the date in Athens,
 * `YYYY-MM-DD`, because the provider dates documents itself. Paths are relative to the document.
 */
export function checkForProviderA(
  document: Pick<CanonicalDocument, "issue_date" | "payments" | "taxes" | "totals">,
  today: string,
): Problem[] {
  const problems: Problem[] = [];
  if (document.issue_date !== today) {
    const message = {
      en: "must be today in Athens: Wrapp dates a document on the day it issues it",
      el: "πρέπει να είναι η σημερινή ημερομηνία στην Αθήνα: το Wrapp χρονολογεί κάθε παραστατικό την ημέρα έκδοσης",
    };
    problems.push({ path: "issue_date", message });
  }
  const methods = new Set(document.payments?.map(({ method }) => method));
  if (methods.size > 1) {
    const message = {
      en: "must have one method only: Wrapp accepts one payment method per document",
      el: "πρέπει να έχει έναν μόνο τρόπο πληρωμής: το Wrapp δέχεται έναν ανά παραστατικό",
    };
    problems.push({ path: "payments", message });
  }
  // Lines have their share of the tax by their net amount, so they can have none of a document of 0.
  const isShared = document.totals.net > 0 && onlyWithheld(document) !== undefined;
  if (document.taxes !== undefined && !isShared) {
    const message = {
      en: "must be one tax withheld from the whole net amount, of a category with a rate: how others are sent through Wrapp is not known; issue this document in its own application",
      el: "πρέπει να είναι ένας μόνο φόρος, παρακρατούμενος από όλη την καθαρή αξία, σε κατηγορία με συντελεστή: δεν είναι γνωστό πώς στέλνονται άλλοι μέσω του Wrapp· εκδώστε αυτό το παραστατικό στη δική του εφαρμογή",
    };
    problems.push({ path: "taxes", message });
  }
  return problems;
}
