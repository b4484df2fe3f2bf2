/** `fiscal documents show --filed`, and the erasure of one customer from a message about two (docs/contract.md#document-substance). */
import { beforeAll, expect, test } from "vitest";
import { expectRefused, type Run } from "../../helpers/program.ts";
import { invoice, lines, type Receipt, receipt } from "../../helpers/receipts.ts";
import { openRegisteredShop } from "../../helpers/registered-shop.ts";
import { forAllTests } from "../../helpers/set-up.ts";

const CUSTOMER = "094012834";
const OTHER = "876543210";

const workshop = forAllTests(openRegisteredShop);
const run = (...args: string[]): Promise<Run> => workshop.run(args);

function invoiceTo(reference: string, code: string): Receipt {
  const { document, ...rest } = invoice(reference);
  return { ...rest, document: { ...document, customer: { tax_id: { country: "GR", code } } } };
}

beforeAll(async () => {
  workshop.registry.refuse("BAD", "223", "Refused");
  const issue = (stdin: string, ...flags: string[]) =>
    workshop.run(["documents", "issue", "-", "--merchant", "shop", ...flags], { stdin });
  // Sent together by the next command that waits.
  await issue(lines([invoiceTo("A-1", CUSTOMER), invoiceTo("A-2", OTHER)]), "--no-wait");
  await issue(lines([{ ...invoice("B-1"), series: "BAD" }]));
  await issue(lines([{ ...receipt("S-1"), provider: "sandbox" }]));
  await issue(lines([invoice("Q-1")]), "--no-wait");
});

const filed = (reference: string, ...flags: string[]) =>
  run("documents", "show", reference, "--filed", ...flags);

/** The logged message that carried the document. */
async function messageOf(reference: string): Promise<string> {
  const { id } = await workshop.read<{ id: string }>(`documents show ${reference}`);
  const calls = await workshop.list<{ id: string; operation: string }>(`calls list --document ${id}`);
  const call = calls.find(({ operation }) => operation === "issue")!;
  return JSON.stringify((await workshop.read<{ request: unknown }>(`calls show ${call.id}`)).request);
}

test("prints the document's own XML exactly, and as content of an object with --json", async () => {
  const xml = await filed("A-1");
  expect(xml).toMatchObject({ exitCode: 0, stderr: "" });
  expect(xml.stdout).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?><InvoicesDoc .*<\/InvoicesDoc>$/s);
  expect(xml.stdout).toContain(CUSTOMER);
  expect(xml.stdout).not.toContain(OTHER);
  const { id } = (await run("documents", "show", "A-1", "--json")).json<{ id: string }>();
  expect((await filed("A-1", "--json")).json()).toEqual({
    object: "filing",
    document: id,
    format: "xml",
    content: xml.stdout,
  });
});

test.each(["S-1", "B-1", "Q-1"])("says that nothing filed %s", async (reference) => {
  expectRefused(await filed(reference), 1, "Nothing that filed this document is stored");
  expect((await filed(reference, "--lang", "el")).stderr).toContain("Δεν έχει αποθηκευτεί τίποτα");
});

test("erasing one customer drops the message that carried two documents, and leaves what filed both", async () => {
  const kept = [(await filed("A-1")).stdout, (await filed("A-2")).stdout];
  expect(await messageOf("A-2")).toContain(CUSTOMER);
  expect((await run("erase", "--tax-id", CUSTOMER, "--yes")).exitCode).toBe(0);
  for (const reference of ["A-1", "A-2"]) expect(await messageOf(reference)).toBe("null");
  expect([(await filed("A-1")).stdout, (await filed("A-2")).stdout]).toEqual(kept);
});
