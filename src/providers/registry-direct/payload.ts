/**
 * Builds the authority's InvoicesDoc as a tree, with the schema's element names and order
 * (docs/authority.md#element-order). Every value is the text in the XML, keys starting with `@_` are attributes, and
 * arrays are repeated elements. Preview shows this tree and sending serialises it.
 */
import { formatEuro } from "../../foundation/money.ts";
import {
  type CanonicalDocument,
  type CanonicalLine,
  PAYMENT_METHODS,
  type Party,
  type Payment,
  typeInfo,
  VAT_CATEGORIES,
} from "../../domain/canonical-document.ts";
import { computeTotals, type Totals } from "../../domain/totals.ts";
import { CONNECTION_WAS_LOST, declaresTransmissionFailure } from "../../domain/issue-body.ts";
import type { OutgoingDocument } from "../../domain/provider-adapter.ts";
import { buildTaxesTotals, buildTaxSums } from "./tax-elements.ts";

const NAMESPACES = {
  "@_xmlns": "http://www.aade.gr/myDATA/invoice/v1.0",
  // Spelt as in the authority's schema, with https where the other namespaces have http.
  "@_xmlns:icls": "https://www.aade.gr/myDATA/incomeClassificaton/v1.0",
} as const;

/** Throws if a value is missing that the caller must have set. */
function required<T>(value: T | null | undefined, what: string, id: string): T {
  if (value === null || value === undefined)
    throw new Error(`The document ${id} has no ${what} to be sent with`);
  return value;
}

/** A Greek party is sent without name and address: the authority has both and refuses them (219, 220). */
function buildParty(party: Party) {
  const { country, code } = party.tax_id;
  const head = { vatNumber: code, country: schemaCountry(country), branch: String(party.branch) };
  if (country === "GR") return head;
  const { name, address } = party;
  return {
    ...head,
    ...(name === undefined ? {} : { name }),
    ...(address === undefined
      ? {}
      : {
          address: {
            ...(address.street === undefined ? {} : { street: address.street }),
            ...(address.number === undefined ? {} : { number: address.number }),
            postalCode: address.postal_code,
            city: address.city,
          },
        }),
  };
}

/** The schema's list of countries has no XI: Northern Ireland is sent as GB. */
function schemaCountry(country: string): string {
  return country === "XI" ? "GB" : country;
}

function buildHeader(document: OutgoingDocument) {
  const { input, sentType, id } = document;
  return {
    series: required(document.series, "series", id),
    aa: String(required(document.number, "number", id)),
    issueDate: input.issue_date,
    invoiceType: sentType,
    // A flag is sent only where it is true (docs/authority.md#flags).
    ...(document.vatPaymentSuspension ? { vatPaymentSuspension: "true" } : {}),
    currency: input.currency,
    ...buildLinks(input),
  };
}

/** Retail credit notes refer to their originals in another element than the others, or say that they cannot. */
function buildLinks({ type, original_marks: marks }: CanonicalDocument): Record<string, string | string[]> {
  const { isRetail, isCreditNote } = typeInfo(type);
  if (marks !== undefined)
    return { [isRetail ? "multipleConnectedMarks" : "correlatedInvoices"]: [...marks] };
  return isRetail && isCreditNote ? { specialInvoiceCategory: LINKING_NOT_FEASIBLE } : {};
}

/** docs/authority.md#credit-notes, docs/authority.md#special-categories */
const LINKING_NOT_FEASIBLE = "13";

function buildPayments(payments: readonly Payment[]) {
  return {
    paymentMethodDetails: payments.map(({ method, amount }) => ({
      type: String(PAYMENT_METHODS[method]),
      amount: formatEuro(amount),
    })),
  };
}

function buildClassification(pair: { category: string; type: string | null }, cents: number) {
  return {
    ...(pair.type === null ? {} : { "icls:classificationType": pair.type }),
    "icls:classificationCategory": pair.category,
    "icls:amount": formatEuro(cents),
  };
}

/**
 * Line texts are refused except on delivery documents (205, 231). Quantity and unit are left out because no type sent
 * here needs them and services refuse them (205) (docs/contract.md#units).
 */
function buildLines(document: OutgoingDocument, totals: Totals<CanonicalLine>) {
  return totals.lines.map((line, index) => {
    const pair = required(
      document.classifications[index],
      `classification of line ${index + 1}`,
      document.id,
    );
    return {
      lineNumber: String(index + 1),
      netValue: formatEuro(line.net),
      vatCategory: String(VAT_CATEGORIES[line.vat_category].code),
      vatAmount: formatEuro(line.vat),
      ...(line.vat_exemption === undefined ? {} : { vatExemptionCategory: String(line.vat_exemption) }),
      incomeClassification: [buildClassification(pair, line.net)],
    };
  });
}

/** One entry for each distinct pair, with the sum of its lines; the authority compares them (311, 312, 321). */
function sumClassifications(document: OutgoingDocument, totals: Totals<CanonicalLine>) {
  const sums = new Map<string, { pair: { category: string; type: string | null }; cents: number }>();
  for (const [index, pair] of document.classifications.entries()) {
    const name = `${pair.type ?? ""} ${pair.category}`;
    const sum = sums.get(name) ?? { pair, cents: 0 };
    // Exact, because the net total is below 2^53.
    sum.cents += totals.lines[index]?.net ?? 0;
    sums.set(name, sum);
  }
  return [...sums.values()].map(({ pair, cents }) => buildClassification(pair, cents));
}

function buildSummary(document: OutgoingDocument, totals: Totals<CanonicalLine>) {
  return {
    totalNetValue: formatEuro(totals.net),
    totalVatAmount: formatEuro(totals.vat),
    ...buildTaxSums({ ...document.input, totals }),
    incomeClassification: sumClassifications(document, totals),
  };
}

/** One `invoice` element. Throws if series or number are missing: they are allocated first. */
export function buildInvoice(document: OutgoingDocument): Record<string, unknown> {
  const input: CanonicalDocument = document.input;
  const totals = computeTotals(input.lines);
  return {
    ...(declaresTransmissionFailure(document.metadata) ? { transmissionFailure: CONNECTION_WAS_LOST } : {}),
    issuer: buildParty(input.supplier),
    ...(input.customer === undefined ? {} : { counterpart: buildParty(input.customer) }),
    invoiceHeader: buildHeader(document),
    paymentMethods: buildPayments(document.payments),
    invoiceDetails: buildLines(document, totals),
    ...buildTaxesTotals(input),
    invoiceSummary: buildSummary(document, totals),
  };
}

/** The whole message for `documents`, in order. */
export function buildInvoicesDoc(documents: readonly OutgoingDocument[]): {
  InvoicesDoc: Record<string, unknown>;
} {
  return { InvoicesDoc: { ...NAMESPACES, invoice: documents.map(buildInvoice) } };
}
