import { describe, expect, test } from "vitest";
import { listProblems } from "../../src/foundation/errors.ts";
import { csvOfRows, readCsv, readProblems, rowWith } from "../helpers/csv.ts";

const HEADER = "reference;type;issue_date;description;quantity;unit_price;vat_category";

const NINES = "9".repeat(13);
const TOO_MANY = "lines that add up to more than a document may contain";

describe("refuses a document", () => {
  /** `problem` is what follows "line ". */
  test.each<[what: string, rows: Record<string, string>[], problem: string]>([
    ["without a quantity", [{ quantity: "" }], "2, quantity: is empty"],
    ["without a type and a date", [{ type: "", issue_date: "" }], "2, type: is empty"],
    ["with a part of a cent", [{ unit_price: "5,0001" }], "2, unit_price: must have at most 2 decimals"],
    ["with more than three decimals", [{ quantity: "1,0000" }], "2, quantity: must have at most 3 decimals"],
    ["with a price above the limit", [{ unit_price: `${NINES}9` }], "2, unit_price: is too large"],
    ["with a quantity above the limit", [{ quantity: `${NINES}9` }], "2, quantity: is too large"],
    ["with a total above the limit", [{ quantity: NINES, unit_price: NINES }], `2: has ${TOO_MANY}`],
    ["with a text as exemption", [{ vat_exemption: "άρθρο 27" }], "2, vat_exemption: must be a"],
    ["whose tax number lost a zero", [{ customer_tax_id: "94012834" }], "2, customer_tax_id: has 8 digits"],
    [
      "whose cell is too long",
      [{ description: "x".repeat(10_001) }],
      "2, description: must have at most 10000",
    ],
    ["with a lost character", [{ description: "Καφ\ufffdς" }], "2, description: has a character that was"],
    [
      "whose rows disagree",
      [{ series: "A" }, { series: "" }, { series: "B", type: "11,1" }],
      "4, series: differs from line 2",
    ],
    [
      "with a value in a later row that the first row leaves blank",
      [{ payment_method: "" }, { payment_method: "cash" }],
      "3, payment_method: differs from line 2",
    ],
    [
      "with a row without its reference",
      [{}, { reference: "" }],
      "3, reference: is empty; write the document's",
    ],
  ])("%s", async (_what, rows, problem) => {
    const found = await readProblems(csvOfRows(rows.map(rowWith)));
    expect(found).toEqual([expect.stringContaining(`line ${problem}`)]);
  });

  test("with one problem for each invalid cell", async () => {
    const row = rowWith({ quantity: "-1", vat_category: "6", unit: "box" });
    expect(await readProblems(csvOfRows([row]))).toEqual([
      expect.stringMatching(/^line 2, quantity: must not be neg/),
      expect.stringMatching(/^line 2, unit: must be one of/),
      expect.stringMatching(/^line 2, vat_category: may be the code/),
    ]);
  });

  test("whose rows are not together, at each of its parts", async () => {
    const rows = ["A", "B", "A", "C", "A"].map((reference) => rowWith({ reference }));
    const documents = await readCsv(csvOfRows(rows));
    expect(documents.map((document) => "body" in document)).toEqual([false, true, false, true, false]);
    const message = {
      en: "starts in line 2 and again in line 4, with another between; the rows of one reference must be together",
      el: expect.any(String) as string,
    };
    expect(documents).toMatchObject(
      [2, 3, 4, 5, 6].map((line) =>
        line % 2 === 1 ? { line } : { line, problems: [{ path: `line ${line}, reference`, message }] },
      ),
    );
  });

  test("that starts with rows without a reference, and accepts the next document", async () => {
    const documents = await readCsv(
      csvOfRows([rowWith({ reference: "" }), rowWith({ reference: "" }), rowWith()]),
    );
    expect(documents).toMatchObject([
      { reference: null, line: 2 },
      { reference: "A-1", line: 4 },
    ]);
    expect(documents.map((document) => "body" in document)).toEqual([false, true]);
  });

  test("with more than 1000 lines", async () => {
    const rows = (reference: string, count: number) =>
      Array.from({ length: count }, () => rowWith({ reference }));
    const documents = await readCsv(csvOfRows([...rows("A", 1000), ...rows("B", 1200)]));
    expect(documents).toMatchObject([
      { reference: "A", body: { document: { totals: { net: 1_000_000 } } } },
      {
        reference: "B",
        line: 1002,
        problems: [{ path: "line 2002", message: { en: expect.stringContaining("1000 lines") } }],
      },
    ]);
  });

  test("with an unquoted delimiter in a cell, at the row that it shifts", async () => {
    const header = HEADER.replaceAll(";", ",");
    const rows = ["A,11.1,2026-11-02,x,1,12,50,24%", 'B,11.1,2026-11-02,x,1,"12,50",24%'];
    const documents = await readCsv([header, ...rows].join("\n"));
    expect(documents).toMatchObject([
      {
        reference: "A",
        problems: [
          { path: "line 2", message: { en: expect.stringContaining("a decimal comma, needs quotes") } },
        ],
      },
      { reference: "B", body: { document: { totals: { net: 1250 } } } },
    ]);
  });

  test("without quoting its cells", async () => {
    const secret = "ΜΥΣΤΙΚΟ";
    const columns = [
      "type",
      "issue_date",
      "number",
      "customer_branch",
      "quantity",
      "unit_price",
      "vat_category",
    ];
    const rest = ["unit", "vat_exemption", "payment_method"];
    const row = rowWith(Object.fromEntries([...columns, ...rest].map((column) => [column, secret])));
    const found = await readProblems(csvOfRows([row]));
    expect(found).toHaveLength(columns.length + rest.length);
    expect(found.join()).not.toContain(secret);
  });
});

test("names the place of a problem in both languages", async () => {
  const [document] = await readCsv(csvOfRows([rowWith({ quantity: "" })]));
  const problems = document !== undefined && "problems" in document ? document.problems : [];
  expect(listProblems(problems)).toEqual({
    en: "line 2, quantity: is empty",
    el: "γραμμή 2, Ποσότητα (quantity): είναι κενό",
  });
});

describe("refuses a file", () => {
  test.each<[what: string, row: string, says: RegExp]>([
    [
      "with a quotation mark inside a cell",
      'A;11.1;2026-11-02;Σωλήνας 1/2";1;1,00;24%',
      /^line 4: has a quotation mark in the wrong place/,
    ],
    [
      "with text after a closing quotation mark",
      'A;11.1;2026-11-02;"x"y;1;1,00;24%',
      /^line 4: has a quotation mark in the wrong place/,
    ],
    [
      "with an unclosed quotation mark",
      'A;11.1;2026-11-02;"x;1;1,00;24%\nB;11.1',
      /^line 4: opens a quotation mark/,
    ],
    [
      "with an endless row",
      `A;11.1;2026-11-02;${"x".repeat(1_000_000)};1;1,00;24%`,
      /^line 4: .*is longer than 1000000 bytes/,
    ],
  ])("%s, at the line where the row starts", async (_what, row, says) => {
    const file = `${HEADER}\nO;11.1;2026-11-02;"a\nb";1;1,00;24%\n${row}`;
    await expect(readCsv(file)).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringMatching(says),
    });
  });

  test("with a shifted row whose reference may be another document's", async () => {
    const file = `description;reference;type;issue_date;quantity;unit_price;vat_category\nx;y;A;11.1;2026-11-02;1;1,00;24%\n`;
    await expect(readCsv(file)).rejects.toThrow(/^line 2: has a cell below no column/);
  });
});

async function placesOf(rows: readonly Record<string, string>[]): Promise<unknown[]> {
  const documents = await readCsv(csvOfRows(rows));
  return documents.flatMap((document) =>
    "problems" in document ? document.problems.map(({ row, column }) => [row, column]) : [],
  );
}

describe("the problems of a document", () => {
  test("include unreadable cells and broken rules of the other cells", async () => {
    const rows = [
      rowWith({ type: "1.1", customer_tax_id: "123456789", unit_price: "x" }),
      rowWith({ type: "", customer_tax_id: "", vat_category: "exempt", description: "y".repeat(301) }),
      rowWith({ type: "", customer_tax_id: "", quantity: "" }),
    ];
    expect(await placesOf(rows)).toEqual([
      [2, "unit_price"],
      [2, "customer_tax_id"],
      [3, "description"],
      [3, "vat_exemption"],
      [4, "quantity"],
    ]);
  });

  test("leave out consequences of an unreadable cell", async () => {
    const row = rowWith({
      type: "1.1",
      customer_country: "DE",
      customer_tax_id: "1,2E+08",
      income_category: "x",
    });
    expect(await placesOf([rowWith({ ...row, quantity: "two" })])).toEqual([
      [2, "customer_tax_id"],
      [2, "quantity"],
    ]);
  });
});
