/** `fiscal customers`: docs/contract.md#customers. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { issueAll } from "../helpers/issuing.ts";
import { answering, openWorkshop, type RunOptions, type Workshop } from "../helpers/program.ts";
import { addShop, invoice, receipt } from "../helpers/receipts.ts";

const ADDRESS = { street: "Ερμού", number: "1", postal_code: "10563", city: "Αθήνα" };

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
  await addShop(workshop);
  await addShop(workshop, "other");
  const { document, ...rest } = invoice("I-1");
  const customer = { tax_id: { country: "GR", code: "094012834" }, name: "Πελάτης Α.Ε.", address: ADDRESS };
  const foreign = { tax_id: { country: "DE", code: "129273398" }, name: "Muster", address: ADDRESS };
  await issueAll(workshop, [
    { ...rest, document: { ...document, customer } },
    invoice("I-2"),
    { ...invoice("I-3"), document: { ...document, customer: foreign } },
    receipt("R-1"),
  ]);
});
afterAll(() => workshop.remove());

const customers = (verb: string, args: string[], options?: RunOptions) =>
  workshop.run(["customers", verb, "--merchant", "shop", ...args], options);

test("the customers of issued documents are remembered with what any of them said", async () => {
  const list = await customers("list", ["--json"]);
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Athens" }).format(new Date());
  expect(list.json()).toEqual({
    object: "list",
    has_more: false,
    data: [
      { country: "DE", code: "129273398", name: "Muster", address: ADDRESS, last_used: today },
      { country: "GR", code: "094012834", name: "Πελάτης Α.Ε.", address: ADDRESS, last_used: today },
    ],
  });
  expect((await customers("list", [])).stdout).toContain("Ερμού 1, 10563 Αθήνα");
});

test("other merchants and the other mode have none of them", async () => {
  const other = await workshop.run(["customers", "list", "--merchant", "other"]);
  expect(other).toMatchObject({ exitCode: 0, stdout: "", stderr: expect.stringContaining("No customers") });
  expect((await workshop.run(["--live", "customers", "list", "--merchant", "shop"])).stdout).toBe("");
});

test("a Greek customer is found by the bare number, others with their country", async () => {
  expect((await customers("show", ["EL 094012834"])).stdout).toMatch(/^name +Πελάτης Α\.Ε\.$/m);
  expect((await customers("show", ["094012834", "--json"])).json()).toMatchObject({ country: "GR" });
  expect((await customers("show", ["DE129273398"])).exitCode).toBe(0);
  expect((await customers("show", ["129273398"])).exitCode).toBe(3);
});

test("completion offers their numbers", async () => {
  const offered = async (typed: string) =>
    (await workshop.run(["__complete", "fish", "--", "fiscal", "customers", "show", typed])).stdout.trim();
  expect(await offered("09")).toBe("094012834");
  expect(await offered("EL0")).toBe("EL094012834");
  expect(await offered("DE")).toBe("DE129273398");
  expect(await offered("FR")).toBe("");
});

test("a customer is forgotten after a confirmation, and its documents stay", async () => {
  const declined = await customers("forget", ["DE129273398"], answering({ Forget: "n\n" }));
  expect(declined.exitCode).toBe(1);
  expect((await customers("forget", ["DE129273398", "--yes"])).exitCode).toBe(0);
  expect((await customers("show", ["DE129273398"])).exitCode).toBe(3);
  expect((await workshop.run(["documents", "show", "I-3"])).stdout).toContain("issued");
});

test("erase removes a customer", async () => {
  const erase = await workshop.run(["erase", "--tax-id", "094012834", "--yes", "--json"]);
  expect(erase.json()).toMatchObject({ customers: 1 });
  expect((await customers("show", ["094012834"])).exitCode).toBe(3);
});
