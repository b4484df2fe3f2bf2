import { expect, test } from "vitest";
import { expectSaid } from "../helpers/program.ts";
import { issue } from "../helpers/issuing.ts";
import { receipt } from "../helpers/receipts.ts";
import { CONNECT_SHOP, openRegisteredShop } from "../helpers/registered-shop.ts";
import { forEachTest } from "../helpers/set-up.ts";

const workshop = forEachTest(openRegisteredShop);

interface Checklist {
  merchant: string;
  items: { id: string; ok: boolean; what: string }[];
}

const missing = ({ items }: Checklist) => items.filter(({ ok }) => !ok).map(({ id }) => id);

test("names what is missing, and exits with 0 once everything is done", async () => {
  const stdin = JSON.stringify({ paper: { address: "Ερμού 1, Αθήνα" } });
  await workshop.run("merchants settings shop --file -", { stdin });

  const before = await workshop.run("doctor --live-checklist --json");
  expect(before.exitCode).toBe(1);
  expect(before.json<Checklist>().merchant).toBe("shop");
  expect(missing(before.json())).toEqual(["connection", "rehearsal", "settings", "paper", "backup"]);

  await issue(workshop, [receipt("R-1")]);
  await workshop.run("--live merchants settings shop --file -", { stdin });
  const added = await workshop.run(["--live", ...CONNECT_SHOP]);
  expect(added.exitCode, added.stderr).toBe(0);

  const env = { FISCAL_BACKUP__SCHEDULE: "0 3 * * *", FISCAL_BACKUP__DIRECTORY: workshop.folder };
  expect(missing(await workshop.read("doctor --live-checklist --merchant shop", { env }))).toEqual([]);
  expect((await workshop.run("doctor --live-checklist", { env })).stdout).toMatch(/ready for live mode/);
});

test("needs to know which merchant", async () => {
  await workshop.run("merchants add --external-id second --name Second");
  const run = await workshop.run("doctor --live-checklist");
  expectSaid(run, 2, "--merchant is missing; `fiscal merchants list` lists them");
  expect((await workshop.run("doctor --live-checklist --merchant nobody")).exitCode).toBe(3);
  expect((await workshop.run("doctor --merchant shop")).exitCode).toBe(2);
});
