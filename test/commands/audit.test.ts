/** `fiscal audit`. */
import { SCHEMA_VERSION } from "../../storage/database/schema.ts";
import { beforeEach, expect, test } from "vitest";
import type { PrintedAudit as Audit } from "../../commands/root/audit.ts";
import { expectRefused, expectSaid, openWorkshop, expectPrinted } from "../helpers/program.ts";
import { forEachTest } from "../helpers/set-up.ts";

const workshop = forEachTest(openWorkshop);
beforeEach(async () => {
  for (const id of ["one", "two", "three"]) await workshop.run(`merchants add --external-id ${id} --name x`);
});

test("prints the end of the journal, which a later audit can verify", async () => {
  const first = await workshop.run("audit");
  expectSaid(first, 0, "events 3");
  expect(first.stdout).toMatch(/^evt_[0-9A-Za-z]{22}:[0-9a-f]{64}\n$/);
  await workshop.run("merchants add --external-id four --name x");
  const noted = first.stdout.trim();
  const later = await workshop.run(`audit --json --against ${noted}`);
  expect(later.exitCode).toBe(0);
  expect(later.json<Audit>()).toMatchObject({ object: "audit", intact: true, events: 4, problems: [] });
});

test("distinguishes a link newer than a restored backup from a truncated journal", async () => {
  await workshop.run("backup one.db");
  await workshop.run("merchants add --external-id four --name x");
  const noted = (await workshop.run("audit")).stdout.trim();
  await workshop.run("restore one.db --replace --yes");
  expect((await workshop.run("audit")).exitCode).toBe(0);
  const later = await workshop.run(`audit --against ${noted}`);
  expect(later).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("came after the backup of") });
  expect(later.stdout).not.toContain("cut off");
});

test("names a changed row and exits with 1", async () => {
  workshop.change("update events set object_json = replace(object_json, 'two', 'owt')");
  const run = await workshop.run("audit --json");
  expect(run.exitCode).toBe(1);
  const { problems } = run.json<Audit>();
  expect(problems).toMatchObject([{ check: "journal", id: expect.stringMatching(/^evt_/) }]);
  const text = await workshop.run("audit");
  expect(text.stdout).toContain(problems[0]!.id!);
  expect(text.stderr).toContain("Problems found: 1.");
});

test("reports an audit key that was replaced, and nothing starts with it", async () => {
  workshop.change("update appliance set audit_key = zeroblob(92)");
  expectPrinted(await workshop.run("audit"), 1, "no event can be verified");
  expectRefused(await workshop.run("merchants list"), 78, "The audit key in the database was changed");
});

test("explains another schema and a missing database", async () => {
  workshop.change(`pragma user_version = ${SCHEMA_VERSION + 1}`);
  expectRefused(await workshop.run("audit"), 78, "install that version or a newer one");
  workshop.change("pragma user_version = 0");
  expectRefused(await workshop.run("audit"), 78, "fiscal init");
  const nowhere = ["--data-dir", workshop.at("nowhere"), "audit"];
  expectRefused(await workshop.runBare(nowhere), 78, "fiscal init");
});
