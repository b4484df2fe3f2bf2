/** Report and export files for Greek readers: headings and words in Greek, and each client with its ΑΦΜ and name. */
import { providerName, VAT_WORDS } from "../domain/document-codes.ts";
import { type ReportCell, type Sheet } from "../books/report-sheets.ts";
import { REGION_NAMES, VAT_RETURN_BOXES } from "../domain/vat-return.ts";
import { TAX_NAMES } from "../domain/taxes.ts";
import { everyItem } from "../foundation/pages.ts";
import { sameInBoth, type Text } from "../foundation/text.ts";
import type { Context } from "../journal/context.ts";
import { listMerchants } from "../merchants/merchants.ts";
import { wordText } from "./view.ts";

/** Merchants by their external ids, which reports name them by. */
export type Clients = ReadonlyMap<string, { taxId: string | null; name: string }>;

export async function readClients(context: Context): Promise<Clients> {
  const clients = new Map<string, { taxId: string | null; name: string }>();
  for await (const { external_id, tax_id, name } of everyItem((page) => listMerchants(context, page)))
    clients.set(external_id, { taxId: tax_id, name });
  return clients;
}

const HEADS: Readonly<Record<string, string>> = {
  section: "ενότητα",
  merchant: "πελάτης γραφείου",
  name: "επωνυμία",
  supplier: "ΑΦΜ",
  branch: "εγκατάσταση",
  type: "τύπος",
  authority_type: "τύπος στην ΑΑΔΕ",
  series: "σειρά",
  number: "αριθμός",
  issue_date: "ημερομηνία έκδοσης",
  mark: "ΜΑΡΚ",
  uid: "UID",
  status: "κατάσταση",
  cancelled_at: "ακυρώθηκε στις",
  cancellation_mark: "ΜΑΡΚ ακύρωσης",
  customer_country: "χώρα πελάτη",
  customer_tax_id: "ΑΦΜ πελάτη",
  customer_name: "επωνυμία πελάτη",
  net: "καθαρή αξία",
  vat: "ΦΠΑ",
  gross: "σύνολο",
  exemptions: "αιτίες εξαίρεσης",
  income: "χαρακτηρισμός εσόδων",
  counts: "μετρά ως",
  external_reference: "αναφορά",
  provider: "πάροχος",
  id: "id",
  vat_category: "κατηγορία ΦΠΑ",
  vat_rate: "συντελεστής ΦΠΑ",
  rate: "συντελεστής",
  exemption: "αιτία εξαίρεσης",
  income_category: "κατηγορία εσόδων",
  income_type: "τύπος εσόδων",
  category: "κατηγορία",
  region: "πελάτης σε",
  country: "χώρα",
  tax_id: "ΑΦΜ πελάτη",
  goods: "αγαθά",
  services: "υπηρεσίες",
  kind: "είδος",
  amount: "ποσό",
  total: "σύνολο",
  documents: "παραστατικά",
  cancelled: "ακυρώθηκαν",
  document: "παραστατικό",
  detail: "λεπτομέρειες",
  payable: "πληρωτέο",
  tax_categories: "κατηγορίες φόρων",
  ...Object.fromEntries(Object.entries(TAX_NAMES).map(([kind, { el }]) => [`tax_${kind}`, el])),
  issued: "εκδοθέντα",
  waiting: "εκκρεμούν",
  rejected: "απορρίφθηκαν",
  reconciled: "συμφωνία με ΑΑΔΕ",
  closed: "έκλεισε",
  vat_return_due: "δήλωση ΦΠΑ έως",
  vies_due: "VIES έως",
  vies_invalid: "άκυροι στο VIES",
  sum: "άθροισμα",
};

const SHEETS: Readonly<Record<string, string>> = {
  rates: "συντελεστές",
  boxes: "δήλωση Φ2",
  outside: "εκτός Φ2",
  eu_sales: "ενδοκοινοτικές πωλήσεις",
  income: "έσοδα",
  taxes: "λοιποί φόροι",
  differences: "διαφορές",
  documents: "παραστατικά",
  groups: "ομάδες γραμμών",
  totals: "σύνολα",
  overview: "επισκόπηση",
  statement: "καρτέλα",
  vat_payment_suspension: "ΦΠΑ κατά την είσπραξη",
};

/** The words of columns whose values come from a fixed set. */
const WORDS: Readonly<Record<string, (value: string) => Text | undefined>> = {
  vat_category: (value) => VAT_WORDS[value as keyof typeof VAT_WORDS],
  region: (value) => REGION_NAMES[value as keyof typeof REGION_NAMES],
  kind: (value) => TAX_NAMES[value],
  status: wordText,
  provider: (value) => sameInBoth(providerName(value)),
  closed: wordText,
  vies_invalid: wordText,
  tax_categories: (value) => ({
    en: value,
    el: value.replace(/[a-z]+/g, (kind) => TAX_NAMES[kind]!.el),
  }),
};

/** `net_24` is `καθαρή αξία 24%`; a box of the VAT return keeps its number. */
export function greekHead(head: string): string {
  const [, amount, rate] = /^(net|vat)_(\d+)$/.exec(head) ?? [];
  if (amount !== undefined) return `${HEADS[amount]} ${rate}%`;
  return HEADS[head] ?? head;
}

export function greekSheetName(name: string): string {
  return SHEETS[name] ?? name;
}

function greekValue<Value>(head: string, value: Value): Value | string {
  return typeof value === "string" ? (WORDS[head]?.(value)?.el ?? value) : value;
}

/** The sheets with one row for each client and one column for each box of the VAT return. */
export function greekSheets(sheets: readonly Sheet[], clients: Clients): Sheet[] {
  return sheets.map((sheet) => {
    const { name, heads, rows } = sheet.name === "boxes" ? pivotBoxes(sheet) : sheet;
    const greek = greekRows(heads, clients);
    return { name: greekSheetName(name), heads: greek.heads, rows: rows.map(greek.cellsOf) };
  });
}

/** Translates `heads` and rows below them. A row that begins with a merchant also has its ΑΦΜ, unless it has it as the supplier's, and its name. */
export function greekRows(heads: readonly string[], clients: Clients) {
  const at = heads.indexOf("supplier") + 1;
  const added = heads[0] === "merchant" ? ["ΑΦΜ", "επωνυμία"].slice(at > 0 ? 1 : 0) : [];
  return {
    heads: heads.map(greekHead).toSpliced(at, 0, ...added),
    cellsOf<Cell>(row: readonly Cell[]): (Cell | string | null)[] {
      const { taxId = null, name = null } = clients.get(String(row[0])) ?? {};
      const client = [taxId, name].slice(2 - added.length);
      const words = row.map((cell, column): Cell | string | null => greekValue(heads[column]!, cell));
      return words.toSpliced(at, 0, ...client);
    },
  };
}

/** From rows of merchant, box and amount. */
function pivotBoxes({ name, rows }: Sheet): Sheet {
  const amounts = new Map<ReportCell, Map<ReportCell, ReportCell>>();
  for (const [merchant = null, box = null, amount = null] of rows)
    amounts.set(merchant, (amounts.get(merchant) ?? new Map()).set(box, amount));
  return {
    name,
    heads: ["merchant", ...VAT_RETURN_BOXES],
    rows: [...amounts].map(([merchant, byBox]) => [
      merchant,
      ...VAT_RETURN_BOXES.map((box) => byBox.get(box) ?? 0n),
    ]),
  };
}
