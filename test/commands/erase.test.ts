/** `fiscal erase`. What it removes is tested in upkeep/retention. */
import { expect, test } from "vitest";
import { answering, expectSaid, type RunOptions } from "../helpers/program.ts";
import type { Erasure } from "../../src/upkeep/retention/erasure-run.ts";
import { issueAll } from "../helpers/issuing.ts";
import { invoice, openShop } from "../helpers/receipts.ts";
import { forEachTest } from "../helpers/set-up.ts";

/** The customer of the invoice. */
const CUSTOMER = "094012834";

const workshop = forEachTest(openShop);
const erase = (flags: string, options?: RunOptions) => workshop.run(`erase --tax-id ${flags}`, options);

test("erase removes what --dry-run only counts, once, and keeps the document", async () => {
  const [own] = await issueAll(workshop, [invoice("A-1")]);
  const dry = await erase(`${CUSTOMER} --dry-run --json`);
  expect(dry.json()).toMatchObject({ object: "erasure", dry_run: true });
  expect(dry.json<Erasure>().provider_calls).toBeGreaterThan(0);
  const read = await erase(`${CUSTOMER} --dry-run`);
  expect(read).toMatchObject({ exitCode: 0, stderr: "" });
  expect(read.stdout).toMatch(/^Would be removed about tax number …834: .*provider call/);
  expect((await erase(`${CUSTOMER} --yes --json`)).json()).toEqual({
    ...dry.json<Erasure>(),
    dry_run: false,
  });
  expect(await workshop.read("documents show A-1")).toMatchObject({ status: "issued", mark: own!.mark });

  const stdout = "There is nothing left to remove about tax number …834.\n";
  expect(await erase(CUSTOMER)).toMatchObject({ exitCode: 0, stdout });
  const again = await erase(`${CUSTOMER} --yes --json`);
  expect(new Set(Object.values(again.json<Erasure>()))).toEqual(new Set(["erasure", false, 0]));
});

test("erase asks with what it found, and shows what it removed, but never the number", async () => {
  await issueAll(workshop, [invoice("A-1")]);
  const asked = await erase("'094.012 834'", answering({ "Remove about": "n\r" }));
  expectSaid(asked, 1, /Remove about tax number …834: .*provider call/s);
  const run = await erase("'094.012 834' --yes");
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toMatch(/^Removed about tax number …834: .*\. The fiscal core/);
  expect(run.stdout + run.stderr).not.toMatch(/094/);
});
