import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readCells } from "../../src/intake/workbook-cells.ts";
import { describeProblems } from "../helpers/csv.ts";
import { type Cell, readWorkbook, workbookOf, workbookOfXml, xmlRow } from "../helpers/workbooks.ts";

const HEAD = ["reference", "type", "issue_date", "description", "quantity", "unit_price", "vat_category"];
const DAY = new Date(Date.UTC(2026, 1, 28));

function rowWith(cells: Readonly<Record<string, Cell>> = {}): Cell[] {
  const row: Record<string, Cell> = {
    reference: "A-1",
    type: "11.1",
    issue_date: DAY,
    description: "Καφές",
    quantity: 2,
    unit_price: 5,
    vat_category: "24%",
    ...cells,
  };
  return HEAD.map((column) => row[column] ?? null);
}

async function problemsOf(...rows: Cell[][]): Promise<string[]> {
  const documents = await readWorkbook(await workbookOf([HEAD, ...rows]));
  return documents.flatMap(describeProblems);
}

describe("reading a workbook", () => {
  test("reads types stored as numbers, days stored as dates and rates stored as percentages", async () => {
    const row = rowWith({ type: 11.1, quantity: 1.234, unit_price: 12.4, vat_category: 0.24 });
    const [document] = await readWorkbook(await workbookOf([HEAD, row]));
    expect(document).toMatchObject({
      body: {
        document: {
          type: "11.1",
          issue_date: "2026-02-28",
          lines: [{ description: "Καφές", quantity: "1.234", unit_price: 1240, vat_category: "standard" }],
          totals: { net: 1530, vat: 367, gross: 1897 },
        },
      },
    });
  });

  test.each([
    [12.4, 1240],
    [0.1, 10],
    [1234567.89, 123_456_789],
    [1.005e3, 100_500],
    [19.99, 1999],
  ])("reads %d as the shortest decimal that is this number", async (held, unit_price) => {
    const [document] = await readWorkbook(await workbookOf([HEAD, rowWith({ unit_price: held })]));
    expect(document).toMatchObject({ body: { document: { lines: [{ unit_price }] } } });
  });

  test.each<[what: string, cells: Record<string, Cell>, says: RegExp]>([
    [
      "a computed amount that is not a whole cent",
      { unit_price: 0.1 + 0.2 },
      /^line 2, unit_price: must have at most 2/,
    ],
    ["a number that lost its digits", { quantity: 1e21 }, /^line 2, quantity: was shortened/],
    [
      "a date with a time",
      { issue_date: new Date(DAY.getTime() + 3_600_000) },
      /^line 2, issue_date: must be a calendar date/,
    ],
    [
      "a date where a type belongs",
      { type: DAY },
      /^line 2, type: .*a spreadsheet may have made a date of it/,
    ],
    ["true where a number belongs", { quantity: true }, /^line 2, quantity: must be a number/],
  ])("refuses %s", async (_what, cells, says) => {
    const [first] = await problemsOf(rowWith(cells));
    expect(first).toMatch(says);
  });

  test("reads stored numbers exactly in a workbook whose text has decimal commas", async () => {
    const rows = [
      rowWith({ quantity: 1.25, unit_price: "12,50" }),
      rowWith({ quantity: "1,125", unit_price: 3.5 }),
    ];
    const [document] = await readWorkbook(await workbookOf([HEAD, ...rows]));
    expect(document).toMatchObject({
      body: {
        document: {
          lines: [
            { quantity: "1.25", unit_price: 1250 },
            { quantity: "1.125", unit_price: 350 },
          ],
        },
      },
    });
  });

  test("numbers rows as Excel does, blank ones included", async () => {
    const blank = HEAD.map(() => null);
    expect(await problemsOf(blank, rowWith(), blank, rowWith({ reference: "A-2", quantity: null }))).toEqual([
      "line 5, quantity: is empty",
    ]);
  });

  test("reads the named sheet, and lists the sheets where no sheet has the name", async () => {
    const bytes = await workbookOf([HEAD, rowWith()], "Τιμολόγια");
    expect(await readWorkbook(bytes, "Τιμολόγια")).toHaveLength(1);
    await expect(readWorkbook(bytes, "Other")).rejects.toThrow(/no sheet of that name; it has: Τιμολόγια$/);
  });
});

describe("a formula", () => {
  const row = (last: string) =>
    workbookOfXml(
      xmlRow(1, [...HEAD, "unit"]) + xmlRow(2, ["A-1", "11.1", "2026-02-28", "x", "1", "1", "24%"], last),
    );

  test.each<[what: string, cell: string]>([
    ["an error", '<c r="H2" t="e"><f>1/0</f><v>#DIV/0!</v></c>'],
    ["an error in apostrophes", "<c r='H2' t = 'e'><v>#N/A</v></c>"],
    ["no value yet", '<c r="H2"><f>A1</f></c>'],
    ["no value yet, and a style", '<c r="H2" s="0" t="n"><f>A1&amp;"x"</f></c>'],
  ])("with %s is refused, not read as blank", async (_what, cell) => {
    const [document] = await readWorkbook(row(cell));
    expect(document).toMatchObject({
      problems: [
        { path: "line 2, unit", message: { en: expect.stringContaining("error of the spreadsheet") } },
      ],
    });
  });

  test("with a value is read as its value", async () => {
    const [document] = await readWorkbook(row('<c r="H2" t="str"><f>A1</f><v>kg</v></c>'));
    expect(document).toMatchObject({ body: { document: { lines: [{ unit: "kg" }] } } });
  });
});

describe("a workbook is refused", () => {
  const refused = (bytes: Buffer, says: RegExp) =>
    expect(readWorkbook(bytes)).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringMatching(says),
    });

  test.each<[what: string, bytes: Buffer]>([
    ["an empty file", Buffer.alloc(0)],
    ["a CSV file", Buffer.from(HEAD.join(";"))],
    ["not a workbook", deflateRawSync("x")],
  ])("that is %s", async (_what, bytes) => {
    await refused(bytes, /cannot be read: it is damaged/);
  });

  test("that is truncated, at any length", async () => {
    const bytes = await workbookOf([HEAD, rowWith()]);
    for (let length = 0; length < bytes.length; length += 97) {
      const reading = readCells(bytes.subarray(0, length), undefined).next();
      await expect(reading).rejects.toThrow(/cannot be read: it is damaged/);
    }
  });

  test("that is larger than allowed", async () => {
    await refused(
      Buffer.alloc(16 * 1024 * 1024 + 1),
      /larger than allowed .* CSV UTF-8, which may be of any size/,
    );
  });

  test("that declares more unpacked bytes than allowed, without unpacking it", async () => {
    await refused(bombOf(100 * 1024 * 1024), /larger than allowed .* unpacked/);
  });

  test("that unpacks to more bytes than it declares", async () => {
    await refused(bombOf(1000), /cannot be read: it is damaged/);
  });

  /** Each entry is unpacked into memory of its own, however often the file names the same bytes. */
  test("whose directory names its entries several times", async () => {
    const bytes = await workbookOf([HEAD, rowWith()]);
    await refused(repeatDirectory(bytes, 2), /cannot be read: it is damaged/);
    await refused(repeatDirectory(bytes, 150), /cannot be read: it is damaged/);
  });

  test.each([
    [
      "to the right",
      '<row r="2"><c r="XFD2" t="str"><v>x</v></c></row><row r="900"><c r="A900"><v>1</v></c></row>',
    ],
    ["down", '<row r="999999999"><c r="A999999999"><v>1</v></c></row>'],
    ["down, in apostrophes", "<row r='2'><c r = 'A999999999'><v>1</v></c></row>"],
    ["away", '<row r="2"><c r="ZZZZZZ2"><v>1</v></c></row>'],
  ])("with a cell far %s, which would fill the memory", async (_where, xml) => {
    await refused(workbookOfXml(xmlRow(1, HEAD) + xml), /too far to the right or too far down/);
  });
});

/** An archive whose only entry unpacks to 100 MB of zeros and declares `declared` bytes. */
function bombOf(declared: number): Buffer {
  const name = Buffer.from("xl/workbook.xml");
  const packed = deflateRawSync(Buffer.alloc(100 * 1024 * 1024), { level: 1 });
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(8, 10);
  central.writeUInt32LE(packed.length, 20);
  central.writeUInt32LE(declared, 24);
  central.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  return Buffer.concat([local, name, packed, central, name, end]);
}

/** The archive with a directory that lists all its entries `times` times. It must have no comment. */
function repeatDirectory(archive: Buffer, times: number): Buffer {
  const end = Buffer.from(archive.subarray(archive.length - 22));
  const directory = archive.subarray(end.readUInt32LE(16), archive.length - 22);
  for (const at of [8, 10]) end.writeUInt16LE(times * end.readUInt16LE(at), at);
  end.writeUInt32LE(times * directory.length, 12);
  return Buffer.concat([
    archive.subarray(0, -22),
    ...Array.from({ length: times - 1 }, () => directory),
    end,
  ]);
}
