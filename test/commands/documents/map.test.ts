import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listed } from "../../helpers/issuing.ts";
import { openWorkshop, type Workshop } from "../../helpers/program.ts";
import { addShop, lines, receipt } from "../../helpers/receipts.ts";
import { workbookOf } from "../../helpers/workbooks.ts";

const HEAD = ["Παραστατικό", "Ημερομηνία", "Είδος", "Ποσότητα", "Τιμή", "ΦΠΑ"];
const CELLS = ["2/1/2026", "Καφές", "2", "5,00", "ΦΠΑ 24%"];
const MAP = `
[columns]
reference = "Παραστατικό"
issue_date = "Ημερομηνία"
description = "Είδος"
quantity = "Ποσότητα"
unit_price = "Τιμή"
vat_category = "ΦΠΑ"
[values.vat_category]
"ΦΠΑ 24%" = "standard"
[defaults]
type = "11.1"
`;

let workshop: Workshop;
beforeEach(async () => {
  workshop = await openWorkshop();
  await addShop(workshop);
  await writeFile(join(workshop.folder, "map.toml"), MAP);
  await writeFile(join(workshop.folder, "shop.csv"), csvOf("A-1"));
});
afterEach(() => workshop.remove());

function csvOf(reference: string): string {
  return [HEAD, [reference, ...CELLS]].map((cells) => `${cells.join(";")}\n`).join("");
}

const issue = (...args: string[]) =>
  workshop.run(["documents", "issue", ...args, "--merchant", "shop", "--no-wait"]);
const map = (...args: string[]) => workshop.run(["documents", "map", ...args, "--merchant", "shop"]);

describe("documents issue --map", () => {
  test("reads a file with the map, and the next one without", async () => {
    expect(await issue("shop.csv", "--map", "map.toml")).toMatchObject({ exitCode: 0 });
    expect(await listed(workshop)).toMatchObject([{ external_reference: "A-1", type: "11.1", gross: 1240 }]);
    const run = await issue("shop.csv");
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(/has 6 unknown columns, παραστατικό, .*--map FILE/);
  });

  test("uses a map stored with --remember-map for later files, until --no-map or forget", async () => {
    const first = await issue("shop.csv", "--map", "map.toml", "--remember-map");
    expect(first).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("remembered for shop") });
    await writeFile(join(workshop.folder, "shop.xlsx"), await workbookOf([HEAD, ["A-2", ...CELLS]]));
    const second = await issue("shop.xlsx");
    expect(second).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/remembered for shop \(\d{4}-/),
    });
    expect(await issue("shop.csv", "--no-map")).toMatchObject({ exitCode: 2 });
    expect(await map("forget", "--yes")).toMatchObject({ exitCode: 0, stdout: "" });
    expect(await issue("shop.csv")).toMatchObject({ exitCode: 2 });
  });

  test("uses a merchant's map only for its own files", async () => {
    await addShop(workshop, "other");
    await issue("shop.csv", "--map", "map.toml", "--remember-map");
    const run = await workshop.run(["documents", "issue", "shop.csv", "--merchant", "other", "--no-wait"]);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).not.toContain("remembered");
  });

  test("stores no map in a dry run and says so", async () => {
    const run = await issue("shop.csv", "--map", "map.toml", "--remember-map", "--dry-run");
    expect(run).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("not remembered") });
    expect(await map("show")).toMatchObject({ exitCode: 3 });
  });

  test.each<{ args: string[]; says: string }>([
    { args: ["shop.csv", "--map", "bad.toml"], says: "bad.toml: columns.referense: is not a known column" },
    { args: ["shop.csv", "--map", "nowhere.toml"], says: "nowhere.toml cannot be used" },
    { args: ["shop.csv", "--remember-map"], says: "--map is missing" },
    { args: ["a.ndjson", "--map", "map.toml"], says: "--map is for tables" },
    { args: ["a.ndjson", "--sheet", "S"], says: "--sheet is for tables" },
  ])("$args is a usage error before anything is issued", async ({ args, says }) => {
    await writeFile(join(workshop.folder, "bad.toml"), '[columns]\nreferense = "Παραστατικό"\n');
    await writeFile(join(workshop.folder, "a.ndjson"), lines([receipt("A-1")]));
    const run = await issue(...args);
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toContain(says);
    expect(await listed(workshop)).toEqual([]);
  });
});

describe("documents map", () => {
  test("show prints a file for --map, or the map with --json", async () => {
    await issue("shop.csv", "--map", "map.toml", "--remember-map");
    const shown = await map("show");
    await writeFile(join(workshop.folder, "again.toml"), shown.stdout);
    await writeFile(join(workshop.folder, "next.csv"), csvOf("A-2"));
    expect(await issue("next.csv", "--map", "again.toml")).toMatchObject({ exitCode: 0 });
    expect((await map("show", "--json")).json()).toMatchObject({
      object: "column_map",
      merchant: expect.stringMatching(/^mer_/),
      columns: { vat_category: "ΦΠΑ" },
      values: { vat_category: { "ΦΠΑ 24%": "standard" } },
      defaults: { type: "11.1" },
      ignore: [],
    });
  });

  test("exits with 3 without a map and explains how to store one", async () => {
    for (const run of [await map("show"), await map("forget", "--yes")]) {
      expect(run).toMatchObject({ exitCode: 3, stdout: "" });
      expect(run.stderr).toContain("--remember-map");
    }
  });

  test("forget asks for confirmation and needs --yes without a terminal", async () => {
    expect(await map("forget")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--yes is missing"),
    });
  });
});
