/** `fiscal documents new`: docs/contract.md#new-documents. */
import { access } from "node:fs/promises";
import { expect, test } from "vitest";
import { EXIT } from "../../../commands/exit.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import {
  answering,
  expectRefused,
  expectSaid,
  type RunOptions,
  expectPrinted,
} from "../../helpers/program.ts";
import { openShop } from "../../helpers/receipts.ts";
import { forAllTests } from "../../helpers/set-up.ts";

const workshop = forAllTests(openShop);

const create = (args: string[], options?: RunOptions) =>
  workshop.run(["documents", "new", "--merchant", "shop", ...args], options);
const count = async () => (await workshop.list<unknown>("documents list --all")).length;

const RECEIPT = ["--type", "11.1", "--payment", "μετρητά", "--line", "Καφές; 2 τεμ.; 2,50; 24%"];

test("a document is issued from flags, and its PDF written to the folder", async () => {
  const run = await create([...RECEIPT, "--line", "Νερό; a; b; 1; 0,50; 13%", "--reference", "N-1"]);
  expectPrinted(run, 0, /^MARK +\d+$/m);
  const path = /^Its PDF: (.+\.pdf)$/m.exec(run.stderr)?.[1] ?? "";
  await access(path);
  expect(await workshop.read("documents show N-1")).toMatchObject({ type: "11.1", net: 550, vat: 127 });
});

test("an interrupt ends the program at once while a PDF is written, and not while the document is sent", async () => {
  const listened: [text: string, boolean][] = [];
  const onOutput: RunOptions["onOutput"] = (text, program) => {
    const [name] = /created with this idempotency key|^Its PDF/.exec(text) ?? [];
    if (name !== undefined) listened.push([name, program.interrupt()]);
  };
  await create([...RECEIPT, "--reference", "S-1"], { onOutput });
  const repeat = ["documents", "repeat", "S-1", "--reference", "S-2", "--idempotency-key", "s-2"];
  await workshop.run(repeat, { onOutput });
  await workshop.run("documents credit S-1", { onOutput });
  expect((await workshop.run(repeat, { onOutput })).exitCode).toBe(EXIT.interrupted);
  expect(listened).toEqual([
    ["Its PDF", false],
    ["Its PDF", false],
    ["Its PDF", false],
    ["created with this idempotency key", true],
  ]);
});

test("prices with VAT add up to the cent, with a further line where needed", async () => {
  const line = ["--gross", "--line", "Καφές; 1; 0,11; 24%"];
  const run = await create(["--type", "11.1", "--payment", "cash", ...line, "--json"]);
  expect(run.json<DocumentObject>()).toMatchObject({ status: "issued", gross: 11 });
});

test("a tax is withheld from what is payable, and notes and days are kept, also when it is repeated", async () => {
  const invoice = ["--type", "2.1", "--customer", "099877660", "--payment", "on_credit"];
  const line = ["--line", "Συμβουλές; 1; 1000; 24%"];
  const more = "--withhold 20% --notes Πίστωση --due-date 5/11/2026 --delivery-date 2026-11-01".split(" ");
  const shown = await create([...invoice, ...line, ...more, "--preview"]);
  expect(shown.stdout).toContainAll(
    /^withheld tax 20% +-200\.00 EUR$/m,
    /^payable +1040\.00 EUR\ndelivery date +2026-11-01\npay by +2026-11-05\nnotes +Πίστωση$/m,
    /^paid +1040\.00 EUR, On credit$/m,
  );
  await create([...invoice, ...line, ...more, "--reference", "W-1"]);
  const repeated = await workshop.run("documents repeat W-1 --reference W-2 --yes");
  expect(repeated.exitCode, repeated.stderr).toBe(0);
  expect((await workshop.run("documents show W-2 --lang el")).stdout).toMatch(/^πληρωτέο +1\.040,00 EUR$/m);
  const wrong = await create([...invoice, ...line, "--withhold", "15%"]);
  expectRefused(wrong, 2, /--withhold: must be 20%.*10: 15% lawyers/);
});

test("--preview shows the document and issues nothing", async () => {
  const before = await count();
  expectPrinted(await create([...RECEIPT, "--preview"]), 0, /^gross +6\.20 EUR$/m);
  expect(await count()).toBe(before);
});

test("words are read as codes, and EL as Greece; a word with two meanings is refused", async () => {
  const flags = ["--payment", "κάρτα", "--line", "Καφές; 2 τεμάχια; 2,50; ΦΠΑ 24%", "--preview", "--json"];
  const customer = ["--customer", "094012834", "--customer-country", "EL"];
  const run = await create(["--type", "τιμολόγιο πώλησης", ...customer, ...flags]);
  expect(run.json()).toMatchObject({ type: "1.1", totals: { gross: 620 } });
  const declined = await create(["--type", "τιμολόγιο", ...customer, ...flags]);
  expectRefused(declined, 2, "--type may be Sales invoice (1.1)");
});

const ENTER = "\r";
const ANSWERS = {
  // In one piece, as a paste or a fast typist over a slow line sends it.
  "Πελάτης (ΑΦΜ": `094012834${ENTER}`,
  "Οι τιμές είναι": ENTER,
  "Γραμμή 1: περιγραφή": `Συμβουλές${ENTER}`,
  Ποσότητα: `2,5 κιλά${ENTER}`,
  "Τιμή μονάδας": `10${ENTER}`,
  ΦΠΑ: ENTER,
  "Γραμμή 2: περιγραφή": ENTER,
  Πληρωμή: ENTER,
};

test("a terminal is asked in Greek for what is missing, and gets the command with the answers", async () => {
  const options = answering({ ...ANSWERS, "Να εκδοθεί αυτό": `ν${ENTER}` });
  const run = await workshop.run("--lang el documents new --merchant shop --type 2.1", options);
  expectSaid(
    run,
    0,
    "Μέχρι εδώ: καθαρή αξία 25,00 EUR, ΦΠΑ 6,00 EUR, σύνολο 31,00 EUR",
    /^Το PDF του: .+\.pdf$/m,
  );
  const [, line = ""] = /^Το ίδιο ως εντολή: (.+)$/m.exec(run.stderr) ?? [];
  expect(line).toContain("--line 'Συμβουλές; 2.5 kg; 10.00; 24%' --payment on_credit");
  // The sandbox's lookup.
  expect(line).toContainAll("--customer-name 'ΥΠΟΔΕΙΓΜΑ ΕΜΠΟΡΙΚΗ ΑΕ'", "--customer-city 'ΑΘΗΝΑ'");
});

test("Ctrl-C at a question and a declined confirmation issue nothing", async () => {
  const before = await count();
  expect((await create(["--type", "11.1"], answering({ "Prices are": "\x03" }))).exitCode).toBe(130);
  expect((await create(RECEIPT, answering({ "Issue this": `n${ENTER}` }))).exitCode).toBe(1);
  expect(await count()).toBe(before);
});

test.each([
  { args: ["--type", "2.1", "--customer", "094012835"], message: "--customer: has a wrong check digit" },
  { args: ["--series", "Α Β"], message: "--series: must have 1 to 20" },
  { args: ["--customer-postal-code", "1".repeat(21)], message: "--customer-postal-code: must have" },
  { args: ["--due-date", "31/2/2026"], message: "--due-date: must be a calendar date" },
])("the wrong value in $args is refused before anything is asked", async ({ args, message }) => {
  const run = await create(args, { terminal: true });
  expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
  expect(run.stderr).not.toContain("?");
});

test("a customer's name is refused for a receipt, which has no customer", async () => {
  const run = await create([...RECEIPT, "--customer-name", "Νέα", "--preview"]);
  expectSaid(run, 2, "fiscal: --customer-name: is not allowed for type 11.1");
});

test("each answer is checked when it is given", async () => {
  const CLEAR = "\x15";
  const refused = answering({
    "Customer (tax": `094012835${ENTER}`,
    "Prices are": ENTER,
    "Line 1: description": `${"x".repeat(301)}${ENTER}`,
    Quantity: `${CLEAR}0${ENTER}`,
    "Unit price": `1000000001${ENTER}`,
    VAT: "\x03",
  });
  const corrections = new Map([
    ["has a wrong check digit", `${CLEAR}094012834${ENTER}`],
    ["must have 1 to 300 characters", `${CLEAR}Advice${ENTER}`],
    ["above 0, with up to 9", `${CLEAR}2${ENTER}`],
    ["the price must be at most 1000000000.00 EUR", `${CLEAR}10${ENTER}`],
  ]);
  const run = await create(["--type", "2.1"], {
    ...refused,
    onOutput(text, program) {
      refused.onOutput?.(text, program);
      for (const [problem, answer] of corrections)
        if (text.includes(problem) && corrections.delete(problem)) program.type(answer);
    },
  });
  expect([...corrections.keys()], run.stderr).toEqual([]);
  expect(run.exitCode).toBe(130);
});

test("a document that is refused as a whole keeps its answers, and is issued with what changes", async () => {
  const UP = "\x1b[A";
  const options = answering({
    "Change\n  the type\n  the customer": `${UP}${UP}${UP}${ENTER}`,
    "Change\n  the type\n  the lines": ENTER,
    "Issue this": `y${ENTER}`,
  });
  const run = await create([...RECEIPT, "--customer", "094012834", "--reference", "K-1"], options);
  expect(run.exitCode, run.stderr).toBe(0);
  const commands = [...run.stderr.matchAll(/^The same as a command: (.+)$/gm)].map(([, line = ""]) => line);
  expect(commands.map((line) => line.includes("--customer 094012834"))).toEqual([true, false]);
  expect(await workshop.read("documents show K-1")).toMatchObject({ status: "issued", gross: 620 });
});

test("a refusal is said once if nothing is changed then", async () => {
  const answers = { "Issue this document?": `y${ENTER}`, "Change\n  the type": ENTER };
  const refuse = (...flags: string[]) =>
    create([...RECEIPT, "--customer", "094012834", ...flags], answering(answers));
  const run = await refuse();
  expect(run.exitCode, run.stderr).toBe(2);
  expect(run.stderr.match(/--customer: .+/g)).toHaveLength(1);
  expectSaid(await refuse("--json"), 2, /^ {2}"code": "validation_failed",$/m);
});

test("the rest of an address is asked for, and no other address completes it", async () => {
  const invoice = ["--type", "2.1", "--payment", "on_credit", "--line", "Advice; 3; 50; 24%"];
  const part = [...invoice, "--customer", "094012834", "--customer-street", "Ερμού"];
  expectRefused(await create(part), 2, "--customer-postal-code is missing");
  const options = answering({ "Postal code": `10563${ENTER}`, City: `Αθήνα${ENTER}` });
  const run = await create([...part, "--yes", "--reference", "P-1"], options);
  expect(run.exitCode, run.stderr).toBe(0);
  expect(await workshop.read("customers show 094012834 --merchant shop")).toMatchObject({
    address: { street: "Ερμού", postal_code: "10563", city: "Αθήνα" },
  });
});

const ASKED = ["--type", "2.1", "--quiet"];
const TYPED = {
  "Customer (tax": `094012834${ENTER}`,
  "Prices are": ENTER,
  "Line 1: description": `Advice${ENTER}`,
  Quantity: `3${ENTER}`,
  "Unit price": `50${ENTER}`,
  VAT: ENTER,
  "Line 2: description": ENTER,
};

test.each<{ how: string; answers: Record<string, string>; exitCode: number }>([
  { how: "is declined", answers: { Payment: ENTER, "Issue this": `n${ENTER}` }, exitCode: 1 },
  {
    how: "is interrupted at the confirmation",
    answers: { Payment: ENTER, "Issue this": "\x03" },
    exitCode: 130,
  },
  { how: "is interrupted at the last question", answers: { Payment: "\x03" }, exitCode: 130 },
])("if a document $how, what was answered is printed as a command", async ({ answers, exitCode }) => {
  const run = await create(ASKED, answering({ ...TYPED, ...answers }));
  expectSaid(run, exitCode, "--type 2.1 --customer 094012834", "--line 'Advice; 3; 50.00; 24%'");
});

test("if a document cannot be stored, what was answered is printed as a command", async () => {
  const options = answering({ ...TYPED, Payment: ENTER, "Issue this": `y${ENTER}` });
  const run = await create(ASKED, {
    ...options,
    onOutput(text, program) {
      if (text.includes("Issue this"))
        workshop.change(
          "CREATE TRIGGER IF NOT EXISTS refused BEFORE INSERT ON documents BEGIN SELECT RAISE(ABORT, 'no'); END",
        );
      options.onOutput?.(text, program);
    },
  });
  workshop.change("DROP TRIGGER refused");
  expect(run.exitCode, run.stderr).toBe(1);
  const [, line = ""] = /The same as a command: (.+)$/m.exec(run.stderr) ?? [];
  expect(line).toContain(`--data-dir ${workshop.at("data")} documents new --merchant shop`);
  expect(line).toContain("--line 'Advice; 3; 50.00; 24%' --payment");
});

test("a price of a flag that no price without VAT leads to does not lose what was answered", async () => {
  const flags = ["--type", "11.1", "--gross", "--line", "x; 1000; 0,01; 24%"];
  const run = await create(flags, answering({ Payment: ENTER }));
  expectSaid(run, 2, "--line 1: the price has no price without VAT", "--gross --payment cash");
});

test("a merchant without a tax number is refused before anything is asked", async () => {
  await workshop.run("merchants add --external-id bare --name Bare");
  const run = await workshop.run("documents new --merchant bare", { terminal: true });
  expectRefused(run, 2, "bare has no tax number; `fiscal merchants update bare --tax-id` sets it");
});
