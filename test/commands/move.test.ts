/** `fiscal move`, to a real PostgreSQL. */
import { readdir, writeFile } from "node:fs/promises";
import { beforeEach, expect, test } from "vitest";
import { recordServing } from "../../src/upkeep/servers.ts";
import { askForPostgres, makePostgresDatabase } from "../helpers/engines.ts";
import { type DocumentList, issue, issueAll } from "../helpers/issuing.ts";
import { withClient } from "../helpers/postgres.ts";
import { expectRefused, expectSaid, openWorkshop } from "../helpers/program.ts";
import { openShop, receipt } from "../helpers/receipts.ts";
import { forEachTest } from "../helpers/set-up.ts";

const hasPostgres = (await askForPostgres()) !== undefined;

let url: string;
const workshop = forEachTest(openShop);
beforeEach(async ({ skip }) => {
  if (!hasPostgres) skip();
  url = (await makePostgresDatabase())!;
});

const database = () => `${workshop.folder}/data/fiscal.db`;
const move = (...flags: string[]) => workshop.run(["move", "--yes", "--to", url, ...flags]);
/** Runs a command on the other database. */
const there = (...args: string[]) => workshop.run(args, { env: { FISCAL_STORAGE__URL: url } });

async function isHeld(): Promise<boolean> {
  return (await workshop.read<{ held: boolean }>("resume")).held;
}

test("copies everything, and leaves both on hold", async () => {
  await issueAll(workshop, [receipt("A-1"), receipt("A-2")]);
  const lists = ["documents list", "events list", "calls list", "merchants list"].map((list) => [
    ...list.split(" "),
    "--json",
  ]);
  const before = await Promise.all(lists.map((args) => workshop.run(args)));
  const moved = await move("--json");
  expectSaid(moved, 0, "fiscal resume");
  expect(moved.json()).toMatchObject({ object: "move", tables: { documents: 2, document_inputs: 2 } });
  for (const [index, args] of lists.entries())
    expect((await there(...args)).json()).toEqual(before[index]!.json());
  expect(await there("audit")).toMatchObject({ exitCode: 0 });
  expectRefused(await issue(workshop, [receipt("next")]), 5, "hold");
});

test("lets the copy continue with the next number and id after `resume`", async () => {
  const [last] = await issueAll(workshop, [receipt("A-1")]);
  await move();
  expect(await there("resume", "--yes")).toMatchObject({ exitCode: 0 });
  const issued = await issue(workshop, [receipt("next")], ["--json"], {
    env: { FISCAL_STORAGE__URL: url },
  });
  const [next] = issued.json<DocumentList>().data;
  expect(next).toMatchObject({ status: "issued", number: last!.number! + 1 });
  expect(next!.id > last!.id).toBe(true);
  expect(await there("audit")).toMatchObject({ exitCode: 0 });
});

test("refuses a database that has an appliance, and changes nothing", async () => {
  await move();
  await workshop.run("resume --yes");
  expectRefused(await move(), 78, "already has an appliance");
  expect(await isHeld()).toBe(false);
});

test("changes nothing if the copy fails in the middle", async () => {
  await issueAll(workshop, [receipt("A-1")]);
  // PostgreSQL cannot store this character.
  workshop.change("update documents set external_reference = 'A' || char(0)");
  expect((await move()).exitCode).not.toBe(0);
  expect(await isHeld()).toBe(false);
  expect(
    await withClient(url, async (client) => (await client.query("select 1 from merchants")).rowCount),
  ).toBe(0);
});

test("refuses while a server runs", async () => {
  const serving = recordServing(database(), "2026-11-21T09:00:00.000Z");
  expectRefused(await move(), 1, "stop it");
  serving.release();
  expect((await move()).exitCode).toBe(0);
});

test("does not show the password of an address that does not answer", async () => {
  await writeFile(
    `${workshop.folder}/address`,
    "postgres://fiscal:quite-secret@127.0.0.1:1/fiscal\na second line\n",
  );
  const run = await workshop.run("move --yes --to-file address");
  expect(run.exitCode).toBe(78);
  expect(run.stdout + run.stderr).not.toContain("quite-secret");
  expect(await isHeld()).toBe(false);
});

test("move makes no database where there is none", async () => {
  const empty = await openWorkshop();
  const secret = new URL(url);
  secret.password = "hunter2";
  const shown = await empty.run(`move --yes --to ${secret.href}`);
  expect(shown.stderr).toContain("every user of this machine can see a password given as a flag");
  expect(shown.stderr).not.toContain("hunter2");
  expectRefused(await empty.run(`move --yes --to ${url}`), 78, "There is no database");
  expect(await readdir(empty.folder)).toEqual([]);
  await empty.close();
});
