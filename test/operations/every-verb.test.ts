/** Every verb that is made of an operation: what is missing, what does not exist, and lists of nothing. */
import type { Command } from "commander";
import { expect, test } from "vitest";
import { withCommand } from "../../commands/next-steps.ts";
import { operationOf } from "../../commands/define.ts";
import type { BodyFlag, LocalOperation, Operation } from "../../src/operations/operation.ts";
import { checkWith } from "../../src/foundation/validation.ts";
import { openWorkshop, expectRefused } from "../helpers/program.ts";
import { addShop, openShop } from "../helpers/receipts.ts";
import { forAllTests } from "../helpers/set-up.ts";
import { nameOf, openTree } from "../helpers/tree.ts";

/** With two merchants, because the only one need not be named. */
const shop = forAllTests(async () => {
  const workshop = await openShop();
  await addShop(workshop, "other");
  return workshop;
});
const empty = forAllTests(async () => {
  const workshop = await openWorkshop();
  await workshop.run(["init", "--yes"]);
  return workshop;
});

interface Verb {
  name: string;
  operation: Operation | LocalOperation;
  command: Command;
}

const { commands } = await openTree();
const verbs: Verb[] = commands.flatMap((command) => {
  const operation = operationOf(command);
  return operation === undefined || command.name() === "tail"
    ? []
    : [{ name: nameOf(command), operation, command }];
});

const flagOf = ({ name }: BodyFlag) => `--${name.split(" ", 1)[0]}`;

/** Names in the form of each argument that nothing has. */
const UNKNOWN: Readonly<Record<string, string>> = {
  call: `pcl_${"0".repeat(22)}`,
  connection: `con_${"0".repeat(22)}`,
  customer: "094012834",
  document: `doc_${"0".repeat(22)}`,
  endpoint: `we_${"0".repeat(22)}`,
  event: `evt_${"0".repeat(22)}`,
  key: "nobody",
  merchant: "nobody",
  request: `rql_${"0".repeat(22)}`,
};

/** The words of a verb with what it needs, where a merchant and an argument may be unknown. */
function lineOf({ name, operation: { verb }, command }: Verb, without?: string): string[] {
  const sample: Readonly<Record<string, string>> = { "--mode": "test", "--type": "1.1", "--next": "5" };
  const asked = Object.values(verb?.flags ?? {}).filter(({ ask }) => ask !== undefined);
  const flags = asked.map(flagOf).filter((flag) => flag !== without);
  const isOfMerchant = verb?.merchant === "required" && without !== "--merchant";
  return [
    ...name.split(" "),
    ...(verb?.argument === undefined ? [] : [UNKNOWN[verb.argument] ?? "GR 123456783"]),
    ...(isOfMerchant ? ["--merchant", verb.argument === undefined ? "nobody" : "shop"] : []),
    ...flags.flatMap((flag) => [flag, sample[flag] ?? "x"]),
    ...(command.options.some(({ long }) => long === "--yes") ? ["--yes"] : []),
  ];
}

const needs = verbs.flatMap((verb) => {
  const { flags = {}, merchant } = verb.operation.verb ?? {};
  const asked = Object.values(flags).filter(({ ask }) => ask !== undefined);
  return [...(merchant === "required" ? ["--merchant"] : []), ...asked.map(flagOf)].map(
    (flag) => [verb.name, flag, verb] as const,
  );
});

test.each(needs)("%s names %s where nobody can be asked", async (_name, flag, verb) => {
  expectRefused(await shop.run(lineOf(verb, flag)), 2, `${flag} is missing`);
});

/** The verbs that match, each as a row. There must be some: a filter that matches nothing would test nothing. */
function rowsOf(matches: (verb: Verb) => boolean): (readonly [string, Verb])[] {
  const rows = verbs.filter(matches).map((verb) => [verb.name, verb] as const);
  if (rows.length === 0) throw new Error("no verb matches");
  return rows;
}

/** Given before the thing is looked for. */
const CHANGE: Readonly<Record<string, readonly string[]>> = {
  "connections add": ["--provider", "registry_direct"],
  "merchants update": ["--name", "x"],
  "webhooks update": ["--status", "disabled"],
};

const ofOne = rowsOf(
  ({ operation: { verb } }) =>
    verb?.argument !== "number..." &&
    (verb?.argument ?? verb?.merchant) !== undefined &&
    verb?.merchant !== "optional",
);
test.each(ofOne)("%s of something that does not exist exits with 3", async (name, verb) => {
  const words = [...lineOf(verb), ...(CHANGE[name] ?? [])];
  for (const mode of [[], ["--live"]])
    expectRefused(await shop.run([...mode, ...words]), 3, /`fiscal .*list`/);
});

const lists = rowsOf(
  ({ operation }) =>
    operation.table !== undefined &&
    operation.verb?.argument === undefined &&
    operation.verb?.merchant !== "required",
);
test.each(lists)("%s of nothing says so", async (name, { operation }) => {
  const run = await empty.run(name.split(" "));
  const stderr = `${withCommand(operation.table!.none).en}\n`;
  expect(run).toMatchObject({ exitCode: 0, stdout: "", stderr });
  const asJson = await empty.run([...name.split(" "), "--json"]);
  expect(asJson.json()).toMatchObject({ data: [], has_more: false });
});

const changes = rowsOf(({ operation }) => "method" in operation && operation.method === "PATCH");
test.each(changes)("%s without a change is refused", async (_name, verb) => {
  expectRefused(await shop.run(lineOf(verb)), 2, "nothing to change: give --");
});

const keyed = rowsOf(({ operation }) => operation.verb?.takesKey === true);
test.each(keyed)("%s refuses a key with a space", async (_name, verb) => {
  expectRefused(await shop.run([...lineOf(verb), "--idempotency-key", "k 1"]), 2, "--idempotency-key takes");
});

const fields = rowsOf(({ operation }) => !("path" in operation) && operation.body !== undefined).flatMap(
  ([name, verb]) =>
    Object.entries(verb.operation.verb?.flags ?? {})
      .filter(([, { kind }]) => kind !== "file" && kind !== "json" && kind !== "pairs")
      .map(([path, flag]) => [name, flagOf(flag), { ...verb, path, flag }] as const),
);
test.each(fields)(
  "%s %s, which only the command line has, is refused in the schema's words",
  async (_name, flag, { path, flag: { kind, name }, ...verb }) => {
    const text = kind === "integer" ? "-1" : name.endsWith("<day>") ? "2025-02-30" : " ";
    const run = await shop.run([...lineOf(verb, flag), flag, text]);
    const checked = checkWith(verb.operation.body!, { [path]: kind === "integer" ? -1 : text }, "");
    const problems = "problems" in checked ? checked.problems.filter((problem) => problem.path === path) : [];
    expect(run.stdout).toBe("");
    // Texts of people are checked where the object is made, not by the schema of the flags.
    expect(run.exitCode).toBeOneOf(problems.length === 0 ? [2, 3] : [2]);
    for (const { message } of problems) expect(run.stderr).toContain(`${flag} ${message.en}`);
  },
);
