/** Computes the books of a month from its documents. Shares no code with the product, so that it can check the product's reports. */

export interface LedgerLine {
  quantity: string;
  unit_price: number;
  vat_category: string;
  vat_exemption?: number;
  income_classification?: { category: string; type?: string };
}

export interface LedgerTax {
  kind: string;
  category?: number;
  amount: number;
}

export interface LedgerDocument {
  type: string;
  country: string;
  code: string;
  lines: LedgerLine[];
  taxes?: LedgerTax[];
  /** What it credits. */
  original?: LedgerDocument;
}

const RATES: Readonly<Record<string, { percent: bigint; net: string; vat: string }>> = {
  reduced: { percent: 13n, net: "301", vat: "331" },
  super_reduced: { percent: 6n, net: "302", vat: "332" },
  standard: { percent: 24n, net: "303", vat: "333" },
  reduced_island: { percent: 9n, net: "304", vat: "334" },
  super_reduced_island: { percent: 4n, net: "305", vat: "335" },
  standard_island: { percent: 17n, net: "306", vat: "336" },
};

/** The net boxes of exemption causes, apart from 4 and 14 in the EU; none for the others. */
const BOXES: Readonly<Record<string, readonly number[]>> = {
  "310": [7, 15, 17, 18, 19, 24],
  "348": [8, 11, 12, 13, 26, 28],
  "349": [3, 4, 9, 10, 14, 16, 25],
};

/** Half a cent is rounded up. */
export function amountsOf(line: LedgerLine): { net: bigint; vat: bigint } {
  const [whole = "0", decimals = ""] = line.quantity.split(".");
  const net = (BigInt(whole + decimals.padEnd(3, "0")) * BigInt(line.unit_price) + 500n) / 1000n;
  return { net, vat: (net * (RATES[line.vat_category]?.percent ?? 0n) + 50n) / 100n };
}

const EU = new Set(["DE", "FR"]);

function isInEu({ type, country, original }: LedgerDocument): boolean {
  if (country === "XI") return (original?.type ?? type) !== "2.1";
  return EU.has(country);
}

function regionOf(document: LedgerDocument): string {
  if (document.country === "GR") return "greece";
  return isInEu(document) ? "eu" : "third_country";
}

/** The E3 pair of a line. */
function pairOf(document: LedgerDocument, index: number): string {
  const given = document.lines[index]!.income_classification;
  if (given !== undefined) return `${given.category} ${given.type ?? "null"}`;
  const isRetail = document.type.startsWith("11");
  const isService = document.type === "2.1" || document.type === "11.2";
  const abroad = isInEu(document) ? "E3_561_005" : "E3_561_006";
  const wholesale = document.country === "GR" ? "E3_561_001" : abroad;
  return `${isService ? "category1_3" : "category1_1"} ${isRetail ? "E3_561_003" : wholesale}`;
}

export interface Books {
  rows: Record<string, { net: bigint; vat: bigint }>;
  boxes: Record<string, bigint>;
  outside: Record<string, bigint>;
  euSales: Record<string, { goods: bigint; services: bigint; net: bigint }>;
  income: Record<string, bigint>;
  taxes: Record<string, bigint>;
}

export const BOOKS = [
  "rows",
  "boxes",
  "outside",
  "euSales",
  "income",
  "taxes",
] as const satisfies (keyof Books)[];

/** Cents, as the program has them or as its JSON shows them. */
type Cents = bigint | number;

interface VatFigures {
  rows: readonly { vat_category: string; exemption: number | null; region: string; net: Cents; vat: Cents }[];
  boxes: Readonly<Record<string, Cents>>;
  outside: readonly { exemption: number | null; net: Cents }[];
  taxes: readonly { kind: string; category: number | null; amount: Cents }[];
  eu_sales: readonly { country: string; code: string; goods: Cents; services: Cents; net: Cents }[];
}

interface IncomeFigures {
  rows: readonly { category: string; type: string | null; net: Cents }[];
}

/** The same of a report of the product. */
export function readBooks(vat: VatFigures, income: IncomeFigures): Books {
  const filled = Object.entries(vat.boxes).filter(([, cents]) => BigInt(cents) !== 0n);
  return {
    rows: Object.fromEntries(
      vat.rows.map((row) => [
        `${row.vat_category} ${row.exemption} ${row.region}`,
        { net: BigInt(row.net), vat: BigInt(row.vat) },
      ]),
    ),
    boxes: Object.fromEntries(filled.map(([box, cents]) => [box, BigInt(cents)])),
    outside: Object.fromEntries(vat.outside.map(({ exemption, net }) => [String(exemption), BigInt(net)])),
    euSales: Object.fromEntries(
      vat.eu_sales.map(({ country, code, goods, services, net }) => [
        `${country} ${code}`,
        { goods: BigInt(goods), services: BigInt(services), net: BigInt(net) },
      ]),
    ),
    income: Object.fromEntries(
      income.rows.map(({ category, type, net }) => [`${category} ${type}`, BigInt(net)]),
    ),
    taxes: Object.fromEntries(
      vat.taxes.map(({ kind, category, amount }) => [`${kind} ${category}`, BigInt(amount)]),
    ),
  };
}

/** What the documents add up to. */
export function keepBooks(documents: readonly LedgerDocument[]): Books {
  const books: Books = { rows: {}, boxes: {}, outside: {}, euSales: {}, income: {}, taxes: {} };
  const add = (sums: Record<string, bigint>, key: string, cents: bigint) => {
    sums[key] = (sums[key] ?? 0n) + cents;
  };
  for (const document of documents) {
    const isCredit = document.type.startsWith("5.") || document.type === "11.4";
    for (const { kind, category, amount } of document.taxes ?? [])
      add(books.taxes, `${kind} ${category ?? null}`, BigInt(isCredit ? -amount : amount));
    for (const [index, line] of document.lines.entries()) {
      const amounts = amountsOf(line);
      const [net, vat] = isCredit ? [-amounts.net, -amounts.vat] : [amounts.net, amounts.vat];
      const { vat_exemption: cause } = line;
      const row = (books.rows[`${line.vat_category} ${cause ?? null} ${regionOf(document)}`] ??= {
        net: 0n,
        vat: 0n,
      });
      row.net += net;
      row.vat += vat;
      add(books.income, pairOf(document, index), net);
      const rate = RATES[line.vat_category];
      if (rate !== undefined) {
        for (const box of [rate.net, "307", "311"]) add(books.boxes, box, net);
        for (const box of [rate.vat, "337"]) add(books.boxes, box, vat);
        continue;
      }
      const kind = isInEu(document) ? { 14: "goods" as const, 4: "services" as const }[cause!] : undefined;
      const box =
        kind === undefined
          ? Object.keys(BOXES).find((name) => BOXES[name]!.includes(cause!))
          : { goods: "342", services: "345" }[kind];
      if (box === undefined) add(books.outside, String(cause), net);
      else for (const name of [box, "311"]) add(books.boxes, name, net);
      if (kind === undefined) continue;
      const customer = `${document.country} ${document.code}`;
      const sales = (books.euSales[customer] ??= { goods: 0n, services: 0n, net: 0n });
      sales[kind] += net;
      sales.net += net;
    }
  }
  return books;
}
