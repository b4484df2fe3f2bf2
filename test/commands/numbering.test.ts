import { describe, expect, test } from "vitest";
import { expectSaid } from "../helpers/program.ts";
import { issue } from "../helpers/issuing.ts";
import { receipt, SUPPLIER, openShop } from "../helpers/receipts.ts";
import { forEachTest } from "../helpers/set-up.ts";

const workshop = forEachTest(openShop);

const COUNTER = { supplier: SUPPLIER, branch: 0, type: "11.1", mode: "test", series: "ALP" };

test("numbering show shows each counter with its next number, as a table or a list", async () => {
  await issue(workshop, [receipt("A-1"), receipt("A-2")]);
  expect(await workshop.read("numbering show")).toEqual({
    object: "list",
    data: [{ ...COUNTER, next_number: 3, released: [] }],
    has_more: false,
  });
  const table = await workshop.run("numbering show --merchant shop");
  expect(table.stdout).toMatch(new RegExp(`${SUPPLIER}\t.*11\\.1\tALP\t3\t`));
});

const set = (...args: string[]) => workshop.run(["numbering", "set", "--merchant", "shop", ...args]);

test("numbering set continues from another program's number and never decreases", async () => {
  const run = await set("--type", "11.1", "--next", "1043", "--json");
  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.json()).toEqual({ ...COUNTER, next_number: 1043, released: [] });
  expect((await issue(workshop, [receipt("A-1")])).stdout).toContain("ALP 1043");
  expect(await set("--type", "11.1", "--next", "1043")).toMatchObject({ exitCode: 1, stdout: "" });
  expect(await workshop.run("numbering audit")).toMatchObject({ exitCode: 0 });
});

test("numbering set --live sets the live counter", async () => {
  const args = ["numbering", "set", "--merchant", "shop", "--type", "1.1", "--next", "7", "--json"];
  const run = await workshop.run(["--live", ...args]);
  expect(run.json()).toMatchObject({ mode: "live", series: "TIM", next_number: 7 });
});

describe("numbering audit", () => {
  test("accounts for issued numbers and for numbers released by a refusal", async () => {
    await issue(workshop, [receipt("A-1"), receipt("A-2"), receipt("A-3", "rejected")]);
    const run = await workshop.run("numbering audit --json");
    expectSaid(run, 0, "Every number is accounted for.");
    const { counters, holes } = run.json<{
      counters: { numbers: { number: number; state: string }[] }[];
      holes: unknown[];
    }>();
    expect(holes).toEqual([]);
    expect(counters).toMatchObject([COUNTER]);
    expect(counters[0]!.numbers.map(({ state }) => state).sort()).toEqual(["issued", "issued", "released"]);
    expect((await workshop.run("numbering audit")).stdout).toMatch(/ALP\t(.*\t)?2\t(.*\t)?0\t(.*\t)?1/);
  });

  test.each([1, 2, 3])("finds that nothing explains a single number: %i of three", async (number) => {
    await issue(workshop, [receipt("A-1"), receipt("A-2"), receipt("A-3")]);
    workshop.change(`update documents set number = null, uid = null where number = ${number}`);
    expectSaid(await workshop.run("numbering audit"), 1, `Nothing explains ALP ${number} (`);
  });

  test("succeeds without any numbers", async () => {
    expect(await workshop.run("numbering audit")).toMatchObject({ exitCode: 0, stdout: "" });
  });
});
