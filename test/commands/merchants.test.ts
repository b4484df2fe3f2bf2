import { beforeEach, describe, expect, test } from "vitest";
import * as v from "valibot";
import { type MerchantObject, MerchantObjectSchema } from "../../src/merchants/merchant-object.ts";
import { expectRefused, openWorkshop } from "../helpers/program.ts";
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

test("a merchant is added with its metadata, which an update merges, and is found by its external id in any case", async () => {
  const merchant = await add("Ψωμί", "--tax-id", "123 456 783", "--metadata", "a=1", "--metadata", "b=x=y");
  expect(merchant).toMatchObject({ tax_id: "123456783", metadata: { a: "1", b: "x=y" }, archived: false });
  for (const name of [merchant.id, "Ψωμί", "ΨΩΜΊ"])
    expect(await workshop.read(`merchants show ${name}`)).toEqual(merchant);
  const update = "merchants update Ψωμί --name New --metadata a= --metadata c=3";
  const metadata = { b: "x=y", c: "3" };
  expect(await workshop.read(update)).toEqual({ ...merchant, name: "New", metadata });
  expectRefused(
    await workshop.run("merchants add --external-id ΨΩΜΊ --name x"),
    1,
    "(`fiscal merchants list`)",
  );
});

test("merchants list prints pages, newest first, and how to get the next one", async () => {
  for (const id of ["a", "b", "c"]) await add(id);
  const page = await list("--limit", "2");
  expect(page.data.map(({ external_id }) => external_id)).toEqual(["c", "b"]);
  expect(page.has_more).toBe(true);
  const rest = await list("--starting-after", page.data[1]!.id);
  expect(rest).toMatchObject({ data: [{ external_id: "a" }], has_more: false });
  const table = await workshop.run("merchants list --limit 2");
  expect(table.stdout).toMatch(/\tc\t[\s\S]*\tb\t/);
  expect(table.stderr).toContain(`--starting-after ${page.data[1]!.id}`);
});

test("merchants list --all prints one list of every page", async () => {
  for (let index = 0; index < 103; index += 1) await add(`m${index}`);
  const all = await list("--all");
  expect(all.data.map(({ external_id }) => external_id)).toEqual(
    Array.from({ length: 103 }, (_, index) => `m${102 - index}`),
  );
  expect(all.has_more).toBe(false);
  const run = await workshop.run(`merchants list --all --ending-before ${all.data[0]!.id}`);
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
});

test("archive asks for confirmation, and unarchive reverses it", async () => {
  await add("shop");
  expect(await workshop.read("merchants archive shop --yes")).toMatchObject({ archived: true });
  expect(await workshop.read("merchants unarchive shop")).toMatchObject({ archived: false });
});

describe("a merchant with a live connection", () => {
  beforeEach(async () => {
    const { id } = await add("shop");
    workshop.change(`insert into connections (id, merchant_id, provider, mode, status, created_at)
      values ('con_0000000000000000000001', '${id}', 'registry_direct', 'live', 'active', '2026-01-01T00:00:00.000Z')`);
  });

  test.each([[["update", "shop", "--name", "x"]], [["archive", "shop", "--yes"]]])(
    "is changed by %j with --live only",
    async (words) => {
      expectRefused(await workshop.run(["merchants", ...words]), 1, "with a live key (--live)");
      expect((await workshop.run(["--lang", "el", "merchants", ...words])).stderr).toContain("(--live)");
      expect(await workshop.run(["merchants", ...words, "--live"])).toMatchObject({ exitCode: 0 });
    },
  );
});

describe("merchants settings", () => {
  const settings = { classification: { "1.1": { category: "category1_2", type: "E3_561_001" } } };

  test("replaces all settings from a file or standard input, and shows them", async () => {
    await add("shop");
    await workshop.write("settings.json", JSON.stringify(settings));
    const put = await workshop.run("merchants settings shop --file settings.json");
    expect(put.json()).toMatchObject(settings);
    expect((await workshop.run("merchants settings shop")).json()).toEqual(put.json());
    const emptied = await workshop.run("merchants settings shop --file -", { stdin: "{}" });
    expect(emptied.exitCode).toBe(0);
    expect(emptied.stdout).not.toContain("category1_2");
  });

  test.each([
    { stdin: '{"clasification": {}}', says: "clasification" },
    { stdin: '{"paper": {}, "paper": {}}', says: "standard input: The body has the same key twice" },
    { stdin: "{", says: "standard input: The body is not valid JSON" },
    { stdin: "", says: "standard input: The body is empty" },
  ])("rejects $stdin and changes nothing", async ({ stdin, says }) => {
    await add("shop");
    const before = await workshop.run("merchants settings shop");
    expectRefused(await workshop.run("merchants settings shop --file -", { stdin }), 2, says);
    expect((await workshop.run("merchants settings shop")).stdout).toBe(before.stdout);
  });

  test("are read, replaced and changed in the mode", async () => {
    await add("shop");
    await workshop.run("merchants settings shop --file - --live", { stdin: JSON.stringify(settings) });
    await workshop.run("merchants settings shop --paper phone=1 --live");
    const inTest = await workshop.read<object>("merchants settings shop");
    expect(inTest).toHaveProperty("classification", {});
    expect(inTest).toHaveProperty("paper", {});
    const inLive = { ...settings, paper: { phone: "1" } };
    expect(await workshop.read("--live merchants settings shop")).toMatchObject(inLive);
  });

  describe("with --paper", () => {
    const change = (...fields: string[]) =>
      workshop.run(["merchants", "settings", "shop", ...fields.flatMap((field) => ["--paper", field])]);

    test("change single fields, of branches too, and keep the others", async () => {
      await add("shop");
      await change("address=Ερμού 12, 10563 Αθήνα", "phone=210 1234567");
      const changed = await change("phone=", "branches.3.address=Τσιμισκή 3", "tax_office=ΚΕΦΟΔΕ Αττικής");
      const branches = { 3: { address: "Τσιμισκή 3" } };
      const paper = { address: "Ερμού 12, 10563 Αθήνα", tax_office: "ΚΕΦΟΔΕ Αττικής", branches };
      expect(changed.json()).toMatchObject({ paper });
      expect(changed.stdout).not.toContain("phone");
      expect((await change("branches.3.address=")).stdout).not.toContain("branches");
    });

    test("take the logo from a file", async () => {
      await add("shop");
      const pixel =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
      await workshop.write("logo.png", Buffer.from(pixel, "base64"));
      expect((await change("logo=logo.png")).json()).toMatchObject({ paper: { logo: pixel } });
    });

    test("are kept where --closed-until closes the books, and opens them again", async () => {
      await add("shop");
      await change("phone=210 1234567");
      const close = (day: string) => workshop.run(`merchants settings shop --closed-until '${day}'`);
      const closed = { closed_until: "2026-10-31", paper: { phone: "210 1234567" } };
      expect((await close("2026-10-31")).json()).toMatchObject(closed);
      expect((await close("31/10/2026")).json()).toMatchObject(closed);
      expect((await close("")).json()).toMatchObject({ ...closed, closed_until: null });
    });
  });
});
