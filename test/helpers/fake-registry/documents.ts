/** Parses, checks and identifies invoices independently of the product (docs/authority.md#payload, docs/authority.md#uid). */
import { createHash } from "node:crypto";
import { XMLParser } from "fast-xml-parser";
import { findRuleErrors } from "./rules.ts";
import { cents, child, list, text } from "./tree.ts";

export interface ReadInvoice {
  vat: string;
  branch: string;
  date: string;
  type: string;
  series: string;
  aa: string;
  uid: string;
  net: string;
  gross: string;
  /** The sums of taxes besides VAT, by the name of their element; those that are missing are 0. */
  taxSums: Record<string, string>;
  counterpart: string | null;
  transmissionFailure: string | null;
  correlated: string[];
  /** Some elements as they were sent, by name; empty if there are none. */
  sent: Record<(typeof KEPT)[number], string>;
  /** Cents by box of the VAT return; negative on a credit note. */
  boxes: Record<string, number>;
  /** The authority's errors: code and text. */
  errors: { code: string; message: string }[];
}

const KEPT = ["counterpart", "paymentMethods", "invoiceDetails"] as const;

const parser = new XMLParser({
  removeNSPrefix: true,
  parseTagValue: false,
  ignoreAttributes: true,
  isArray: (name) =>
    [
      "invoice",
      "invoiceDetails",
      "paymentMethodDetails",
      "incomeClassification",
      "correlatedInvoices",
      "taxes",
    ].includes(name),
});

/** ISO-8859-7, for Greek letters. */
function greekBytes(value: string): Buffer {
  return Buffer.from(
    [...value].map((character) => {
      const code = character.codePointAt(0)!;
      return code < 0x80 ? code : code - 0x2d0;
    }),
  );
}

function uidOf(parts: readonly string[]): string {
  return createHash("sha1")
    .update(greekBytes(parts.join("-")))
    .digest("hex")
    .toUpperCase();
}

/** Undefined if the text is not an InvoicesDoc; the whole message is then rejected (101). */
export function readInvoices(xml: string, todayInAthens: string): ReadInvoice[] | undefined {
  let root: unknown;
  try {
    root = parser.parse(xml, true);
  } catch {
    // If it cannot be parsed, all of it is rejected.
    return undefined;
  }
  const invoices = list(child(root, "InvoicesDoc"), "invoice");
  if (invoices.length === 0) return undefined;
  const texts = elementsOf(xml, "invoice");
  const seen = new Set<string>();
  return invoices.map((node, index) => {
    const invoice = readInvoice(node, texts[index] ?? "", todayInAthens);
    if (seen.has(invoice.uid)) invoice.errors.push({ code: "275", message: "The uid stands twice" });
    seen.add(invoice.uid);
    return invoice;
  });
}

/** The elements with this local name, which must not contain one another, as text. */
function elementsOf(xml: string, name: string): string[] {
  return xml.match(new RegExp(`<((?:\\w+:)?${name})(?: [^>]*)?>[^]*?</\\1>`, "g")) ?? [];
}

function readInvoice(node: unknown, sent: string, todayInAthens: string): ReadInvoice {
  const header = child(node, "invoiceHeader");
  const vat = text(node, "issuer", "vatNumber");
  const branch = text(node, "issuer", "branch");
  const [date, type, series, aa] = ["issueDate", "invoiceType", "series", "aa"].map((name) =>
    text(header, name),
  );
  return {
    vat,
    branch,
    date: date!,
    type: type!,
    series: series!,
    aa: aa!,
    uid: uidOf([vat, date!, branch, type!, series!, aa!]),
    net: text(node, "invoiceSummary", "totalNetValue"),
    gross: text(node, "invoiceSummary", "totalGrossValue"),
    taxSums: Object.fromEntries(TAX_SUMS.map(({ name }) => [name, text(node, "invoiceSummary", name)])),
    counterpart: text(node, "counterpart", "vatNumber") || null,
    transmissionFailure: text(node, "transmissionFailure") || null,
    correlated: list(header, "correlatedInvoices").map(String),
    sent: Object.fromEntries(
      KEPT.map((name) => [name, elementsOf(sent, name).join("")]),
    ) as ReadInvoice["sent"],
    boxes: sumBoxes(node, type!),
    errors: [...findErrors(node, type!), ...findRuleErrors(node, type!, todayInAthens)],
  };
}

/** The sums of taxes besides VAT in a summary, in the order of its schema; `sign`: what they do to the gross value. */
export const TAX_SUMS = [
  { name: "totalWithheldAmount", taxType: "1", sign: -1 },
  { name: "totalFeesAmount", taxType: "2", sign: 1 },
  { name: "totalStampDutyAmount", taxType: "4", sign: 1 },
  { name: "totalOtherTaxesAmount", taxType: "3", sign: 1 },
  { name: "totalDeductionsAmount", taxType: "5", sign: -1 },
] as const;

/** The boxes of taxed sales by VAT category (docs/authority.md#vat-return-boxes). */
const BOXES: Readonly<Record<string, readonly [net: string, vat: string]>> = {
  1: ["Vat303", "Vat333"],
  2: ["Vat301", "Vat331"],
  3: ["Vat302", "Vat332"],
  4: ["Vat306", "Vat336"],
  5: ["Vat304", "Vat334"],
  6: ["Vat305", "Vat335"],
};

function sumBoxes(node: unknown, type: string): Record<string, number> {
  const sums: Record<string, number> = {};
  const sign = type.startsWith("5.") || type === "11.4" ? -1 : 1;
  for (const line of list(node, "invoiceDetails")) {
    const [net, vat] = BOXES[text(line, "vatCategory")] ?? [];
    if (net === undefined || vat === undefined) continue;
    sums[net] = (sums[net] ?? 0) + sign * cents(text(line, "netValue"));
    sums[vat] = (sums[vat] ?? 0) + sign * cents(text(line, "vatAmount"));
  }
  return sums;
}

function findErrors(node: unknown, type: string): { code: string; message: string }[] {
  const errors: { code: string; message: string }[] = [];
  const refuse = (code: string, message: string) => errors.push({ code, message });
  const lines = list(node, "invoiceDetails");
  const summary = child(node, "invoiceSummary");
  const sum = (name: string) => lines.reduce<number>((total, line) => total + cents(text(line, name)), 0);
  if (sum("netValue") !== cents(text(summary, "totalNetValue"))) refuse("207", "Sum of net values differs");
  if (sum("vatAmount") !== cents(text(summary, "totalVatAmount"))) refuse("209", "Sum of VAT differs");
  const taxes = list(child(node, "taxesTotals"), "taxes");
  let gross = cents(text(summary, "totalNetValue")) + cents(text(summary, "totalVatAmount"));
  for (const { name, taxType, sign } of TAX_SUMS) {
    const ofType = taxes.filter((tax) => text(tax, "taxType") === taxType);
    const amount = ofType.reduce<number>((total, tax) => total + cents(text(tax, "taxAmount")), 0);
    if (amount !== cents(text(summary, name))) refuse("226", `${name} is not the sum of its taxes`);
    gross += sign * amount;
  }
  if (gross !== cents(text(summary, "totalGrossValue")))
    refuse("203", "Gross differs from net, VAT and taxes");
  const isRetail = type.startsWith("11.");
  const counterpart = child(node, "counterpart");
  if (isRetail && counterpart !== undefined) refuse("205", "counterpart not allowed");
  if (!isRetail && counterpart === undefined) refuse("204", "counterpart is missing");
  const country = text(counterpart, "country");
  if (/^[12]\.1$/.test(type) && country !== "GR") refuse("242", "counterpart must be Greek");
  if (/^[12]\.[23]$/.test(type) && country === "GR") refuse("287", "counterpart must not be Greek");
  if (country === "GR" && text(counterpart, "name") !== "") refuse("220", "counterpart name not allowed");
  if (child(child(node, "issuer"), "name") !== undefined) refuse("219", "issuer name not allowed");
  if (type === "5.1" && list(child(node, "invoiceHeader"), "correlatedInvoices").length === 0)
    refuse("204", "correlatedInvoices is missing");
  if (list(child(node, "paymentMethods"), "paymentMethodDetails").length === 0)
    refuse("204", "paymentMethods is missing");
  for (const line of lines) {
    const isExempt = text(line, "vatCategory") === "7";
    if (isExempt && text(line, "vatExemptionCategory") === "")
      refuse("217", "vatExemptionCategory is missing");
    if (!isExempt && text(line, "vatExemptionCategory") !== "")
      refuse("271", "vatExemptionCategory not allowed");
    if (isExempt && cents(text(line, "vatAmount")) !== 0) refuse("218", "VAT amount must be 0");
  }
  const pairsOf = (node_: unknown) => {
    const pairs = new Map<string, number>();
    for (const entry of list(node_, "incomeClassification")) {
      const key = `${text(entry, "classificationType")} ${text(entry, "classificationCategory")}`;
      pairs.set(key, (pairs.get(key) ?? 0) + cents(text(entry, "amount")));
    }
    return pairs;
  };
  const wanted = new Map<string, number>();
  for (const line of lines)
    for (const [key, amount] of pairsOf(line)) wanted.set(key, (wanted.get(key) ?? 0) + amount);
  const given = pairsOf(summary);
  if ([...wanted].some(([key, amount]) => given.get(key) !== amount) || given.size !== wanted.size)
    refuse("312", "Summary classification differs");
  return errors;
}
