import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { readSheet } from "read-excel-file/node";
import { issue } from "../helpers/issuing.ts";
import { addShop, lines, receipt, openShop } from "../helpers/receipts.ts";
import { forEachTest } from "../helpers/set-up.ts";
import { expectPrinted } from "../helpers/program.ts";

const workshop = forEachTest(openShop);

const PERIOD = ["--from", "2025-01-01", "--to", "2025-12-31"];
const report = (...args: string[]) => workshop.run(["reports", ...args]);

describe.each(["vat", "income"])("reports %s", (kind) => {
  test.each([
    [["--month", "2025-02"], "2025-02-01", "2025-02-28"],
    [["--month", "2/2024"], "2024-02-01", "2024-02-29"],
    [["--from", "1/2/2025", "--to", "2025-02-03"], "2025-02-01", "2025-02-03"],
  ])("of %j is of these days", async (args, from, to) => {
    expect((await report(kind, ...args, "--json")).json()).toMatchObject({ from, to });
  });

  test("without documents says so, and has an empty object as JSON", async () => {
    expect((await report(kind, ...PERIOD)).stderr).toContain("No issued documents");
    expect((await report(kind, ...PERIOD, "--json")).json()).toMatchObject({
      from: "2025-01-01",
      to: "2025-12-31",
      merchants: [],
    });
  });

  test("of an unknown merchant ends with 3", async () => {
    expect(await report(kind, ...PERIOD, "--merchant", "nobody")).toMatchObject({ exitCode: 3 });
  });
});

describe("reports of issued documents", () => {
  beforeEach(async () => {
    await issue(workshop, [receipt("A-1"), receipt("A-2")]);
  });

  test("vat prints rates, boxes and the total, in Greek too", async () => {
    const english = await report("vat", ...PERIOD);
    expectPrinted(english, 0, /shop\n[^]*24%[^]*Greece[^]*303[^]*307[^]*311[^]*333[^]*337[^]*total: net/);
    const greek = await report("vat", ...PERIOD, "--lang", "el");
    expect(greek.stdout).toMatch(/συντελεστής[^]*Ελλάδα[^]*κωδικός του Φ2[^]*σύνολο: καθαρή αξία/);
  });

  test("income prints what each classification comes to", async () => {
    expectPrinted(
      await report("income", ...PERIOD),
      0,
      /^shop\ncategory\ttype\tnet\ncategory1_1\tE3_561_003\t20.00\ntotal: net 20.00\n$/,
    );
  });

  test("vat says how much of the boxes is due only once it is paid", async () => {
    const stdin = '{"vat_payment_suspension": true}';
    await workshop.run("merchants settings shop --file -", { stdin });
    await issue(workshop, [receipt("B-1")]);
    const json = (await report("vat", ...PERIOD, "--json")).json<{ merchants: object[] }>();
    expect(json.merchants).toMatchObject([{ vat_payment_suspension: { net: 1000, vat: 240 } }]);
    const { stderr } = await report("vat", ...PERIOD);
    expect(stderr).toContain("net 10.00 and VAT 2.40 belong to the period in which they are paid");
  });

  test.each([
    { kind: "vat", shop: "net 20.00, VAT 4.80", other: "net 10.00, VAT 2.40", total: "net 30.00, VAT 7.20" },
    { kind: "income", shop: "net 20.00", other: "net 10.00", total: "net 30.00" },
  ])("$kind prints a subtotal for each of several merchants", async ({ kind, shop, other, total }) => {
    await addShop(workshop, "other");
    const stdin = lines([receipt("B-1")]);
    await workshop.run("documents issue - --merchant other", { stdin });
    const sums = [...(await report(kind, ...PERIOD)).stdout.matchAll(/^(?:sub)?total: .*$/gm)];
    const expected = [`subtotal: ${other}`, `subtotal: ${shop}`, `total: ${total}`];
    expect(sums.map(([line]) => line)).toEqual(expected);
  });

  test("--output writes a CSV file that Greek Excel opens", async () => {
    expect(await report("vat", ...PERIOD, "--output", "vat.csv")).toMatchObject({ exitCode: 0, stdout: "" });
    const text = readFileSync(workshop.at("vat.csv"), "utf8");
    expect(text.startsWith("\ufeffsection;merchant;rate;vat_category")).toBe(true);
    expect(text).toMatch(/rates;shop;24;standard;;greece;"\d+,\d\d";"\d+,\d\d"\r\n/);
    expect(text).toMatch(/boxes;shop;303;"\d+,\d\d"\r\n/);
  });

  test("--output in Greek has one row for each client and one column for each box", async () => {
    await report("vat", ...PERIOD, "--output", "vat.xlsx", "--lang", "el");
    const file = workshop.at("vat.xlsx");
    const [heads = [], client = [], ...others] = await readSheet(file, "δήλωση Φ2");
    expect(others).toEqual([]);
    const box = (number: string) => client[heads.indexOf(number)];
    expect(client.slice(0, 3)).toEqual(["123456783", "Παράδειγμα Α.Ε.", "shop"]);
    expect([box("303"), box("333"), box("301")]).toEqual([20, 4.8, 0]);
    const [, rates = []] = await readSheet(file, "συντελεστές");
    for (const word of ["κανονικός", "Ελλάδα"]) expect(rates).toContain(word);
    await report("income", ...PERIOD, "--output", "income.csv", "--lang", "el");
    const text = readFileSync(workshop.at("income.csv"), "utf8");
    expect(text).toContain("ενότητα;ΑΦΜ;επωνυμία;πελάτης γραφείου;κατηγορία;τύπος;καθαρή αξία\r\n");
    expect(text).toContain('έσοδα;123456783;Παράδειγμα Α.Ε.;shop;category1_1;E3_561_003;"20,00"');
  });

  test("--output writes a workbook with a sheet for each part", async () => {
    await report("vat", ...PERIOD, "--output", "vat.xlsx");
    const file = workshop.at("vat.xlsx");
    expect((await readSheet(file, "rates"))[1]?.slice(0, 4)).toEqual(["shop", 24, "standard", null]);
    expect((await readSheet(file, "boxes")).map(([, box]) => box)).toContain("303");
    expect(await readSheet(file, "eu_sales")).toHaveLength(1);
  });
});
