/** `fiscal documents credit`: docs/contract.md#credit-and-repeat. */
import { beforeAll, describe, expect, test } from "vitest";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { issueAll } from "../../helpers/issuing.ts";
import { answering, type RunOptions, expectRefused } from "../../helpers/program.ts";
import { invoice, lines, receipt, openShop } from "../../helpers/receipts.ts";
import { CONNECT_SHOP, openRegisteredShop } from "../../helpers/registered-shop.ts";
import { forAllTests } from "../../helpers/set-up.ts";

let original: DocumentObject;
const workshop = forAllTests(openShop);
beforeAll(async () => {
  [original] = (await issueAll(workshop, [invoice("I-1"), invoice("I-2"), receipt("R-1")])) as [
    DocumentObject,
  ];
});

const credit = (...args: string[]) => workshop.run(["documents", "credit", ...args]);

test("--preview shows the credit note and issues nothing", async () => {
  const { exitCode, stdout } = await credit("I-1", "--line", "2:2", "--preview");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(new RegExp(`^credits +MARK ${original.mark}$`, "m"));
  expect(stdout).toMatch(/^gross +8\.68 EUR$/m);
  expect(await workshop.read("documents list --type 5.1")).toMatchObject({ data: [] });
});

test("parts and then the rest of a document, named by its MARK, are issued and say where the PDF is", async () => {
  const part = await credit(original.mark!, "--line", "1:0,5", "--line", "2:2", "--reference", "C-1");
  expect(part.exitCode).toBe(0);
  expect(part.stdout).toMatch(/^net +13\.00 EUR$/m);
  expect(part.stderr).toMatch(/^Its PDF: .+\.pdf$/m);
  const rest = await credit("I-1", "--date", "2025-01-20", "--json");
  expect(rest.json()).toMatchObject({ status: "issued", issue_date: "2025-01-20", net: 3800, vat: 912 });
});

test("exits with 2 if more is credited than is left, nothing is left, or a flag is wrong", async () => {
  expectRefused(await credit("I-2", "--line", "2:7"), 2, "--line 2: must be at most 6");
  expectRefused(await credit("I-1"), 2, "Nothing of");
  expect(await credit("I-1", "--preview")).toMatchObject({ exitCode: 2, stdout: "" });
  expect(await credit("I-2", "--line", "1:")).toMatchObject({ exitCode: 2 });
});

test("exits with 1 for a document that cannot be credited, and with 3 for an unknown one", async () => {
  const note = (await credit("R-1", "--json")).json<{ id: string; type: string }>();
  expect(note.type).toBe("11.4");
  expectRefused(await credit(note.id), 1, "A credit note");
  expect(await credit("400000000000999")).toMatchObject({ exitCode: 3 });
});

describe("in live mode", () => {
  const shop = forAllTests(openRegisteredShop);
  const live = (args: string[], options?: RunOptions) => shop.run(["--live", ...args], options);
  beforeAll(async () => {
    await live(CONNECT_SHOP);
    await live(["documents", "issue", "-", "--merchant", "shop", "--yes"], {
      stdin: lines([invoice("L-1")]),
    });
    expect(shop.registry.ledger).toHaveLength(1);
  });

  test("nothing is credited without a terminal or --yes, or if a person declines", async () => {
    expectRefused(await live(["documents", "credit", "L-1"]), 2, "--yes is missing");
    const declined = await live(["documents", "credit", "L-1"], answering({ "Issue this": "n\n" }));
    expect(declined).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("credit of TIM 1") });
    expect(shop.registry.ledger).toHaveLength(1);
  });

  test("a credit note is shown and issued once a person confirms it, and without a question with --yes", async () => {
    const part = await live(
      ["documents", "credit", "L-1", "--line", "1"],
      answering({ "Issue this": "y\n" }),
    );
    expect(part.exitCode).toBe(0);
    const rest = await live(["documents", "credit", "L-1", "--yes"]);
    expect(rest.stdout).toMatch(/^gross +[\d.]+ EUR$/m);
    expect(shop.registry.ledger.map(({ type }) => type)).toEqual(["1.1", "5.1", "5.1"]);
  });
});
