/** Tests that files of every format and dialect become the same documents. */
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { type DocumentList, listed } from "../../../helpers/issuing.ts";
import { openShop } from "../../../helpers/receipts.ts";
import { workbookOf } from "../../../helpers/workbooks.ts";
import { forEachTest } from "../../../helpers/set-up.ts";

const workshop = forEachTest(openShop);

/** Under its reference another document would be a conflict. intake/csv-roundtrip has files of every dialect. */
test("a table is the same documents from every kind of file, and issues nothing twice", async () => {
  const head = ["reference", "type", "issue_date", "description", "quantity", "unit_price", "vat_category"];
  const tableIn = (delimiter: string, sign: string, day: string) =>
    [
      head,
      ["Π-1", "11.1", day, 'Καφές; «1», "φίλτρου"', `1${sign}375`, `1000${sign}37`, "24%"],
      ["Π-1", "", "", "Νερό", "2", `0${sign}50`, "13%"],
      ["Π-2", "11.2", day, "Σέρβις", "1", `40${sign}00`, "24%"],
    ]
      .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter))
      .join("\r\n");
  const day = new Date(Date.UTC(2026, 1, 9));
  const workbook = await workbookOf([
    head,
    ["Π-1", "11.1", day, 'Καφές; «1», "φίλτρου"', 1.375, 1000.37, "24%"],
    ["Π-1", null, null, "Νερό", 2, 0.5, "13%"],
    ["Π-2", "11.2", day, "Σέρβις", 1, 40, "24%"],
  ]);
  const greek = iconv.encode(tableIn(";", ",", "9/2/2026"), "windows-1253");
  const files: [name: string, content: string | Buffer, says: string][] = [
    ["greek.csv", greek, "Windows-1253, separated by semicolons, decimal comma"],
    ["commas.csv", tableIn(",", ".", "2026-02-09"), "UTF-8, separated by commas, decimal point"],
    ["marked.csv", `\ufeff${tableIn(";", ",", "09.02.2026")}`, "UTF-8 with a byte order mark, separated by"],
    ["tabs.csv", tableIn("\t", ",", "09-02-2026"), "UTF-8, separated by tabs, decimal comma"],
    ["book.xlsx", workbook, ""],
  ];
  for (const [name, content, says] of files) {
    await workshop.write(name, content);
    const run = await workshop.run(`documents issue ${name} --merchant shop --no-wait`);
    expect(run, name).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(says) });
    expect(run.stderr).toContain(name === "greek.csv" ? "2 accepted" : "2 already accepted before");
  }
  expect(await listed(workshop)).toMatchObject([{ net: 4000 }, { net: 137_651 }]);
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

  test.each<[name: string, bytes: () => Buffer | Promise<Buffer>]>([
    ["shop.csv", () => csv],
    ["shop.xlsx", () => workbookOf(table)],
  ])("of %s are reported by row, column and reason; the others are issued once", async (name, bytes) => {
    await workshop.write(name, await bytes());
    const args = ["documents", "issue", name, "--merchant", "shop"];
    const dry = await workshop.run([...args, "--dry-run", "--json"]);
    expect(dry.exitCode).toBe(2);
    const verdicts = dry.json<{ data: { valid: boolean; problems: object[] }[] }>().data;
    expect(verdicts.filter(({ valid }) => !valid).map(({ problems }) => problems)).toEqual(
      BAD.map(([, , place, says]) => {
        const [row, column] = place.split(", ");
        const message = expect.stringMatching(says);
        return [{ path: `line ${place}`, row: Number(row), column, message }];
      }),
    );
    expect(await listed(workshop)).toEqual([]);

    const run = await workshop.run(args);
    expect(run.exitCode).toBe(2);
    for (const [reference, , place] of BAD)
      expect(run.stderr).toContain(`(${reference}): validation_failed: line ${place}: `);
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
  });
});
