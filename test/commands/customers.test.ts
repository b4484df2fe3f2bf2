/** `fiscal customers`: docs/contract.md#customers. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { issueAll } from "../helpers/issuing.ts";
import { hasPdfTools, withPdf } from "../helpers/pdf-tools.ts";
import { answering, expectRefused, expectSaid, type RunOptions } from "../helpers/program.ts";
import { addShop, invoice, receipt, openShop } from "../helpers/receipts.ts";
import { forAllTests } from "../helpers/set-up.ts";

const ADDRESS = { street: "Ερμού", number: "1", postal_code: "10563", city: "Αθήνα" };

const workshop = forAllTests(openShop);
beforeAll(async () => {
  await addShop(workshop, "other");
  const { document, ...rest } = invoice("I-1");
  const customer = { tax_id: { country: "GR", code: "094012834" }, name: "Πελάτης Α.Ε.", address: ADDRESS };
  const foreign = { tax_id: { country: "DE", code: "129273398" }, name: "Muster", address: ADDRESS };
  await issueAll(workshop, [
    { ...rest, document: { ...document, customer } },
    invoice("I-2"),
    { ...invoice("I-3"), document: { ...document, customer: foreign } },
    receipt("R-1"),
  ]);
});

const customers = (line: string, options?: RunOptions) =>
  workshop.run(`customers ${line} --merchant shop`, options);

test("the customers of issued documents are remembered with what any of them said", async () => {
  const list = await customers("list --json");
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Athens" }).format(new Date());
  expect(list.json()).toEqual({
    object: "list",
    has_more: false,
    data: [
      { country: "GR", code: "094012834", name: "Πελάτης Α.Ε.", address: ADDRESS, last_used: today },
      { country: "DE", code: "129273398", name: "Muster", address: ADDRESS, last_used: today },
    ],
  });
  expect((await customers("list")).stdout).toContain("Ερμού 1, 10563 Αθήνα");
});

test("other merchants and the other mode have none of them", async () => {
  expectRefused(await workshop.run("customers list"), 2, "--merchant is missing");
  expectRefused(await workshop.run("customers list --merchant other"), 0, "No customers");
  expect((await workshop.run("--live customers list --merchant shop")).stdout).toBe("");
});

test("a Greek customer is found by the bare number, others with their country", async () => {
  expect((await customers("show 'EL 094012834'")).stdout).toMatch(/^name +Πελάτης Α\.Ε\.$/m);
  expect((await customers("show 094012834 --json")).json()).toMatchObject({ country: "GR" });
  expect((await customers("show DE129273398")).exitCode).toBe(0);
  expect((await customers("show 129273398")).exitCode).toBe(3);
});

test.each([
  ["a number", "094012834", ["I-2", "I-1"]],
  ["a number with its country", "el 094012834", ["I-2", "I-1"]],
  ["a number of another country", "FR094012834", []],
  ["a foreign number without its country", "129273398", ["I-3"]],
  ["part of a name, without case and accents", "πελατησ α", ["I-2", "I-1"]],
  ["part of a name in letters that look alike", "ΜUSΤ", ["I-3"]],
  ["a name that nobody has", "Κανένας", []],
])("documents are listed by %s", async (_what, customer, references) => {
  const list = await workshop.run(`documents list --customer '${customer}' --json`);
  const { data } = list.json<{ data: { external_reference: string }[] }>();
  expect(data.map(({ external_reference: reference }) => reference)).toEqual(references);
});

test("lists of documents show the customer's name, or the number of one without a name", async () => {
  const { stdout } = await workshop.run("documents list");
  const row = (reference: string) => stdout.split("\n").find((line) => line.includes(reference));
  expect(row("I-1")).toContain("Πελάτης Α.Ε.");
  expect(row("I-2")).toContain("094012834");
  expect(row("R-1")).not.toMatch(/Πελάτης|094012834/);
});

test("the database holds neither numbers nor names in clear", async () => {
  const data = workshop.at("data");
  for (const name of (await readdir(data)).filter((file) => file.startsWith("fiscal.db"))) {
    const bytes = await readFile(join(data, name));
    for (const text of ["094012834", "129273398", "Πελάτης Α.Ε.", "Muster"])
      expect([name, text, bytes.includes(text)]).toEqual([name, text, false]);
  }
});

test("a statement has a customer's documents and credits with a running sum, as JSON, table, workbook and PDF", async () => {
  const credited = await workshop.read<{ gross: number }>("documents credit I-1 --date 2025-01-20 --line 1");
  const cancelled = (await issueAll(workshop, [invoice("I-4")]))[0]!;
  await workshop.run(`documents cancel ${cancelled.id} --yes`);
  const period = "094012834 --from 2025-01-15 --to 2025-01-31";
  const amounts = [6324, 6324, -credited.gross];
  expect((await customers(`statement ${period} --json`)).json()).toMatchObject({
    from: "2025-01-15",
    to: "2025-01-31",
    merchant: "shop",
    customer: { country: "GR", code: "094012834", name: "Πελάτης Α.Ε." },
    rows: amounts.map((amount, index) => ({
      issue_date: index === 2 ? "2025-01-20" : "2025-01-15",
      type: index === 2 ? "5.1" : "1.1",
      amount,
      sum: amounts.slice(0, index + 1).reduce((sum, one) => sum + one),
    })),
    total: 2 * 6324 - credited.gross,
  });
  expect((await customers(`statement ${period}`)).stdout).toMatch(/126\.48/);
  expect((await customers("statement 094012834 --month 2025-02")).stderr).toContain("No issued documents");
  for (const ending of ["pdf", "xlsx", "csv"]) {
    const run = await customers(`statement ${period} --output statement.${ending} --lang el`);
    expect(run).toMatchObject({ exitCode: 0, stdout: "" });
  }
  expect(await readFile(workshop.at("statement.csv"), "utf8")).toContainAll("ημερομηνία έκδοσης", "126,48");
  const pdf = await readFile(workshop.at("statement.pdf"));
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  if (hasPdfTools)
    withPdf(pdf, ({ problems, text }) => {
      expect(problems).toBe("");
      for (const part of ["Καρτέλα πελάτη", "Πελάτης Α.Ε.", "126,48", "ΔΟΚΙΜΗ"]) expect(text).toContain(part);
    });
  expect((await readFile(workshop.at("statement.xlsx"))).subarray(0, 2).toString()).toBe("PK");
});

test("a customer is forgotten after a confirmation, and its documents stay", async () => {
  expect((await customers("forget DE129273398", answering({ Forget: "n\n" }))).exitCode).toBe(1);
  expect((await customers("forget DE129273398 --yes")).exitCode).toBe(0);
  expect((await customers("show DE129273398")).exitCode).toBe(3);
  expect((await workshop.run("documents show I-3")).stdout).toContain("issued");
});

test("erase removes a customer", async () => {
  expect(await workshop.read("erase --tax-id 094012834 --yes")).toMatchObject({ customers: 1 });
  expect((await customers("show 094012834")).exitCode).toBe(3);
});

test("the only merchant need not be named", async () => {
  await workshop.run("merchants archive other --yes");
  expectSaid(await workshop.run("customers list"), 0, "No customers");
});
