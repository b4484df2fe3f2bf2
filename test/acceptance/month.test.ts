/** A month of documents of every kind, whose reports a program of its own recomputes to the cent (docs/contract.md#reports). */
import { beforeAll, expect, test } from "vitest";
import { issueAll } from "../helpers/issuing.ts";
import {
  amountsOf,
  BOOKS,
  type Books,
  keepBooks,
  type LedgerDocument,
  type LedgerLine,
  readBooks,
} from "../helpers/ledger.ts";
import { SUPPLIER, openShop } from "../helpers/receipts.ts";
import { forAllTests } from "../helpers/set-up.ts";

const CODES: Readonly<Record<string, string>> = {
  GR: "094012834",
  DE: "123456789",
  FR: "12345678901",
  XI: "987654321",
  CH: "CHE123456788",
};

const line = (unit_price: number, more: Partial<LedgerLine> = {}): LedgerLine => ({
  quantity: "2.5",
  unit_price,
  vat_category: "standard",
  ...more,
});
const exempt = (unit_price: number, vat_exemption: number): LedgerLine =>
  line(unit_price, { vat_category: "exempt", vat_exemption });
const sale = (type: string, country: string, ...lines: LedgerLine[]): LedgerDocument => ({
  type,
  country,
  code: CODES[country]!,
  lines,
});

const ISLANDS = ["standard_island", "reduced_island", "super_reduced_island"];
const RATES = ["standard", "reduced", "super_reduced", ...ISLANDS];
const PRODUCTS = { income_classification: { category: "category1_2", type: "E3_561_001" } };

/** By reference. */
const SALES: Readonly<Record<string, LedgerDocument>> = {
  ...Object.fromEntries(
    Array.from({ length: 31 }, (_, index) => [
      `cause-${index + 1}`,
      sale("1.1", "GR", exempt(1_003 + 97 * index, index + 1)),
    ]),
  ),
  ...Object.fromEntries(
    RATES.flatMap((vat_category, index) => [
      [`goods-${vat_category}`, sale("1.1", "GR", line(2_345 + 111 * index, { vat_category }))],
      [`retail-${vat_category}`, sale("11.1", "GR", line(345 + 13 * index, { vat_category }))],
    ]),
  ),
  services: sale("2.1", "GR", line(12_345), line(777, { vat_category: "reduced" })),
  "retail-services": sale("11.2", "GR", line(4_321), exempt(99, 27)),
  products: sale("1.1", "GR", line(5_555, PRODUCTS), line(333)),
  "german-goods": sale("1.1", "DE", exempt(10_007, 14), line(1_001)),
  "german-services": sale("2.1", "DE", exempt(20_003, 4)),
  "french-goods": sale("1.1", "FR", exempt(3_301, 14), exempt(702, 8)),
  "irish-goods": sale("1.1", "XI", exempt(7_001, 14)),
  "irish-services": sale("2.1", "XI", exempt(9_001, 4)),
  "swiss-goods": sale("1.1", "CH", exempt(6_001, 8), exempt(45, 14)),
  "swiss-services": sale("2.1", "CH", exempt(8_009, 4)),
  withheld: {
    ...sale("2.1", "GR", line(40_000)),
    taxes: [{ kind: "withheld", category: 3, amount: 20_000 }],
  },
  taxed: {
    ...sale("1.1", "GR", line(80_000)),
    taxes: [
      { kind: "stamp", category: 1, amount: 2_403 },
      { kind: "fees", category: 5, amount: 1_001 },
      { kind: "fees", category: 1, amount: 700 },
      { kind: "other", category: 30, amount: 303 },
      { kind: "withheld", category: 3, amount: 40_000 },
      { kind: "deductions", amount: 1_200 },
    ],
  },
  cancelled: sale("1.1", "GR", line(99_999)),
  "no-original": sale("5.2", "GR", line(123), exempt(77, 7)),
};

function bodyOf([external_reference, { type, country, code, lines, taxes }]: [string, LedgerDocument]) {
  const amounts = lines.map(amountsOf);
  const [net, vat] = (["net", "vat"] as const).map((name) =>
    Number(amounts.reduce((sum, amount) => sum + amount[name], 0n)),
  ) as [number, number];
  const abroad = country === "GR" ? {} : { name: "X", address: { postal_code: "1", city: "Y" } };
  return {
    external_reference,
    document: {
      type,
      issue_date: "2025-11-10",
      currency: "EUR",
      supplier: { tax_id: { country: "GR", code: SUPPLIER } },
      ...(type.startsWith("11") ? {} : { customer: { tax_id: { country, code }, ...abroad } }),
      lines: lines.map((one) => ({ description: "Είδος", ...one })),
      totals: { net, vat, gross: net + vat },
      ...(taxes === undefined ? {} : { taxes }),
    },
  };
}

let books: Books;
let vat: VatJson;
let income: { rows: { category: string; type: string | null; net: number }[] };
let totals: { net: number; vat: number };

interface VatJson {
  rows: { vat_category: string; exemption: number | null; region: string; net: number; vat: number }[];
  boxes: Record<string, number>;
  outside: { exemption: number; net: number }[];
  taxes: { kind: string; category: number | null; amount: number }[];
  eu_sales: { country: string; code: string; goods: number; services: number; net: number }[];
}

/** Credits a document of the month on a day of the month, wholly or by the flags, and returns what the ledger takes of it. */
async function credit(
  reference: string,
  quantities?: Readonly<Record<number, string>>,
): Promise<LedgerDocument> {
  const original = SALES[reference]!;
  const parts = Object.entries(quantities ?? {}).flatMap(([at, quantity]) => ["--line", `${at}:${quantity}`]);
  const args = ["documents", "credit", reference, "--date", "2025-11-20", ...parts, "--yes", "--json"];
  expect(await workshop.run(args)).toMatchObject({ exitCode: 0 });
  const lines = original.lines.flatMap((one, index) => {
    const quantity = quantities === undefined ? one.quantity : quantities[index + 1];
    const at = pairsOf(original)[index];
    return quantity === undefined ? [] : [{ ...one, quantity, ...(at === undefined ? {} : at) }];
  });
  const type = original.type.startsWith("11") ? "11.4" : "5.1";
  const netOf = (of: readonly LedgerLine[]) => of.reduce((sum, one) => sum + Number(amountsOf(one).net), 0);
  const share = netOf(lines) / netOf(original.lines);
  const taxes = original.taxes?.map((tax) => ({ ...tax, amount: Math.round(tax.amount * share) }));
  return { ...original, type, lines, original, ...(taxes === undefined ? {} : { taxes }) };
}

/** A credit note of services keeps the classification of the invoice, which is not that of its own type. */
function pairsOf({ type, country, lines }: LedgerDocument) {
  return lines.map(({ income_classification }) => {
    if (income_classification !== undefined) return { income_classification };
    if (type !== "2.1") return undefined;
    const pair = { GR: "E3_561_001", DE: "E3_561_005" }[country] ?? "E3_561_006";
    return { income_classification: { category: "category1_3", type: pair } };
  });
}

const workshop = forAllTests(openShop);
beforeAll(async () => {
  const documents = await issueAll(workshop, Object.entries(SALES).map(bodyOf));
  expect(documents.map(({ error, status }) => error ?? status)).toEqual(documents.map(() => "issued"));
  expect(await workshop.run("documents cancel cancelled --yes")).toMatchObject({ exitCode: 0 });
  const credits = [
    await credit("german-goods"),
    await credit("irish-services", { 1: "1" }),
    await credit("irish-goods", { 1: "0.5" }),
    await credit("german-services", { 1: "1.25" }),
    await credit("products", { 1: "2.5", 2: "1" }),
    await credit("retail-reduced"),
    await credit("withheld"),
    await credit("taxed", { 1: "1.25" }),
  ];
  const { cancelled: _cancelled, ...sales } = SALES;
  const counted = [...Object.values(sales), ...credits];
  expect(counted.length).toBeGreaterThan(60);
  books = keepBooks(counted);
  const sums = counted.map(({ type, lines }) => {
    const sign = type.startsWith("5") || type === "11.4" ? -1n : 1n;
    return lines.map(amountsOf).map((amount) => ({ net: sign * amount.net, vat: sign * amount.vat }));
  });
  const sumOf = (name: "net" | "vat") => Number(sums.flat().reduce((sum, amount) => sum + amount[name], 0n));
  totals = { net: sumOf("net"), vat: sumOf("vat") };
  const report = async (kind: string) =>
    await workshop.read<{
      merchants: [never];
      totals: object;
    }>(`reports ${kind} --month 2025-11`);
  const ofVat = await report("vat");
  expect(ofVat.totals).toEqual(totals);
  vat = ofVat.merchants[0];
  income = (await report("income")).merchants[0];
});

test.each(BOOKS)("the %s are right to the cent", (part) => {
  expect(readBooks(vat, income)[part]).toEqual(books[part]);
});

test("the columns of the export add up to the same taxes, in Greek too", async () => {
  const { stdout } = await workshop.run("documents export --month 2025-11 --lang el");
  const [heads = [], ...rows] = stdout
    .trimEnd()
    .split("\r\n")
    .map((row) => row.replaceAll('"', "").split(";"));
  const sumOf = (head: string) =>
    rows.reduce((sum, cells) => sum + Number(cells[heads.indexOf(head)]!.replace(",", "")), 0);
  const kindSum = (wanted: string) =>
    vat.taxes.reduce((sum, { kind, amount }) => sum + (kind === wanted ? amount : 0), 0);
  expect(sumOf("Παρακρατούμενος φόρος")).toBe(kindSum("withheld"));
  expect(sumOf("Τέλη")).toBe(kindSum("fees"));
  const [added, taken] = [
    ["fees", "other", "stamp"],
    ["withheld", "deductions"],
  ].map((kinds) => kinds.reduce((sum, kind) => sum + kindSum(kind), 0)) as [number, number];
  expect(sumOf("πληρωτέο")).toBe(totals.net + totals.vat + added - taken);
  expect(rows.map((cells) => cells[heads.indexOf("κατηγορίες φόρων")])).toContain("Παρακρατούμενος φόρος 3");
});
