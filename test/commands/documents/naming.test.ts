/** Documents are named by series and number as well: docs/contract.md#names-of-documents. */
import { beforeAll, expect, test } from "vitest";
import { expectSaid } from "../../helpers/program.ts";
import { issueAll } from "../../helpers/issuing.ts";
import { invoice, receipt, openShop } from "../../helpers/receipts.ts";
import { forAllTests } from "../../helpers/set-up.ts";

const OTHER_SUPPLIER = "094014201";

const workshop = forAllTests(openShop);
beforeAll(async () => {
  const add = ["merchants", "add", "--external-id", "other", "--name", "Δεύτερη ΙΚΕ", "--tax-id"];
  const { id } = (await workshop.run([...add, OTHER_SUPPLIER, "--json"])).json<{ id: string }>();
  await issueAll(workshop, [invoice("I-1"), receipt("R-1"), { ...invoice("TIM 1"), series: "B" }]);
  const { document, ...rest } = invoice("O-1");
  const supplier = { tax_id: { country: "GR", code: OTHER_SUPPLIER } };
  await issueAll(workshop, [{ ...rest, merchant: id, document: { ...document, supplier } }]);
});

const show = (name: string, ...args: string[]) =>
  workshop.run(["documents", "show", name, "--json", ...args]);

test.each([
  ["ALP 1", "shop", "R-1"],
  ["al 1", undefined, undefined],
  ["ΑLΡ 1", undefined, "R-1"],
  ["tim 1", "shop", "I-1"],
  ["ΤΙΜ/0001", "shop", "I-1"],
  ["TIM-1", "other", "O-1"],
  ["b 1", undefined, "TIM 1"],
  ["TIM 2", undefined, undefined],
])("%s of merchant %s is %s", async (name, merchant, reference) => {
  const run = await show(name, ...(merchant === undefined ? [] : ["--merchant", merchant]));
  if (reference === undefined) expect(run).toMatchObject({ exitCode: 3, stdout: "" });
  else expect(run.json()).toMatchObject({ external_reference: reference });
});

test("a reference comes first, and a number of several merchants needs one of them", async () => {
  expect((await show("TIM 1")).json()).toMatchObject({ external_reference: "TIM 1" });
  expectSaid(
    await show("ΤΙΜ 1"),
    2,
    "several documents have this series and number: give the id, or add --merchant",
  );
});
