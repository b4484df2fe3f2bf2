/** `--json` with fields. */
import { beforeAll, expect, test } from "vitest";
import { fieldsOf } from "../../../commands/define.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { issueAll } from "../../helpers/issuing.ts";
import { invoice, openShop } from "../../helpers/receipts.ts";
import { nameOf, openTree } from "../../helpers/tree.ts";
import { forAllTests } from "../../helpers/set-up.ts";

let document: DocumentObject;
const workshop = forAllTests(openShop);
beforeAll(async () => {
  [document] = (await issueAll(workshop, [invoice("I-1")])) as [DocumentObject];
});

test.each([
  { args: ["documents", "list", "--json", "mark,id"] },
  { args: ["documents", "list", "--json=mark,id"] },
  { args: ["--json=mark,id", "documents", "list"] },
])("$args prints them for each item of a list, in their order", async ({ args }) => {
  const { stdout } = await workshop.run(args);
  const list = { object: "list", data: [{ mark: document.mark, id: document.id }], has_more: false };
  expect(stdout).toBe(`${JSON.stringify(list, null, 2)}\n`);
});

test("prints them for each item of --all", async () => {
  const run = await workshop.run("documents list --all --json id");
  expect(run.json()).toEqual({ object: "list", data: [{ id: document.id }], has_more: false });
});

test.each([
  { args: ["documents", "show", "I-1", "--json", "id,status"] },
  { args: ["documents", "show", "I-1", "--json=id,status"] },
  { args: ["documents", "show", "--json=id,status", "I-1"] },
  { args: ["documents", "show", "--json", "id,status", "I-1"] },
])("$args prints them for one object", async ({ args }) => {
  expect((await workshop.run(args)).json()).toEqual({ id: document.id, status: "issued" });
});

test("without fields prints the whole object, also before an argument", async () => {
  for (const line of ["documents show --json I-1", "--json documents show I-1"])
    expect((await workshop.run(line)).json()).toEqual(document);
});

test("prints exact sums", async () => {
  const period = ["--from", "2025-01-01", "--to", "2025-12-31"];
  const run = await workshop.run(["reports", "vat", ...period, "--json", "totals"]);
  expect(run.json()).toEqual({ totals: { net: 5100, vat: 1224 } });
});

test("exits with 2 for an unknown field and lists the known ones, before anything is done", async () => {
  const named = ["--external-id", "other", "--name", "Άλλη", "--tax-id", "094012834"];
  const run = await workshop.run(["merchants", "add", ...named, "--json=id,nmae"]);
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toContain(
    "Its fields: archived, branch, created, external_id, id, metadata, name, object, tax_id",
  );
  expect(run.stderr).not.toContain("nmae");
  const merchants = await workshop.run("merchants list --json external_id");
  expect(merchants.json()).toMatchObject({ data: [{ external_id: "shop" }] });
});

test.each([
  [
    ["keys", "list"],
    ["keys", "create", "--mode", "test", "--name", "shop"],
  ],
  [["numbering", "show"]],
  [["numbering", "audit"]],
  [["audit"]],
  [["doctor"]],
  [["console"]],
  [["init", "--yes"]],
  [["resume", "--yes"]],
  [["erase", "--tax-id", "094012834", "--dry-run"]],
  [["backup", "copy.db"]],
  [["backup", "verify", "copy.db"]],
  [["reports", "income", "--from", "2025-01-01", "--to", "2025-12-31"]],
  [["reports", "overview", "--month", "2025-11"]],
  [["documents", "reconcile", "--from", "2025-11-01", "--to", "2025-11-30"]],
])("%j are the fields that the command prints", async (args, before?: string[]) => {
  if (before !== undefined) await workshop.run(before);
  const printed = (await workshop.run([...args, "--json"])).json<Record<string, unknown>>();
  const object = printed["object"] === "list" ? (printed["data"] as object[])[0]! : printed;
  const name = args[1] !== undefined && /^[a-z]+$/.test(args[1]) ? `${args[0]} ${args[1]}` : args[0]!;
  // Of another form of the command.
  const others: Record<string, string[]> = { console: ["ended"], doctor: ["merchant", "items"] };
  const missing = others[name] ?? [];
  const command = (await openTree()).commands.find((known) => nameOf(known) === name)!;
  expect([...Object.keys(object), ...missing].toSorted()).toEqual(fieldsOf(command));
});

test("is offered by every command except those that print a file or a protocol", async () => {
  const verbs = (await openTree()).commands.filter((command) => command.commands.length === 0);
  const without = verbs.filter((verb) => fieldsOf(verb) === undefined);
  expect(without.map(nameOf).toSorted()).toEqual([
    "completion",
    "documents export",
    "documents template",
    "mcp",
    "openapi",
    "quickstart",
  ]);
});
