import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startFakeRegistry } from "../helpers/fake-registry/server.ts";
import { openWorkshop } from "../helpers/program.ts";
import { addShop, receipt, SUPPLIER } from "../helpers/receipts.ts";
import { closing, forEachTest } from "../helpers/set-up.ts";

const workshop = forEachTest(openWorkshop);

interface Checklist {
  merchant: string;
  items: { id: string; ok: boolean; what: string }[];
}

const missing = ({ items }: Checklist) => items.filter(({ ok }) => !ok).map(({ id }) => id);

test("names what is missing, and exits with 0 once everything is done", async () => {
  await addShop(workshop);
  const paper = JSON.stringify({ paper: { address: "Ερμού 1, Αθήνα" } });
  await writeFile(join(workshop.folder, "paper.json"), paper);
  await workshop.run("merchants settings shop --file paper.json");

  const before = await workshop.run("doctor --live-checklist --json");
  expect(before.exitCode).toBe(1);
  expect(before.json<Checklist>().merchant).toBe("shop");
  expect(missing(before.json())).toEqual(["connection", "rehearsal", "settings", "paper", "backup"]);

  await workshop.run("documents issue - --merchant shop", {
    stdin: JSON.stringify(receipt("R-1")),
  });
  await workshop.run("--live merchants settings shop --file paper.json");
  const key = "a-key-of-the-shop-1234567890";
  await using registry = await closing(
    startFakeRegistry({ accounts: [{ userId: "shop-user", key, vat: SUPPLIER }] }),
  );
  const credentials = ["--user-id", "shop-user", "--subscription-key", key];
  const added = await workshop.run(
    ["--live", "connections", "add", "--merchant", "shop", "--provider", "registry_direct", ...credentials],
    { env: { FISCAL_PROVIDERS__REGISTRY_DIRECT__LIVE_URL: registry.url } },
  );
  expect(added.exitCode, added.stderr).toBe(0);

  const env = { FISCAL_BACKUP__SCHEDULE: "0 3 * * *", FISCAL_BACKUP__DIRECTORY: workshop.folder };
  expect(missing(await workshop.read("doctor --live-checklist --merchant shop", { env }))).toEqual([]);
  expect((await workshop.run("doctor --live-checklist", { env })).stdout).toMatch(/ready for live mode/);
});

test("needs to know which merchant", async () => {
  await addShop(workshop);
  await workshop.run("merchants add --external-id second --name Second");
  const run = await workshop.run("doctor --live-checklist");
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toMatch(/--merchant/);
  expect((await workshop.run("doctor --live-checklist --merchant nobody")).exitCode).toBe(3);
  expect((await workshop.run("doctor --merchant shop")).exitCode).toBe(2);
});
