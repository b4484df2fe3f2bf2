/**
 * The tax authority's format as a tree: InvoicesDoc with the schema's element names in the schema's order (mydata facts,
 * part 2). Every value is the text that stands in the XML. Keys that begin with `@_` are attributes and arrays repeated
 * elements, as XML builders take them, so that what preview shows is what a send serialises.
 */
import { formatEuro } from "../../foundation/money.ts";
import {
  type CanonicalDocument,
  PAYMENT_METHODS,
  type Party,
  type Payment,
  VAT_CATEGORIES,
} from "../../domain/canonical-document.ts";
import { computeTotals, type Totals } from "../../domain/totals.ts";
import type { OutgoingDocument } from "../../domain/provider-adapter.ts";

const NAMESPACES = {
  "@_xmlns": "http://www.aade.gr/myDATA/invoice/v1.0",
  // The authority's own spelling, and https where the others have http.
  "@_xmlns:icls": "https://www.aade.gr/myDATA/incomeClassificaton/v1.0",
} as const;

/** What a document cannot be built without: a defect of the caller where it is missing. */
function required<T>(value: T | null | undefined, what: string, id: string): T {
  if (value === null || value === undefined)
    throw new Error(`The document ${id} has no ${what} to be sent with`);
  return value;
}

/** A Greek party goes without name and address: the authority holds both, and refuses them (219, 220). */
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

/** The schema's list of countries has no XI: Northern Ireland is part of the United Kingdom there. */
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
    currency: input.currency,
    ...(input.original_marks === undefined ? {} : { correlatedInvoices: [...input.original_marks] }),
  };
}

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
 * Texts of lines are refused but on delivery documents (205, 231), and quantity and unit are needed by none of the types
 * that are sent here and refused on services (205): decisions 16 leaves them out.
 */
function buildLines(document: OutgoingDocument, totals: Totals) {
  return document.input.lines.map((line, index) => {
    const amounts = required(totals.lines[index], `totals of line ${index + 1}`, document.id);
    const pair = required(
      document.classifications[index],
      `classification of line ${index + 1}`,
      document.id,
    );
    return {
      lineNumber: String(index + 1),
      netValue: formatEuro(amounts.net),
      vatCategory: String(VAT_CATEGORIES[line.vat_category].code),
      vatAmount: formatEuro(amounts.vat),
      ...(line.vat_exemption === undefined ? {} : { vatExemptionCategory: String(line.vat_exemption) }),
      incomeClassification: [buildClassification(pair, amounts.net)],
    };
  });
}

/** One entry for each distinct pair, with the sum of its lines (311, 312, 321). */
function sumClassifications(document: OutgoingDocument, totals: Totals) {
  const sums = new Map<string, { pair: { category: string; type: string | null }; cents: number }>();
  for (const [index, pair] of document.classifications.entries()) {
    const name = `${pair.type ?? ""} ${pair.category}`;
    const sum = sums.get(name) ?? { pair, cents: 0 };
    // Exact: the net total is below 2^53, and so is every part of it.
    sum.cents += totals.lines[index]?.net ?? 0;
    sums.set(name, sum);
  }
  return [...sums.values()].map(({ pair, cents }) => buildClassification(pair, cents));
}

const NONE = formatEuro(0);

function buildSummary(document: OutgoingDocument, totals: Totals) {
  return {
    totalNetValue: formatEuro(totals.net),
    totalVatAmount: formatEuro(totals.vat),
    totalWithheldAmount: NONE,
    totalFeesAmount: NONE,
    totalStampDutyAmount: NONE,
    totalOtherTaxesAmount: NONE,
    totalDeductionsAmount: NONE,
    totalGrossValue: formatEuro(totals.gross),
    incomeClassification: sumClassifications(document, totals),
  };
}

/** The ERP lost its connection: what is sent afterwards says so (mydata facts, part 9). */
const CONNECTION_WAS_LOST = "3";

/** One `invoice` element. Throws where series or number are missing: they are allotted before anything is built. */
export function buildInvoice(document: OutgoingDocument): Record<string, unknown> {
  const input: CanonicalDocument = document.input;
  const totals = computeTotals(input.lines);
  return {
    ...(document.connectionWasLost ? { transmissionFailure: CONNECTION_WAS_LOST } : {}),
    issuer: buildParty(input.supplier),
    ...(input.customer === undefined ? {} : { counterpart: buildParty(input.customer) }),
    invoiceHeader: buildHeader(document),
    paymentMethods: buildPayments(document.payments),
    invoiceDetails: buildLines(document, totals),
    invoiceSummary: buildSummary(document, totals),
  };
}

/** The whole message for `documents`, in their order. */
export function buildInvoicesDoc(documents: readonly OutgoingDocument[]): {
  InvoicesDoc: Record<string, unknown>;
} {
  return { InvoicesDoc: { ...NAMESPACES, invoice: documents.map(buildInvoice) } };
}
