/** Every verb that is made of an operation: what is missing, what does not exist, and lists of nothing. */
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { withCommand } from "../../commands/next-steps.ts";
import { operationOf } from "../../commands/verb.ts";
import type { BodyFlag, LocalOperation, Operation } from "../../src/operations/operation.ts";
import { checkWith } from "../../src/foundation/validation.ts";
import { openWorkshop } from "../helpers/program.ts";
import { addShop, openShop } from "../helpers/receipts.ts";
import { forAllTests } from "../helpers/set-up.ts";
import { openTree } from "../helpers/tree.ts";

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

function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${nameOf(parent)} ${command.name()}`;
}

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
  const run = await shop.run(lineOf(verb, flag));
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toContain(`${flag} is missing`);
});

const ofOne = verbs.filter(
  ({ operation: { verb } }) =>
    verb?.argument !== "number..." && (verb?.argument ?? verb?.merchant) !== undefined,
);
/** Given before the thing is looked for. */
const CHANGE: Readonly<Record<string, readonly string[]>> = {
  "connections add": ["--provider", "registry_direct"],
  "merchants update": ["--name", "x"],
  "webhooks update": ["--status", "disabled"],
};

test.each(
  ofOne.filter(({ operation: { verb } }) => verb?.merchant !== "optional").map((verb) => [verb.name, verb]),
)("%s of something that does not exist exits with 3", async (name, verb) => {
  const words = [...lineOf(verb), ...(CHANGE[name] ?? [])];
  for (const mode of [[], ["--live"]])
    expect(await shop.run([...mode, ...words])).toMatchObject({ exitCode: 3, stdout: "" });
});

const lists = verbs.filter(
  ({ operation }) =>
    operation.table !== undefined &&
    operation.verb?.argument === undefined &&
    operation.verb?.merchant !== "required",
);
test.each(lists.map((verb) => [verb.name, verb] as const))(
  "%s of nothing says so",
  async (name, { operation }) => {
    const run = await empty.run(name.split(" "));
    expect(run).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: `${withCommand(operation.table!.none).en}\n`,
    });
    const { data, has_more: hasMore } = (await empty.run([...name.split(" "), "--json"])).json<{
      data: unknown[];
      has_more: boolean;
    }>();
    expect([data, hasMore]).toEqual([[], false]);
  },
);

test.each(
  verbs
    .filter(({ operation }) => "method" in operation && operation.method === "PATCH")
    .map((verb) => [verb.name, verb] as const),
)("%s without a change is refused", async (_name, verb) => {
  const run = await shop.run(lineOf(verb));
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toContain("nothing to change: give --");
});

test.each(
  verbs
    .filter(({ operation }) => operation.verb?.takesKey === true)
    .map((verb) => [verb.name, verb] as const),
)("%s refuses a key with a space", async (_name, verb) => {
  const run = await shop.run([...lineOf(verb), "--idempotency-key", "k 1"]);
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toContain("--idempotency-key takes");
});

describe("a wrong value of a field that only the command line has is refused in the schema's words", () => {
  const fields = verbs.flatMap((verb) => {
    const { operation } = verb;
    if ("path" in operation || operation.body === undefined) return [];
    const checked = Object.entries(operation.verb?.flags ?? {}).filter(
      ([, { kind }]) => kind !== "file" && kind !== "json" && kind !== "pairs",
    );
    return checked.map(([path, flag]) => [verb.name, flagOf(flag), { ...verb, path, flag }] as const);
  });
  test.each(fields)("%s %s", async (_name, flag, { path, flag: { kind, name }, ...verb }) => {
    const text = kind === "integer" ? "-1" : name.endsWith("<day>") ? "2025-02-30" : " ";
    const run = await shop.run([...lineOf(verb, flag), flag, text]);
    const checked = checkWith(verb.operation.body!, { [path]: kind === "integer" ? -1 : text }, "");
    const problems = "problems" in checked ? checked.problems.filter((problem) => problem.path === path) : [];
    expect(run.stdout).toBe("");
    // Texts of people are checked where the object is made, not by the schema of the flags.
    expect(run.exitCode).toBeOneOf(problems.length === 0 ? [2, 3] : [2]);
    for (const { message } of problems) expect(run.stderr).toContain(`${flag} ${message.en}`);
  });
});
