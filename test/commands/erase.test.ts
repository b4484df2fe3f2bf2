import { describe, expect, test } from "vitest";
import type { Erasure } from "../../src/upkeep/retention/erasure-run.ts";
import { issueAll } from "../helpers/issuing.ts";
import { type Run, type RunOptions } from "../helpers/program.ts";
import { receipt, openShop } from "../helpers/receipts.ts";
import { forEachTest } from "../helpers/set-up.ts";

/** A Greek customer of one of the two documents. */
const CUSTOMER = "094012834";

const workshop = forEachTest(openShop);

function invoice(reference: string, customer: string) {
  const { document, ...rest } = receipt(reference);
  const party = { tax_id: { country: "GR", code: customer } };
  return { ...rest, document: { ...document, type: "1.1", customer: party } };
}

function erase(args: string[], options?: RunOptions): Promise<Run> {
  return workshop.run(["erase", ...args], options);
}

async function bodyOfCall(documentId: string): Promise<unknown> {
  const calls = await workshop.run(`calls list --document ${documentId} --json`);
  const call = calls.json<{ data: { id: string; operation: string }[] }>();
  const issue = call.data.find(({ operation }) => operation === "issue");
  const shown = await workshop.run(`calls show ${issue!.id} --json`);
  return shown.json<{ request: unknown }>().request;
}

describe("erase", () => {
  test("removes only the bodies with the number, keeps the document, and finds nothing the second time", async () => {
    const [own, other] = await issueAll(workshop, [invoice("A-1", CUSTOMER), receipt("A-2")]);
    const run = await erase(["--tax-id", CUSTOMER, "--yes", "--json"]);
    expect(run.exitCode).toBe(0);
    const erasure = run.json<Erasure>();
    expect(erasure).toMatchObject({ object: "erasure", dry_run: false });
    expect(erasure.provider_calls).toBeGreaterThan(0);
    expect(await bodyOfCall(own!.id)).toBeNull();
    expect(await bodyOfCall(other!.id)).not.toBeNull();
    const kept = await workshop.run("documents show A-1 --json");
    expect(kept.json()).toMatchObject({ status: "issued", mark: own!.mark, gross: own!.gross });

    const again = await erase(["--tax-id", CUSTOMER]);
    expect(again).toMatchObject({
      exitCode: 0,
      stdout: "There is nothing left to remove about tax number …834.\n",
    });
    const { object, dry_run, ...counts } = (
      await erase(["--tax-id", CUSTOMER, "--yes", "--json"])
    ).json<Erasure>();
    expect({ object, dry_run }).toEqual({ object: "erasure", dry_run: false });
    expect(new Set(Object.values(counts))).toEqual(new Set([0]));
  });

  test("only counts with --dry-run", async () => {
    const [own] = await issueAll(workshop, [invoice("A-1", CUSTOMER)]);
    const dry = await erase(["--tax-id", CUSTOMER, "--dry-run", "--json"]);
    expect(dry.json()).toMatchObject({ dry_run: true });
    expect(await bodyOfCall(own!.id)).not.toBeNull();
    const read = await erase(["--tax-id", CUSTOMER, "--dry-run"]);
    expect(read).toMatchObject({ exitCode: 0, stderr: "" });
    expect(read.stdout).toMatch(/^Would be removed about tax number …834: .*provider call/);
    const done = await erase(["--tax-id", CUSTOMER, "--yes", "--json"]);
    expect(done.json()).toEqual({ ...dry.json<Erasure>(), dry_run: false });
  });

  test("shows what will be and what was removed, but never the number", async () => {
    await issueAll(workshop, [invoice("A-1", CUSTOMER)]);
    const run = await erase(["--tax-id", "094.012 834", "--yes"]);
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toMatch(/^To be removed about tax number …834: /m);
    expect(run.stdout).toMatch(/^Removed about tax number …834: .*\. The fiscal core/);
    expect(run.stdout + run.stderr).not.toMatch(/094/);
  });
});
