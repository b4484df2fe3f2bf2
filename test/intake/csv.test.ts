import { describe, expect, test } from "vitest";
import { chunksOf, csvOfRows, readBodies, readCsv, readTable, rowWith, TODAY } from "../helpers/csv.ts";
import { CUSTOMERS } from "../helpers/documents.ts";

const HEADER = "reference;type;issue_date;description;quantity;unit_price;vat_category";

describe("readTableDocuments, of a CSV file", () => {
  test("builds one document from the rows of a reference, with totals in cents", async () => {
    const [body] = await readBodies(
      csvOfRows([
        rowWith({ quantity: "1,375", unit: "kg", unit_price: "3,99", payment_method: "pos" }),
        rowWith({
          type: "",
          issue_date: "",
          description: "Νερό; κρύο",
          unit_price: "0,50",
          vat_category: "13%",
        }),
      ]),
    );
    expect(body).toEqual({
      external_reference: "A-1",
      document: {
        type: "11.1",
        issue_date: "2026-11-02",
        currency: "EUR",
        supplier: { tax_id: { country: "GR", code: "123456783" }, branch: 0 },
        lines: [
          { description: "Καφές", quantity: "1.375", unit: "kg", unit_price: 399, vat_category: "standard" },
          { description: "Νερό; κρύο", quantity: "2", unit_price: 50, vat_category: "reduced" },
        ],
        payments: [{ method: "pos", amount: 549 + 132 + 100 + 13 }],
        totals: { net: 649, vat: 145, gross: 794 },
      },
    });
  });

  test("reads every column of a row", async () => {
    const customer = {
      customer_country: "de",
      customer_tax_id: "DE 123",
      customer_name: "Muster GmbH",
      customer_street: "Hauptstraße",
      customer_street_number: "5a",
      customer_postal_code: "01067",
      customer_city: "Dresden",
      customer_branch: "3",
    };
    const line = {
      vat_category: "exempt",
      vat_exemption: "14",
      income_category: "1_1",
      income_type: "e3_561_005",
    };
    const marks = { original_marks: "400000000000001|400000000000002" };
    const row = rowWith({ type: "5,1", series: "ΠΙΣ", number: "0012", ...customer, ...line, ...marks });
    const [body] = await readBodies(csvOfRows([row]));
    expect(body).toMatchObject({
      series: "ΠΙΣ",
      number: 12,
      document: {
        type: "5.1",
        customer: {
          tax_id: { country: "DE", code: "DE 123" },
          name: "Muster GmbH",
          address: { street: "Hauptstraße", number: "5a", postal_code: "01067", city: "Dresden" },
          branch: 3,
        },
        original_marks: ["400000000000001", "400000000000002"],
        lines: [
          { vat_exemption: 14, income_classification: { category: "category1_1", type: "E3_561_005" } },
        ],
      },
    });
    expect(body?.document).not.toHaveProperty("payments");
  });

  test.each<[cells: Record<string, string>, taxId: Record<string, string>]>([
    [{ customer_tax_id: "094012834" }, CUSTOMERS.greek.tax_id],
    [{ customer_country: "gr", customer_tax_id: "EL094012834" }, CUSTOMERS.greek.tax_id],
    [{ customer_country: "el", customer_tax_id: "EL094012834" }, CUSTOMERS.greek.tax_id],
    [{ customer_country: "GR", customer_tax_id: "094012834" }, CUSTOMERS.greek.tax_id],
    [{ customer_name: "Κάποιος" }, { country: "GR" }],
  ])("reads the customer %j as the tax number %j", async (cells, taxId) => {
    const [body] = await readBodies(csvOfRows([rowWith(cells)]));
    expect(body?.document["customer"]).toMatchObject({ tax_id: taxId });
  });

  test("returns the line of the first row, counting blank lines and line breaks inside cells", async () => {
    const rows = ['A;11.1;2026-11-02;"two\r\nlines";1;1,00;24%', "", " ; ", "B;11.1;2026-11-02;x;1;1,00;24%"];
    const documents = await readCsv(`\r\n${HEADER}\r\n${rows.join("\r\n")}`);
    expect(documents.map(({ reference, line }) => ({ reference, line }))).toEqual([
      { reference: "A", line: 3 },
      { reference: "B", line: 7 },
    ]);
  });

  test("skips Excel's separator line", async () => {
    const file = Buffer.from(`\r\nsep=;\r\n${HEADER}\r\nA;11.1;2026-11-02;x;1;1,00;24%\r\n`);
    const documents = await readCsv(file, [...file.keys()]);
    expect(documents).toMatchObject([{ reference: "A", line: 4, body: { external_reference: "A" } }]);
  });

  test("returns no documents for a file with only a header", async () => {
    expect(await readCsv(HEADER)).toEqual([]);
  });

  test("accepts rows with missing or surplus blank cells at the end", async () => {
    const file = `${HEADER};unit;;\nA;11.1;2026-11-02;x;1;1,00;24%\nB;11.1;2026-11-02;x;1;1,00;24%;kg;;;;\n`;
    expect(await readBodies(file)).toHaveLength(2);
  });

  test("learns the decimal sign from rows that come later", async () => {
    const rows = [
      rowWith({ quantity: "1,250", unit_price: "3" }),
      rowWith({ reference: "A-2", unit_price: "2,50" }),
    ];
    const [body] = await readBodies(csvOfRows(rows));
    expect(body?.document["lines"]).toMatchObject([{ quantity: "1.25" }]);
  });

  test("closes its source when the reader stops early", async () => {
    let isClosed = false;
    async function* source() {
      try {
        yield* chunksOf(Buffer.from(csvOfRows([rowWith(), rowWith({ reference: "A-2" })])));
      } finally {
        isClosed = true;
      }
    }
    for await (const document of readTable(source())) {
      expect(document.reference).toBe("A-1");
      break;
    }
    expect(isClosed).toBe(true);
  });

  test("throws an error of the source, and yields no document that may be incomplete", async () => {
    const failure = new Error("the disk is gone");
    async function* source() {
      yield Buffer.from(csvOfRows([rowWith()]));
      throw failure;
    }
    const read = async () => {
      for await (const document of readTable(source())) expect(document).toBeUndefined();
    };
    await expect(read()).rejects.toBe(failure);
  });
});

describe("a file of 100,000 rows", () => {
  test("is streamed: no more than the look-ahead is in memory", async () => {
    const rows = 100_000;
    let written = 0;
    async function* source() {
      yield Buffer.from(`${HEADER}\n`);
      while (written < rows) {
        let chunk = "";
        for (let index = 0; index < 100; index += 1, written += 1)
          chunk += `R-${written >> 1};11.1;2026-11-02;Καφές;1;1,00;24%\n`;
        yield Buffer.from(chunk);
      }
    }
    let documents = 0;
    let ahead = 0;
    for await (const document of readTable(source())) {
      expect("body" in document && document.reference).toBe(`R-${documents}`);
      documents += 1;
      ahead = Math.max(ahead, written - documents * 2);
    }
    expect(documents).toBe(rows / 2);
    // Two batches of the look-ahead, and the rows of one piece of text.
    expect(ahead).toBeLessThan(12_000);
  });

  test("is refused at both places of a reference that returns within the look-ahead, and at its return beyond it", async () => {
    const references = Array.from({ length: 30_000 }, (_, index) => `R-${index}`);
    references.splice(4000, 0, "R-0");
    references.push("R-1");
    const refused = (await readCsv(csvOfRows(references.map((reference) => rowWith({ reference }))))).filter(
      (document) => "problems" in document,
    );
    expect(refused).toMatchObject([
      { reference: "R-0", line: 2 },
      { reference: "R-0", line: 4002 },
      { reference: "R-1", line: 30_003 },
    ]);
  });
});

test("an empty issue date is today", async () => {
  const [body] = await readBodies(csvOfRows([rowWith({ issue_date: "" })]));
  expect(body!.document).toMatchObject({ issue_date: TODAY });
});
