import { beforeEach, describe, expect, test } from "vitest";
import { listed } from "../../helpers/issuing.ts";
import { answering, expectRefused, expectSaid, type RunOptions } from "../../helpers/program.ts";
import { addShop, openShop } from "../../helpers/receipts.ts";
import { workbookOf } from "../../helpers/workbooks.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const HEAD = ["Παραστατικό", "Ημερομηνία", "Είδος", "Ποσότητα", "Τιμή", "ΦΠΑ"];
const CELLS = ["2/1/2025", "Καφές", "2", "5,00", "ΦΠΑ 24%"];
const MAP = `
[columns]
reference = "Παραστατικό"
issue_date = "Ημερομηνία"
description = "Είδος"
quantity = "Ποσότητα"
unit_price = "Τιμή"
vat_category = "ΦΠΑ"
[values.vat_category]
"ΦΠΑ 24%" = "standard"
[defaults]
type = "11.1"
`;

const workshop = forEachTest(openShop);
beforeEach(async () => {
  await write("map.toml", MAP);
  await write("shop.csv", csvOf("A-1"));
});

function csvOf(reference: string): string {
  return [HEAD, [reference, ...CELLS]].map((cells) => `${cells.join(";")}\n`).join("");
}

const write = (name: string, content: string | Buffer) => workshop.write(name, content);
const issue = (line: string, options?: RunOptions) =>
  workshop.run(`documents issue ${line} --merchant shop --no-wait`, options);
const remember = () => issue("shop.csv --map map.toml --remember-map");
const map = (line: string) => workshop.run(`documents map ${line} --merchant shop`);
const ISSUED = [{ external_reference: "A-1", type: "11.1", gross: 1240 }];

describe("documents issue --map", () => {
  test("reads a file with the map, and the next one without", async () => {
    expect(await issue("shop.csv --map map.toml")).toMatchObject({ exitCode: 0 });
    expect(await listed(workshop)).toMatchObject(ISSUED);
    expectSaid(
      await issue("shop.csv"),
      2,
      /validation_failed: line 1: lacks the columns .*\n +line 1: has unknown columns, Παραστατικό, .*\n +line 1: may be read once .*--map FILE/,
    );
  });

  test("uses a map stored with --remember-map for later files, until --no-map or forget", async () => {
    expectSaid(await remember(), 0, "remembered for shop");
    await write("shop.xlsx", await workbookOf([HEAD, ["A-2", ...CELLS]]));
    expectSaid(await issue("shop.xlsx"), 0, /remembered for shop \(\d{4}-/);
    expect(await issue("shop.csv --no-map")).toMatchObject({ exitCode: 2 });
    expect(await map("forget --yes")).toMatchObject({ exitCode: 0, stdout: "" });
    expect(await issue("shop.csv")).toMatchObject({ exitCode: 2 });
  });

  test("uses a merchant's map only for its own files", async () => {
    await addShop(workshop, "other");
    await remember();
    const run = await workshop.run("documents issue shop.csv --merchant other --no-wait");
    expect(run.exitCode).toBe(2);
    expect(run.stderr).not.toContain("remembered");
  });

  test("stores no map in a dry run and says so", async () => {
    expectSaid(await issue("shop.csv --map map.toml --remember-map --dry-run"), 0, "not remembered");
    expect(await map("show")).toMatchObject({ exitCode: 3 });
  });
});

test("documents issue --column reads a file without a terminal with the flags that its error names", async () => {
  const refused = await issue("shop.csv");
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  const flags = [...refused.stderr.matchAll(/--(column|default) (?:"([^"]+)"|(\S+=[^\s,]+))/g)];
  const args = flags.map(([, flag, quoted, plain]) => `--${flag} '${quoted ?? plain}'`).join(" ");
  expect(args).toContain("Είδος=description");
  expect(await issue(`shop.csv ${args} --remember-map`)).toMatchObject({ exitCode: 0 });
  expect(await listed(workshop)).toMatchObject(ISSUED);
  expect(await issue("shop.csv")).toMatchObject({ exitCode: 0 });
});

test("documents issue --column adds to the map of the merchant, and counts before it", async () => {
  await remember();
  const other = csvOf("A-2").replace("Είδος", "Προϊόν").replace("Ημερομηνία;", "Σχόλια;");
  await write("other.csv", other);
  const flags = "--column Προϊόν=description --column Σχόλια=issue_date --default type=11.2";
  expect(await issue(`other.csv ${flags} --remember-map`)).toMatchObject({ exitCode: 0 });
  expect(await listed(workshop)).toMatchObject([{ type: "11.2" }, { type: "11.1" }]);
  const columns = { description: ["Είδος", "Προϊόν"] };
  expect((await map("show --json")).json()).toMatchObject({ columns });
  expect(await issue("shop.csv other.csv")).toMatchObject({ exitCode: 1 });
});

describe("unknown columns at a terminal", () => {
  const ENTER = "\r";
  const RETAIL_RECEIPT = `${"\u001b[B".repeat(4)}${ENTER}`;
  const SUGGESTED = {
    "Στήλη «Παραστατικό» (A-1)": ENTER,
    "Στήλη «Ημερομηνία»": ENTER,
    "Στήλη «Είδος» (Καφές)": ENTER,
    "Στήλη «Τιμή»": ENTER,
    "Στήλη «ΦΠΑ»": ENTER,
    "Το αρχείο δεν έχει τύπο": RETAIL_RECEIPT,
  };
  const atTerminal = (line: string, confirmation: string) =>
    workshop.run(
      `--lang el documents ${line} --merchant shop`,
      answering({ ...SUGGESTED, "Να διαβαστεί έτσι": `${confirmation}${ENTER}` }),
    );

  test("are asked about with suggestions, shown as read, and remembered for the next files", async () => {
    const first = await atTerminal("issue shop.csv --no-wait", "ν");
    expectSaid(first, 0, /│ A-1 +│ Απόδειξη λιανικής +│ 02\/01\/2025 │ - +│ Καφές +│ +2 │ +5,00 │ 24% │/);
    expect(await listed(workshop)).toMatchObject(ISSUED);
    await write("next.csv", csvOf("A-2"));
    const second = await atTerminal("issue next.csv --no-wait", "");
    expect(second.exitCode).toBe(0);
    expect(second.stderr).not.toContain("Στήλη «");
    expect(await listed(workshop)).toHaveLength(2);
  });

  test("are not remembered where the person declines, and nothing is issued", async () => {
    expectRefused(await atTerminal("preview shop.csv", "ο"), 1, "Δεν άλλαξε τίποτα");
    expect(await map("show")).toMatchObject({ exitCode: 3 });
  });

  test("leave nothing behind at Ctrl-C", async () => {
    const run = await workshop.run("documents issue shop.csv --merchant shop", {
      terminal: true,
      onOutput: (text, program) => void (text.includes("? Column") && program.type("\u0003")),
    });
    expect(run.exitCode).toBe(130);
    expect(await listed(workshop)).toEqual([]);
    expect(await map("show")).toMatchObject({ exitCode: 3 });
  });

  test("that become series and number are shown before the confirmation", async () => {
    const head = HEAD.with(0, "Αρ. παραγγελίας").concat("Σειρά", "Αριθμός");
    const rows = [head, ["A-1", ...CELLS, "ALP", "107"]];
    await write("shop.csv", rows.map((cells) => `${cells.join(";")}\n`).join(""));
    const run = await issue(
      "shop.csv",
      answering({
        'Column "Αρ. παραγγελίας"': ENTER,
        'Column "Ημερομηνία"': ENTER,
        'Column "Είδος"': ENTER,
        'Column "Τιμή"': ENTER,
        'Column "ΦΠΑ"': ENTER,
        'Column "Αριθμός"': ENTER,
        "The file has no type": RETAIL_RECEIPT,
        "Read shop.csv like this": `y${ENTER}`,
      }),
    );
    expectSaid(run, 0, /reference.*series.*number.*\nA-1 +ALP +107 /);
    expect(await listed(workshop)).toMatchObject([{ external_reference: "A-1", series: "ALP", number: 107 }]);
  });

  const BARE = {
    'Column "Είδος"': ENTER,
    'Column "Τιμή"': ENTER,
    'Column "Κίνηση"': ENTER,
    'Column "Μέρα"': ENTER,
  };

  test("that were left out are offered for a required column that is missing", async () => {
    await write("bare.csv", "Είδος;Τιμή;Κίνηση;Μέρα\nΚαφές;5,00;A-1;2/1/2025\n");
    const run = await issue(
      "bare.csv",
      answering({
        ...BARE,
        "Which column is the reference of the document": `\u001b[B${ENTER}`,
        "Which column is the issue date": `\u001b[B${ENTER}`,
        "The file has no quantity": ENTER,
        "The file has no type": RETAIL_RECEIPT,
        "The file has no VAT rate": ENTER,
        "Read bare.csv like this": `y${ENTER}`,
      }),
    );
    expect(run.exitCode).toBe(0);
    expect(await listed(workshop)).toMatchObject([
      { external_reference: "A-1", issue_date: "2025-01-02", gross: 620 },
    ]);
  });

  test("are reported where none of them is the missing column", async () => {
    await write("bare.csv", "Είδος;Τιμή;Κίνηση;Μέρα\nΚαφές;5,00;x;7\n");
    const answers = { ...BARE, "Which column is the reference of the document": ENTER };
    expectRefused(await issue("bare.csv", answering(answers)), 2, "lacks the columns reference");
    expect(await map("show")).toMatchObject({ exitCode: 3 });
  });
});

describe("documents map", () => {
  test("show prints a file for --map, or the map with --json", async () => {
    await remember();
    const shown = await map("show");
    await write("again.toml", shown.stdout);
    await write("next.csv", csvOf("A-2"));
    expect(await issue("next.csv --map again.toml")).toMatchObject({ exitCode: 0 });
    expect((await map("show --json")).json()).toMatchObject({
      object: "column_map",
      merchant: expect.stringMatching(/^mer_/),
      columns: { vat_category: "ΦΠΑ" },
      values: { vat_category: { "ΦΠΑ 24%": "standard" } },
      defaults: { type: "11.1" },
      ignore: [],
    });
  });

  test("exits with 3 without a map and explains how to store one", async () => {
    for (const line of ["show", "forget --yes"]) expectRefused(await map(line), 3, "--remember-map");
  });

  test("forget asks for confirmation and needs --yes without a terminal", async () => {
    await remember();
    expectRefused(await map("forget"), 2, "--yes is missing");
  });
});
