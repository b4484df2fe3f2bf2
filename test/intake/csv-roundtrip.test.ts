import fc from "fast-check";
import iconv from "iconv-lite";
import { expect, test } from "vitest";
import type { TableBody } from "../../src/intake/table-draft.ts";
import { computeTotals } from "../../src/domain/totals.ts";
import { PAYMENT_METHODS, UNITS, VAT_CATEGORIES } from "../../src/domain/document-codes.ts";
import { DOCUMENT_TYPES } from "../../src/domain/document-types.ts";
import { readBodies, SUPPLIER } from "../helpers/csv.ts";

/** The format of a file. */
interface Dialect {
  encoding: "utf8" | "utf8 with mark" | "windows-1253" | "utf-16le";
  delimiter: string;
  sign: string;
  grouping: string;
  quoteAll: boolean;
  end: string;
  dayFirst: boolean;
}

/** One line item, before it is written as text. */
interface Item {
  description: string;
  /** Thousandths. */
  quantity: number;
  unit: keyof typeof UNITS | undefined;
  cents: number;
  vat: keyof typeof VAT_CATEGORIES;
}

interface Sale {
  type: (typeof DOCUMENT_TYPES)[number];
  day: string;
  method: keyof typeof PAYMENT_METHODS | undefined;
  items: Item[];
}

const dialects: fc.Arbitrary<Dialect> = fc.record({
  encoding: fc.constantFrom("utf8", "utf8 with mark", "windows-1253", "utf-16le"),
  delimiter: fc.constantFrom(";", ",", "\t"),
  sign: fc.constantFrom(",", "."),
  grouping: fc.constantFrom("", " ", "other"),
  quoteAll: fc.boolean(),
  end: fc.constantFrom("\n", "\r\n", "\r"),
  dayFirst: fc.boolean(),
});

/** Greek letters, and everything that a CSV writer must quote. */
const descriptions = fc
  .array(fc.constantFrom("ά", "Ω", "ς", "x", " ", '"', ";", ",", "\t", "\n", "€"), {
    minLength: 1,
    maxLength: 12,
  })
  .map((letters) => `α${letters.join("")}ω`);

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(record) as Key[];
}

const items: fc.Arbitrary<Item> = fc.record({
  description: descriptions,
  quantity: fc.integer({ min: 1, max: 5_000_000 }),
  unit: fc.option(fc.constantFrom(...keysOf(UNITS)), { nil: undefined }),
  cents: fc.integer({ min: 0, max: 500_000_000 }),
  vat: fc.constantFrom(...keysOf(VAT_CATEGORIES)),
});

const sales: fc.Arbitrary<Sale> = fc.record({
  type: fc.constantFrom(...DOCUMENT_TYPES),
  day: fc
    .date({ min: new Date("2020-01-01"), max: new Date("2029-12-31"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  method: fc.option(fc.constantFrom(...keysOf(PAYMENT_METHODS)), { nil: undefined }),
  items: fc.array(items, { minLength: 1, maxLength: 5 }),
});

/** `1234567` thousandths as `1.234,567`; three decimals are ambiguous unless other numbers prove the sign. */
function decimal(whole: number, fraction: string, dialect: Dialect): string {
  const separator = dialect.grouping === "other" ? (dialect.sign === "," ? "." : ",") : dialect.grouping;
  const grouped = String(whole).replace(/\B(?=([0-9]{3})+$)/g, separator);
  return fraction === "" ? grouped : `${grouped}${dialect.sign}${fraction}`;
}

function quantityText(thousandths: number, dialect: Dialect): string {
  const fraction = String(thousandths % 1000)
    .padStart(3, "0")
    .replace(/0+$/, "");
  return decimal(Math.floor(thousandths / 1000), fraction, dialect);
}

function priceText(cents: number, dialect: Dialect): string {
  return decimal(Math.floor(cents / 100), String(cents % 100).padStart(2, "0"), dialect);
}

const HEADER =
  "reference type issue_date description quantity unit unit_price vat_category vat_exemption payment_method".split(
    " ",
  );

function write(documents: readonly Sale[], dialect: Dialect): Buffer {
  const rows = documents.flatMap((document, index) =>
    document.items.map((item, row) => [
      `R-${index}`,
      row === 0 ? document.type : "",
      row === 0 ? dayText(document.day, dialect) : "",
      item.description,
      quantityText(item.quantity, dialect),
      item.unit ?? "",
      priceText(item.cents, dialect),
      item.vat,
      item.vat === "exempt" ? "14" : "",
      row === 0 ? (document.method ?? "") : "",
    ]),
  );
  const text = [HEADER, ...rows]
    .map((cells) => cells.map((cell) => quote(cell, dialect)).join(dialect.delimiter))
    .join(dialect.end);
  if (dialect.encoding === "utf8") return Buffer.from(text);
  if (dialect.encoding === "utf8 with mark") return Buffer.from(`\ufeff${text}`);
  return iconv.encode(text, dialect.encoding, { addBOM: true });
}

function dayText(day: string, dialect: Dialect): string {
  return dialect.dayFirst ? day.split("-").map(Number).reverse().join("/") : day;
}

function quote(cell: string, { delimiter, quoteAll }: Dialect): string {
  const needed = quoteAll || cell.includes(delimiter) || /["\r\n]/.test(cell);
  return needed ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** The body for the same sale in JSON. */
function bodyOf(document: Sale, index: number): TableBody {
  const lines = document.items.map((item) => {
    const fraction = String(item.quantity % 1000)
      .padStart(3, "0")
      .replace(/0+$/, "");
    return {
      description: item.description,
      quantity: `${Math.floor(item.quantity / 1000)}${fraction === "" ? "" : `.${fraction}`}`,
      ...(item.unit === undefined ? {} : { unit: item.unit }),
      unit_price: item.cents,
      vat_category: item.vat,
      ...(item.vat === "exempt" ? { vat_exemption: 14 } : {}),
    };
  });
  const { net, vat, gross } = computeTotals(lines);
  return {
    external_reference: `R-${index}`,
    document: {
      type: document.type,
      issue_date: document.day,
      currency: "EUR",
      supplier: { tax_id: { country: "GR", code: SUPPLIER.taxId }, branch: 0 },
      lines,
      ...(document.method === undefined ? {} : { payments: [{ method: document.method, amount: gross }] }),
      totals: { net, vat, gross },
    },
  };
}

test("documents survive a file of any dialect, wherever its bytes are cut", async () => {
  const cuts = fc.array(fc.nat(8000), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(sales, { minLength: 1, maxLength: 6 }),
      dialects,
      cuts,
      async (documents, dialect, places) => {
        const read = await readBodies(write(documents, dialect), places);
        expect(read).toEqual(documents.map(bodyOf));
      },
    ),
    { numRuns: 400 },
  );
});
