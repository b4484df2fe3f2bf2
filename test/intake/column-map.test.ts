import { describe, expect, test } from "vitest";
import { namesOf, parseColumnMap } from "../../src/intake/column-map.ts";
import type { TableDocument } from "../../src/intake/table-draft.ts";
import { parseToml } from "../../src/foundation/toml.ts";
import { chunksOf, readTable } from "../helpers/csv.ts";

const MAP = `
ignore = ["Σχόλια"]
[columns]
reference = "Αρ. Παραστατικού"
issue_date = "Ημερομηνία"
description = "Είδος"
quantity = "Ποσότητα"
unit_price = "Τιμή  Μονάδας"
vat_category = "ΦΠΑ"
[values.vat_category]
"ΦΠΑ 24%" = "standard"
"Χωρίς ΦΠΑ" = "exempt"
[defaults]
type = 11.1
unit = "kg"
`;

function mapOf(text: string) {
  return parseColumnMap(parseToml(text));
}

function read(text: string, map = MAP): Promise<TableDocument[]> {
  return Array.fromAsync(readTable(chunksOf(Buffer.from(text)), { names: namesOf(mapOf(map)) }));
}

const HEAD = "Αρ. Παραστατικού;Ημερομηνία;Είδος;Ποσότητα;ΤΙΜΗ ΜΟΝΑΔΑΣ;ΦΠΑ";

describe("a file with columns of another program", () => {
  test("is read with the columns and values of the map", async () => {
    const rows = ["A-1;2/11/2026;Καφές;2;12,50;φπα  24%", "A-1;;Νερό;1;0,50;13%"];
    const map = MAP.replace("Τιμή  Μονάδας", "Τιμη Μοναδας");
    const [document] = await read([HEAD, ...rows].join("\n"), map);
    expect(document).toMatchObject({
      reference: "A-1",
      body: {
        document: {
          type: "11.1",
          issue_date: "2026-11-02",
          lines: [
            { description: "Καφές", unit: "kg", unit_price: 1250, vat_category: "standard" },
            { description: "Νερό", unit: "kg", unit_price: 50, vat_category: "reduced" },
          ],
        },
      },
    });
  });

  const OWN = "reference;issue_date;description;quantity;unit_price;vat_category";

  test("may also use our names, and ignored columns are left out", async () => {
    const [document] = await read(`${OWN};Σχόλια\nA-1;2/11/2026;x;1;1,00;Χωρίς ΦΠΑ;δικό μας\n`);
    expect(document).toMatchObject({
      body: { document: { lines: [{ description: "x", vat_category: "exempt" }] } },
    });
  });

  test("is refused for an unknown column, unless the map ignores all unknown ones", async () => {
    const text = `${OWN};Πόντοι\nA-1;2/11/2026;x;1;1,00;24%;7\n`;
    await expect(read(text)).rejects.toThrow(/unknown columns, Πόντοι; .*once its columns have a meaning/);
    expect(await read(text, MAP.replace('["Σχόλια"]', '["*"]'))).toMatchObject([{ reference: "A-1" }]);
  });

  test("is refused where a column is present under both names", async () => {
    await expect(read(`${OWN};ΦΠΑ\nA-1;2/11/2026;x;1;1,00;24%;24%\n`)).rejects.toThrow(
      "has the column vat_category twice",
    );
  });

  test("gets a default about the document in its first row only", async () => {
    const documents = await read(
      `${OWN};type\nA-1;2/11/2026;x;1;1,00;24%;11.2\nA-1;;y;1;1,00;24%;\nA-2;2/11/2026;x;1;1;24%;\n`,
    );
    expect(documents).toMatchObject([
      { body: { document: { type: "11.2" } } },
      { body: { document: { type: "11.1" } } },
    ]);
  });
});

describe("a column map", () => {
  test.each<[what: string, text: string, says: string]>([
    ["an unknown part", "[colums]", "colums: is not a known field"],
    [
      "a misspelt column",
      '[columns]\ncustomer_taxid = "ΑΦΜ"',
      "columns.customer_taxid: is not a known column; known: cus",
    ],
    [
      "an unknown column",
      '[defaults]\nsandbox = "x"',
      "defaults.sandbox: is not a known column; known: reference",
    ],
    ["a name that is not text", "[columns]\nunit = 7", "columns.unit: must be the name of a column"],
    [
      "one name twice",
      '[columns]\nunit = "A"\nseries = " a "',
      "columns: series and unit have the same column",
    ],
    [
      "an invalid meaning",
      '[values.vat_category]\n"μυστικό" = "normal"',
      "values.vat_category: a meaning must be a VAT category",
    ],
    ["a meaning that is not text", '[values.unit]\n"κιλά" = []', "values.unit: must be text"],
    ["values that are not a table", '[values]\nunit = "kg"', "values.unit: must be an object"],
    [
      "an invalid default",
      '[defaults]\nissue_date = "02/13/2026"',
      "defaults.issue_date: must be a calendar date",
    ],
    [
      "a default with decimals",
      "[defaults]\nunit_price = 1.5",
      "defaults.unit_price: must be a whole number",
    ],
    ["a default reference", '[defaults]\nreference = "A"', "defaults.reference: can have no default"],
    ["names to ignore that are not an array", "ignore = 3", "ignore: must be an array"],
    ["parts that are not tables", "columns = 3", "columns: must be an object"],
    ["text that is not TOML", "[columns\nreference = 1", "line 1, column"],
  ])("is refused for %s", (_what, text, says) => {
    expect(() => mapOf(text)).toThrow(new RegExp(`^${says}`));
    expect(() => mapOf(text)).not.toThrow(/μυστικό/);
  });

  test("lists all of its problems", () => {
    expect(() => mapOf("[columns]\na = 1\nunit = 2\n[defaults]\nnumber = 3")).toThrow(
      /columns\.a: .*; columns\.unit: .*; defaults\.number: /,
    );
  });

  test("accepts TOML dates and numbers", () => {
    expect(mapOf("[defaults]\nissue_date = 2026-11-02\ntype = 1.1").defaults).toEqual({
      issue_date: "2026-11-02",
      type: "1.1",
    });
  });

  test("is unchanged after being stored as JSON", () => {
    const map = mapOf(MAP);
    expect(parseColumnMap(JSON.parse(JSON.stringify(map)) as Record<string, unknown>)).toEqual(map);
  });
});
