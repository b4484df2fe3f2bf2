/**
 * Turns a document that a provider has registered into one that can be credited, or says why it cannot
 * (docs/contract.md#crediting-a-document-issued-elsewhere). Pure.
 */
import { roundHalfUp, thousandths } from "../foundation/money.ts";
import type { Text } from "../foundation/text.ts";
import type { CanonicalLine, Party } from "./canonical-schema.ts";
import type { Pair } from "./classification.ts";
import { priceExactly } from "./credit-cents.ts";
import { CREDITED_IS_CANCELLED, type CreditableDocument } from "./credit-lines.ts";
import {
  INCOME_CATEGORIES,
  INCOME_TYPES,
  LINES_MAX,
  QUANTITY_FORM,
  UNIT_PRICE_MAX,
  UNITS,
  VAT_CATEGORIES,
  type VatCategory,
} from "./document-codes.ts";
import { authorityTypesOf, DOCUMENT_TYPES, isInvoice } from "./document-types.ts";
import type { RegisteredDocument, RegisteredLine, RegisteredParty } from "./provider-documents.ts";

export interface CreditedContents {
  supplier: Party;
  customer: Party;
  creditable: CreditableDocument;
}

const TYPES: ReadonlySet<string> = new Set(DOCUMENT_TYPES.filter(isInvoice).flatMap(authorityTypesOf));

/** `taxId` is the merchant's tax number. */
export function readContentsToCredit(
  document: RegisteredDocument,
  taxId: string,
): CreditedContents | { problem: Text } {
  const { supplier, customer, lines } = document;
  const problem = problemWith(document, taxId);
  if (problem !== undefined) return { problem };
  if (customer === null) return { problem: NO_CUSTOMER };
  const read: ReadLine[] = [];
  for (const [index, line] of lines.entries()) {
    const one = readLine(line, { number: index + 1, document });
    if ("problem" in one) return one;
    read.push(one);
  }
  return {
    supplier: toParty(supplier),
    customer: toParty(customer),
    creditable: {
      lines: read.map(({ line }) => line),
      pairs: read.map(({ pair }) => pair),
      totals: lines.map(({ net, vat }) => ({ net, vat })),
    },
  };
}

function problemWith(document: RegisteredDocument, taxId: string): Text | undefined {
  const { supplier, isCancelled, type, currency, lines, totals, hasOtherTaxes } = document;
  if (supplier.code !== taxId) return OTHER_ISSUER;
  if (isCancelled) return CREDITED_IS_CANCELLED;
  if (!TYPES.has(type)) return otherType(type);
  const [net, vat] = [sum(lines.map((line) => line.net)), sum(lines.map((line) => line.vat))];
  const isPlain = !hasOtherTaxes && totals.net === net && totals.vat === vat && totals.gross === net + vat;
  const isInEuro = currency === null || currency === "EUR";
  return isPlain && isInEuro && lines.length <= LINES_MAX ? undefined : UNLIKE_OURS;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

function toParty({ country, code, branch, name, address }: RegisteredParty): Party {
  return {
    tax_id: { country, code },
    branch,
    ...(name === null ? {} : { name }),
    ...(address === null
      ? {}
      : {
          address: {
            ...(address.street === null ? {} : { street: address.street }),
            ...(address.number === null ? {} : { number: address.number }),
            postal_code: address.postalCode,
            city: address.city,
          },
        }),
  };
}

interface ReadLine {
  line: CanonicalLine;
  pair: Pair | null;
}

function readLine(
  registered: RegisteredLine,
  { number, document }: { number: number; document: RegisteredDocument },
): ReadLine | { problem: Text } {
  const { net, vat, vatCategory, vatExemption, recordType, classifications } = registered;
  const category = VAT_CATEGORY_OF.get(vatCategory);
  const hasFittingCause =
    category === "exempt" ? EXEMPTION_FORM.test(vatExemption ?? "") : vatExemption === null;
  if (recordType !== null || category === undefined || !hasFittingCause || net > UNIT_PRICE_MAX)
    return { problem: unlikeOurs(number) };
  const [pair = null, another] = classifications;
  if (another !== undefined || (pair !== null && !isKnownPair(pair))) return { problem: unlikeOurs(number) };
  const priced = priceOf(registered);
  const line = {
    description: registered.description ?? describeLine(number, document),
    ...priced,
    vat_category: category,
    ...(vatExemption === null ? {} : { vat_exemption: Number(vatExemption) }),
  };
  const amounts = { quantity: thousandths(priced.quantity), net, vat };
  const canBeCredited = net === 0 || priceExactly(amounts, line) !== undefined;
  return canBeCredited ? { line, pair } : { problem: unlikeOurs(number) };
}

const VAT_CATEGORY_OF: ReadonlyMap<string, VatCategory> = new Map(
  Object.entries(VAT_CATEGORIES).map(([name, { code }]) => [String(code), name as VatCategory]),
);

/** From 1 to 31 (docs/authority.md#exemption-causes). */
const EXEMPTION_FORM = /^0?([1-9]|[12][0-9]|3[01])$/;

type Unit = CanonicalLine["unit"];
const UNIT_OF: ReadonlyMap<string, Unit> = new Map(
  Object.entries(UNITS).map(([name, code]) => [String(code), name as Unit]),
);

/** Quantity and unit as registered if a price in cents gives the net amount, otherwise one piece. */
function priceOf({
  quantity,
  unit,
  net,
}: RegisteredLine): Pick<CanonicalLine, "quantity" | "unit" | "unit_price"> {
  const ourUnit = unit === null ? undefined : UNIT_OF.get(unit);
  const short = quantity?.replace(/(\.[0-9]*?)0+$/, "$1").replace(/\.$/, "");
  if (short !== undefined && ourUnit !== undefined && QUANTITY_FORM.test(short)) {
    const amount = thousandths(short);
    const price = roundHalfUp(BigInt(net) * 1000n, amount);
    const isExact = roundHalfUp(amount * price, 1000n) === BigInt(net);
    if (isExact && price <= BigInt(UNIT_PRICE_MAX))
      return { quantity: short, unit: ourUnit, unit_price: Number(price) };
  }
  return { quantity: "1", unit: "piece", unit_price: net };
}

/** The authority has no texts of lines (docs/authority.md#line-texts), and the credit note is printed with some. */
function describeLine(number: number, { customer }: RegisteredDocument): string {
  return customer?.country === "GR" ? `Πίστωση γραμμής ${number}` : `Credit of line ${number}`;
}

function isKnownPair({ category, type }: Pair): boolean {
  const [categories, types]: [readonly string[], readonly string[]] = [INCOME_CATEGORIES, INCOME_TYPES];
  return categories.includes(category) && (type === null || types.includes(type));
}

const OTHER_ISSUER: Text = {
  en: "This document was issued by another tax number than the merchant's",
  el: "Το παραστατικό εκδόθηκε από άλλο ΑΦΜ από αυτό της επιχείρησης",
};

const otherType = (type: string): Text => ({
  en: `This document is of type ${type}; only sales and service invoices (${[...TYPES].join(", ")}) can be credited`,
  el: `Το παραστατικό είναι τύπου ${type}· πιστώνονται μόνο τιμολόγια πώλησης και παροχής (${[...TYPES].join(", ")})`,
});

const UNLIKE_OURS: Text = {
  en: `This document has taxes besides VAT, another currency or more than ${LINES_MAX} lines, which fiscal cannot credit; credit it with the program that issued it`,
  el: `Το παραστατικό έχει φόρους εκτός του ΦΠΑ, άλλο νόμισμα ή πάνω από ${LINES_MAX} γραμμές, που το fiscal δεν πιστώνει· πιστώστε το με το πρόγραμμα που το εξέδωσε`,
};

const NO_CUSTOMER: Text = {
  en: "The provider shows no customer of this document, and a credit note needs one",
  el: "Ο πάροχος δεν δείχνει πελάτη σε αυτό το παραστατικό, και το πιστωτικό τον χρειάζεται",
};

const unlikeOurs = (number: number): Text => ({
  en: `Line ${number} of this document has a kind, a VAT or income classifications that fiscal cannot issue; issue the credit note with the program that issued the document, or as a 5.1 with lines of its own`,
  el: `Η γραμμή ${number} του παραστατικού έχει είδος, ΦΠΑ ή χαρακτηρισμούς εσόδων που το fiscal δεν εκδίδει· εκδώστε το πιστωτικό με το πρόγραμμα που εξέδωσε το παραστατικό, ή ως 5.1 με δικές του γραμμές`,
  next: { operation: "issueDocument" },
});
