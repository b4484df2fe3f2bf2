/** `fiscal documents credit`, `repeat` and `correct`: docs/contract.md#credit-and-repeat. */
import { beforeAll, expect, test } from "vitest";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { issueAll, listed } from "../../helpers/issuing.ts";
import { expectRefused, expectSaid, expectPrinted } from "../../helpers/program.ts";
import { invoice, openShop, receipt } from "../../helpers/receipts.ts";
import { forAllTests } from "../../helpers/set-up.ts";

let documents: DocumentObject[];
const workshop = forAllTests(openShop);
beforeAll(async () => {
  const rejected = ["W-1", "W-2"].map((name) => ({ ...invoice(name), metadata: { sandbox: "rejected" } }));
  const own = { ...invoice("X-1"), series: "X", metadata: { order: "7" } };
  documents = await issueAll(workshop, [invoice("I-1"), invoice("I-2"), receipt("R-1"), own, ...rejected]);
});

const run = (line: string) => workshop.run(`documents ${line}`);
const read = (line: string) => workshop.read<DocumentObject>(`documents ${line}`);
const named = (reference: string) => documents.find((one) => one.external_reference === reference)!;

test.each([
  ["credit I-1 --line 2:2", /^document +credit of TIM 1$/m, "8.68"],
  ["repeat X-1", /^document +repetition of X 1$/m, "63.24"],
  ["correct W-1 --payment card", /^document +correction of W-1$/m, "63.24"],
  ["correct W-1 --customer-name Νέα", /^customer +GR [0-9]+, Νέα/m, "63.24"],
])("%s --preview shows the document and issues nothing", async (line, title, gross) => {
  const before = await listed(workshop);
  const { exitCode, stdout } = await run(`${line} --preview`);
  expect(exitCode).toBe(0);
  expect(stdout).toContainAll(title, new RegExp(`^gross +${gross} EUR$`, "m"));
  if (line.startsWith("credit"))
    expect(stdout).toMatch(new RegExp(`^credits +MARK ${named("I-1").mark}$`, "m"));
  expect(await listed(workshop)).toEqual(before);
});

test("parts and then the rest of a document, named by its MARK, are credited and say where the PDF is", async () => {
  const part = await run(`credit ${named("I-1").mark} --line 1:0,5 --line 2:2 --reference C-1`);
  expectPrinted(part, 0, /^net +13\.00 EUR$/m);
  expect(part.stderr).toMatch(/^Its PDF: .+\.pdf$/m);
  const rest = { status: "issued", issue_date: "2025-01-20", net: 3800, vat: 912 };
  expect(await read("credit I-1 --date 2025-01-20")).toMatchObject(rest);
  for (const line of ["credit I-1", "credit I-1 --preview"]) expectRefused(await run(line), 2, "Nothing of");
});

test("the contents of a document are issued again, with a number and a MARK of their own", async () => {
  const original = named("X-1");
  const repeated = await read(`repeat ${original.mark} --date 2026-01-20 --reference X-2`);
  expect(repeated).toMatchObject({
    status: "issued",
    issue_date: "2026-01-20",
    external_reference: "X-2",
    series: "X",
    number: 2,
    gross: original.gross,
  });
  expect(repeated.metadata).toEqual({});
  expect(repeated.mark).not.toBe(original.mark);
  expect((await run("repeat X-1")).stderr).toMatch(/^Its PDF: .+\.pdf$/m);
});

const CORRECTION = "--customer 094064321 --line 'Συμβουλές; 2; 50; 24%' --date 2025-01-16";

test("a rejected document is issued once again with what the flags change, and stays", async () => {
  const corrected = await read(`correct W-1 ${CORRECTION}`);
  const amounts = { issue_date: "2025-01-16", net: 10_000, gross: 12_400 };
  expect(corrected).toMatchObject({ status: "issued", external_reference: "W-1-2", ...amounts });
  expect(corrected.metadata).toEqual({});
  expect(await read("show W-1")).toEqual(named("W-1"));
  const again = await run(`correct W-1 ${CORRECTION} --json`);
  expectSaid(again, 0, "result of that run");
  expect(again.json<DocumentObject>().id).toBe(corrected.id);
  expectRefused(await run("correct W-1 --payment card"), 2, /corrected already, by TIM \d+: credit/);
});

test("a correction that is rejected is corrected itself", async () => {
  expect((await run("correct W-2 --customer 099999999")).exitCode).not.toBe(0);
  expectRefused(await run("correct W-2 --customer 094064321"), 2, "was rejected too: correct that one");
  const done = { status: "issued", external_reference: "W-2-2-2" };
  expect(await read("correct W-2-2 --customer 094064321")).toMatchObject(done);
});

test.each(["credit I-2 --line 1", "repeat I-2", "correct W-1 --reference W-1b"])(
  "%s makes one document under one idempotency key",
  async (line) => {
    const { id } = await read(`${line} --idempotency-key k-1`);
    const before = await listed(workshop);
    expect((await read(`${line} --idempotency-key k-1`)).id).toBe(id);
    expect(await listed(workshop)).toEqual(before);
  },
);

test("a credit note is neither credited nor repeated", async () => {
  const note = await read("credit R-1");
  expect(note.type).toBe("11.4");
  expectRefused(await run(`credit ${note.id}`), 1, "A credit note");
  expectRefused(await run(`repeat ${note.id}`), 1, "fiscal documents credit");
});

test.each([
  ["credit I-2 --line 2:7", 2, "--line 2: must be at most 6"],
  ["credit I-2 --line 1:", 2, "--line"],
  ["credit 400000000000999", 3, "There is no document"],
  ["repeat W-2", 1, "Only an issued document can be repeated"],
  ["repeat missing", 3, "There is no document"],
  ["correct R-1", 2, "Only a rejected document can be corrected"],
  ["correct R-9", 3, "There is no document"],
  ["correct W-1 --line Συμβουλές", 2, "--line 1"],
  ["correct W-1 --customer 094012835", 2, "customer"],
])("%s is refused with %i: %s", async (line, exitCode, says) => {
  expectRefused(await run(line), exitCode, says);
});
