/** docs/contract.md#prices-with-vat, docs/contract.md#supplier-column */
import { describe, expect, test } from "vitest";
import { checkDocumentInput } from "../../src/domain/canonical-document.ts";
import {
  chunksOf,
  csvOfRows,
  readBodies,
  readProblems,
  readTable,
  rowWith,
  SUPPLIER,
  TODAY,
} from "../helpers/csv.ts";

/** A row with its price with VAT instead of the one without. */
function grossRow(cells: Readonly<Record<string, string>>): Record<string, string> {
  const { unit_price: _price, ...row } = rowWith(cells);
  return row;
}

describe("unit_price_gross", () => {
  test("makes lines that add up to what the customer pays, and stay a valid document", async () => {
    const rows = [
      grossRow({ quantity: "3", unit_price_gross: "1,00", payment_method: "cash" }),
      grossRow({ quantity: "1", unit_price_gross: "10,00", description: "Κ".repeat(300) }),
      grossRow({ quantity: "2,5", unit_price_gross: "12,40" }),
    ];
    const [body] = await readBodies(csvOfRows(rows));
    expect(body!.document).toMatchObject({
      lines: [
        { description: "Καφές", quantity: "2", unit_price: 81 },
        { description: "Καφές", quantity: "1", unit_price: 80 },
        { quantity: "1", unit_price: 806 },
        { description: `${"Κ".repeat(282)} (στρογγυλοποίηση)`, quantity: "1", unit_price: 1 },
        { quantity: "2.5", unit_price: 1000 },
      ],
      totals: { gross: 300 + 1000 + 3100 },
      payments: [{ method: "cash", amount: 4400 }],
    });
    expect(checkDocumentInput(body!.document, { today: TODAY, prefix: "" })).toMatchObject({
      objections: [],
    });
  });

  test("may stand beside unit_price, one of them in each row", async () => {
    const both = csvOfRows([rowWith({ unit_price_gross: "" }), grossRow({ unit_price_gross: "6,20" })]);
    const [body] = await readBodies(both);
    expect(body!.document).toMatchObject({ lines: [{ unit_price: 500 }, { unit_price: 500 }] });
  });

  test.each([
    [rowWith({ unit_price_gross: "6,20" }), /^line 2, unit_price_gross: is given as well as unit_price/],
    [rowWith({ unit_price: "", unit_price_gross: "" }), /^line 2, unit_price: is empty/],
    [grossRow({ unit_price_gross: "6,2051" }), /^line 2, unit_price_gross: must have at most 2 decimals/],
    [
      grossRow({ quantity: "8", unit_price_gross: "0,01" }),
      /^line 2, unit_price_gross: has no price without VAT/,
    ],
  ])("reports a price that cannot be used: %j", async (row, message) => {
    const [first] = await readProblems(csvOfRows([row]));
    expect(first).toMatch(message);
  });

  test("or unit_price is required in the header", async () => {
    await expect(readProblems(csvOfRows([grossRow({})]))).rejects.toThrow(/lacks the columns unit_price/);
  });
});

describe("supplier_tax_id", () => {
  test.each([SUPPLIER.taxId, `EL ${SUPPLIER.taxId}`, ""])(
    "accepts the merchant's own number, as %j",
    async (number) => {
      expect(await readBodies(csvOfRows([rowWith({ supplier_tax_id: number })]))).toHaveLength(1);
    },
  );

  test("of another business refuses the whole file, before the first document", async () => {
    const own = Array.from({ length: 6000 }, (_, index) =>
      rowWith({ reference: `A-${index}`, supplier_tax_id: SUPPLIER.taxId }),
    );
    const content = csvOfRows([...own, rowWith({ reference: "B-1", supplier_tax_id: "094014201" })]);
    await expect(readTable(chunksOf(Buffer.from(content))).next()).rejects.toThrow(
      /^line 6002, supplier_tax_id: is not the tax number of the merchant that issues/,
    );
  });
});
