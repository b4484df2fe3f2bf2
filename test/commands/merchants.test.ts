import { beforeEach, describe, expect, test } from "vitest";
import * as v from "valibot";
import { type MerchantObject, MerchantObjectSchema } from "../../src/merchants/merchant-object.ts";
import { openWorkshop, expectRefused } from "../helpers/program.ts";
import { forEachTest } from "../helpers/set-up.ts";

const workshop = forEachTest(openWorkshop);
beforeEach(() => workshop.run("init --yes"));

async function add(externalId: string, ...more: string[]): Promise<MerchantObject> {
  const named = ["--external-id", externalId, "--name", `M ${externalId}`];
  const run = await workshop.run(["merchants", "add", ...named, "--json", ...more]);
  expect(run.exitCode).toBe(0);
  return v.parse(MerchantObjectSchema, run.json());
}

async function list(...args: string[]): Promise<{ data: MerchantObject[]; has_more: boolean }> {
  return (await workshop.run(["merchants", "list", "--json", ...args])).json();
}

describe("merchants add", () => {
  test("prints the API's object with --json", async () => {
    const metadata = ["--metadata", "a=1", "--metadata", "b=x=y"];
    const merchant = await add("shop", "--tax-id", "123 456 783", "--branch", "2", ...metadata);
    expect(merchant).toMatchObject({
      object: "merchant",
      external_id: "shop",
      name: "M shop",
      tax_id: "123456783",
      branch: 2,
      metadata: { a: "1", b: "x=y" },
      archived: false,
    });
  });

  test("exits with 1 for an existing external id and says how to see the merchant", async () => {
    await add("shop");
    const refused = await workshop.run("merchants add --external-id SHOP --name x");
    expectRefused(refused, 1, "fiscal merchants show");
  });
});

describe("merchants show", () => {
  test("finds by id and by external id ignoring case", async () => {
    const merchant = await add("Ψωμί");
    for (const name of [merchant.id, "Ψωμί", "ΨΩΜΊ"]) {
      expect(await workshop.read(`merchants show ${name}`)).toEqual(merchant);
    }
  });
});

describe("merchants list", () => {
  test("prints pages, newest first, and how to get the next one", async () => {
    for (const id of ["a", "b", "c"]) await add(id);
    const page = await list("--limit", "2");
    expect(page.data.map(({ external_id }) => external_id)).toEqual(["c", "b"]);
    expect(page.has_more).toBe(true);
    const rest = await list("--starting-after", page.data[1]!.id);
    expect(rest).toMatchObject({ data: [{ external_id: "a" }], has_more: false });
    const newer = await list("--ending-before", rest.data[0]!.id, "--limit", "1");
    expect(newer).toMatchObject({ data: [{ external_id: "b" }], has_more: true });
    const table = await workshop.run("merchants list --limit 2");
    expect(table.stdout).toMatch(/\tc\t[\s\S]*\tb\t/);
    expect(table.stderr).toContain(`--starting-after ${page.data[1]!.id}`);
  });

  test("--all prints one list of every page", async () => {
    for (let index = 0; index < 103; index += 1) await add(`m${index}`);
    const all = await list("--all");
    expect(all.data.map(({ external_id }) => external_id)).toEqual(
      Array.from({ length: 103 }, (_, index) => `m${102 - index}`),
    );
    expect(all.has_more).toBe(false);
    const run = await workshop.run(`merchants list --all --ending-before ${all.data[0]!.id}`);
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  });
});

describe("merchants update", () => {
  test("changes the given fields and merges metadata", async () => {
    await add("shop", "--metadata", "a=1", "--metadata", "b=2");
    const changes = ["--name", "New", "--metadata", "a=", "--metadata", "c=3"];
    const run = await workshop.run(["merchants", "update", "shop", ...changes, "--json"]);
    expect(run.json()).toMatchObject({ external_id: "shop", name: "New", metadata: { b: "2", c: "3" } });
  });
});

test("archive asks for confirmation, and unarchive reverses it", async () => {
  await add("shop");
  expect(await workshop.run("merchants archive shop")).toMatchObject({ exitCode: 2 });
  expect(await workshop.read("merchants archive shop --yes")).toMatchObject({
    archived: true,
  });
  expect(await workshop.read("merchants unarchive shop")).toMatchObject({
    archived: false,
  });
});
