/** Tests that files of every format and dialect become the same documents. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { findKeyFile } from "../../../../src/keys/key-files.ts";
import { createCipher } from "../../../../storage/encryption/cipher.ts";
import { type DocumentList, listed } from "../../../helpers/issuing.ts";
import { openWorkshop } from "../../../helpers/program.ts";
import { addShop } from "../../../helpers/receipts.ts";
import { type Cell, workbookOf } from "../../../helpers/workbooks.ts";
import { placeIn } from "../../../../storage/encryption/sealed.ts";
import { forEachTest } from "../../../helpers/set-up.ts";

const DOCUMENTS = 200;
const COLUMNS = [
  "reference",
  "type",
  "issue_date",
  "customer_tax_id",
  "description",
  "quantity",
  "unit",
  "unit_price",
  "vat_category",
  "payment_method",
];

/** The values of a row before they are formatted for a dialect. */
interface Row {
  texts: Record<string, string>;
  quantity: number;
  price: number;
  /** Empty after the first row of a document. */
  day: Date | null;
}

const RATES = ["24%", "13%", "6%"];

function rowsOfDocument(index: number): Row[] {
  const isInvoice = index % 4 === 0;
  return Array.from({ length: 1 + (index % 3) }, (_, item) => ({
    texts: {
      reference: `Π-${index}`,
      type: item === 0 ? (isInvoice ? "1.1" : "11.1") : "",
      customer_tax_id: item === 0 && isInvoice ? "094012834" : "",
      description: `Καφές; «${index}», ${item} "φίλτρου"`,
      unit: item === 1 ? "kg" : "",
      vat_category: RATES[(index + item) % RATES.length]!,
      payment_method: item === 0 && index % 5 === 0 ? "cash" : "",
    },
    quantity: item === 1 ? 1.375 : 1 + (index % 7),
    price: (index * 37 + item * 1999) / 100 + 1000,
    day: item === 0 ? new Date(Date.UTC(2026, index % 10, 1 + (index % 28))) : null,
  }));
}

const ROWS = Array.from({ length: DOCUMENTS }, (_, index) => rowsOfDocument(index)).flat();

interface Form {
  encoding: "utf8" | "windows-1253";
  mark?: boolean;
  delimiter: string;
  sign: "," | ".";
  day(date: Date): string;
}

const iso = (date: Date) => date.toISOString().slice(0, 10);
const dayFirst = (separator: string, padded: boolean) => (date: Date) => {
  const parts = [date.getUTCDate(), date.getUTCMonth() + 1].map((part) =>
    String(part).padStart(padded ? 2 : 1, "0"),
  );
  return [...parts, date.getUTCFullYear()].join(separator);
};

function csvIn(form: Form): Buffer {
  const decimal = (value: number, digits: number) => value.toFixed(digits).replace(".", form.sign);
  const rows = ROWS.map(({ texts, quantity, price, day }) => ({
    ...texts,
    quantity: Number.isInteger(quantity) ? String(quantity) : decimal(quantity, 3),
    unit_price: decimal(price, 2),
    issue_date: day === null ? "" : form.day(day),
  })) as Record<string, string>[];
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = [COLUMNS, ...rows.map((row) => COLUMNS.map((column) => row[column] ?? ""))];
  const text = lines.map((cells) => `${cells.map(quote).join(form.delimiter)}\r\n`).join("");
  return iconv.encode(text, form.encoding, { addBOM: form.mark === true });
}

function workbook(): Promise<Buffer> {
  const rows = ROWS.map(({ texts, quantity, price, day }): Cell[] => {
    const cells: Record<string, Cell> = { ...texts, quantity, unit_price: price, issue_date: day };
    return COLUMNS.map((column) => (cells[column] === "" ? null : (cells[column] ?? null)));
  });
  return workbookOf([COLUMNS, ...rows]);
}

const BASE: Form = { encoding: "utf8", delimiter: ";", sign: ",", day: iso };

const FORMS: [name: string, says: string, bytes: () => Buffer | Promise<Buffer>][] = [
  ["semicolons.csv", "UTF-8, separated by semicolons, decimal comma", () => csvIn(BASE)],
  [
    "marked.csv",
    "UTF-8 with a byte order mark, separated by semicolons, decimal comma",
    () => csvIn({ ...BASE, mark: true }),
  ],
  [
    "greek.csv",
    "Windows-1253, separated by semicolons, decimal comma",
    () => csvIn({ ...BASE, encoding: "windows-1253" }),
  ],
  [
    "commas.csv",
    "UTF-8, separated by commas, decimal point",
    () => csvIn({ ...BASE, delimiter: ",", sign: "." }),
  ],
  ["tabs.csv", "UTF-8, separated by tabs, decimal comma", () => csvIn({ ...BASE, delimiter: "\t" })],
  ["slashes.csv", "decimal comma", () => csvIn({ ...BASE, day: dayFirst("/", false) })],
  ["hyphens.csv", "decimal comma", () => csvIn({ ...BASE, day: dayFirst("-", true) })],
  ["points.csv", "decimal comma", () => csvIn({ ...BASE, day: dayFirst(".", true) })],
  ["book.xlsx", "", workbook],
];

const workshop = forEachTest(openWorkshop);

/** A merchant's stored documents, by reference. */
function storedOf(merchant: string): Map<string, string> {
  const data = join(workshop.folder, "data");
  const cipher = createCipher(findKeyFile(join(data, "master.key"))!);
  const database = new Database(join(data, "fiscal.db"), { readonly: true });
  try {
    const rows = database
      .prepare<[string], { id: string; reference: string; sealed: Uint8Array }>(
        `select id, external_reference as reference, sealed from documents
         join document_inputs on document_id = id where merchant_id = ? order by id`,
      )
      .all(merchant);
    return new Map(
      rows.map(({ id, reference, sealed }) => [
        reference,
        String(cipher.open(placeIn("document_inputs", id), sealed)),
      ]),
    );
  } finally {
    database.close();
  }
}

describe("200 documents", () => {
  test("are the same from every kind of file, and a second run sends nothing", async () => {
    let first: Map<string, string> | undefined;
    for (const [name, says, bytes] of FORMS) {
      const merchant = await addShop(workshop, name);
      await writeFile(join(workshop.folder, name), await bytes());
      const issue = () => workshop.run(`documents issue ${name} --merchant ${name} --no-wait`);
      const run = await issue();
      expect(run, name).toMatchObject({ exitCode: 0 });
      expect(run.stderr).toContain(says);
      const stored = storedOf(merchant);
      first ??= stored;
      expect(stored, name).toEqual(first);
      if (name === "book.xlsx")
        expect((await issue()).stderr).toContain(`${DOCUMENTS} already accepted before`);
    }
    expect(first?.size).toBe(DOCUMENTS);
  });
});

const BAD: [reference: string, change: Record<string, string>, place: string, says: RegExp][] = [
  ["B-2", { quantity: "" }, "3, quantity", /is empty/],
  ["B-4", { issue_date: "02/13/2025" }, "5, issue_date", /must be a calendar date/],
  ["B-5", { unit_price: "1,234.5.6" }, "6, unit_price", /must be a number/],
  ["B-7", { vat_category: "exempt" }, "8, vat_exemption", /is required on an exempt line/],
  ["B-9", { description: "x".repeat(301) }, "10, description", /1 to 300 characters/],
];

describe("five bad rows among ten", () => {
  const rows = Array.from({ length: 10 }, (_, index) => {
    const reference = `B-${index + 1}`;
    const row = { reference, type: "11.1", issue_date: "2025-02-28", description: "Καφές", quantity: "2" };
    const change = BAD.find(([bad]) => bad === reference)?.[1];
    return { ...row, unit_price: "12,50", vat_category: "24%", ...change } as Record<string, string>;
  });
  const columns = Object.keys(rows[0]!);
  const table = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ""))];
  const csv = Buffer.from(table.map((cells) => `${cells.join(";")}\n`).join(""));

  test.each<[name: string, word: string, bytes: () => Buffer | Promise<Buffer>]>([
    ["shop.csv", "line", () => csv],
    ["shop.xlsx", "row", () => workbookOf(table)],
  ])(
    "of %s are reported by row, column and reason; the others are issued once",
    async (name, word, bytes) => {
      await addShop(workshop);
      await writeFile(join(workshop.folder, name), await bytes());
      const args = ["documents", "issue", name, "--merchant", "shop"];
      const dry = await workshop.run([...args, "--dry-run", "--json"]);
      expect(dry.exitCode).toBe(2);
      const verdicts = dry.json<{ data: { valid: boolean; problems: object[] }[] }>().data;
      expect(verdicts.filter(({ valid }) => !valid).map(({ problems }) => problems)).toEqual(
        BAD.map(([, , place, says]) => {
          const [row, column] = place.split(", ");
          const message = expect.stringMatching(says);
          return [{ path: `${word} ${place}`, row: Number(row), column, message }];
        }),
      );
      expect(await listed(workshop)).toEqual([]);

      const run = await workshop.run(args);
      expect(run.exitCode).toBe(2);
      for (const [reference, , place] of BAD)
        expect(run.stderr).toContain(`(${reference}): validation_failed: ${word} ${place}: `);
      expect(run.stderr).toContain("5 accepted, 5 refused before sending: 5 issued.");
      const again = await workshop.run([...args, "--json"]);
      expect(again.exitCode).toBe(2);
      expect(again.json<DocumentList>().data.map(({ external_reference }) => external_reference)).toEqual([
        "B-1",
        "B-3",
        "B-6",
        "B-8",
        "B-10",
      ]);
      expect(again.stderr).toContain("5 already accepted before");
      expect(await listed(workshop)).toHaveLength(5);
    },
  );
});
