// docs/contract.md#parties
import { describe, expect, test } from "vitest";
import { changed, CUSTOMERS, expectRefused, expectTaken, type Keys, sales } from "../helpers/canonical.ts";
import { DOCUMENTS, useServer } from "../helpers/bench.ts";

const server = useServer();
const CODE: Keys = ["customer", "tax_id", "code"];

const foreign = (keys: Keys, value: unknown) =>
  changed(changed(sales(), ["customer"], CUSTOMERS.eu), ["customer", ...keys], value);
const greek = (keys: Keys, value: unknown) => changed(sales(), ["customer", ...keys], value);

/** A text field of a foreign customer: `length` characters are accepted, one more and an empty text are not. */
async function expectLength(keys: Keys, length: number): Promise<void> {
  for (const text of ["Ω", "😀".repeat(length)]) await expectTaken(server(), foreign(keys, text));
  for (const text of ["", "Ω".repeat(length + 1), 7])
    await expectRefused(server(), foreign(keys, text), ["customer", ...keys]);
}

describe("Canonical document: Party", () => {
  test("tax_id.country: a supplier's must be GR", async () => {
    for (const country of ["EL", "CY", "gr", "", undefined])
      await expectRefused(server(), changed(sales(), ["supplier", "tax_id", "country"], country), [
        "supplier",
        "tax_id",
        "country",
      ]);
  });

  test.each(["GR", "DE", "CH", "US", "XI"])("tax_id.country: a customer's may be %s", async (country) => {
    const document = foreign(["tax_id"], { country, code: country === "GR" ? "094012834" : "123456789" });
    await expectTaken(server(), document);
  });

  test.each(["EL", "de", "D", "DEU", "QQ", "", 1, undefined])(
    "tax_id.country: a customer's may not be %s",
    async (country) => {
      await expectRefused(server(), foreign(["tax_id", "country"], country), [
        "customer",
        "tax_id",
        "country",
      ]);
    },
  );

  test("tax_id.code: up to 60 characters as sent, counted before separators are removed", async () => {
    const padded = (length: number) => `094012834${"-".repeat(length - 9)}`;
    await expectTaken(server(), greek(["tax_id", "code"], padded(60)));
    await expectRefused(server(), greek(["tax_id", "code"], padded(61)), CODE);
  });

  test("tax_id.code: for another country 2 to 30 letters and digits, upper-cased", async () => {
    for (const code of ["A1", "z".repeat(30), "ie 1234567-wa", "12.34"])
      await expectTaken(server(), foreign(["tax_id", "code"], code));
    const { payload } = await expectTaken(server(), foreign(["tax_id", "code"], "ie 1234567-wa"));
    expect(payload.InvoicesDoc.invoice[0].counterpart.vatNumber).toBe("IE1234567WA");
    for (const code of ["A", "-A-", "z".repeat(31), "12_34", "12/34", "ΑΒ12"])
      await expectRefused(server(), foreign(["tax_id", "code"], code), CODE);
  });

  test("name: 1 to 200 characters, required outside Greece", async () => {
    await expectLength(["name"], 200);
    await expectRefused(server(), foreign(["name"], undefined), ["customer", "name"]);
    await expectTaken(server(), greek(["name"], undefined));
    await expectTaken(server(), greek(["name"], "Ω".repeat(200)));
    await expectRefused(server(), greek(["name"], "Ω".repeat(201)), ["customer", "name"]);
  });

  test("name: a Greek party's is not sent to the registry, which rejects it; a foreign party's is sent", async () => {
    const payloadOf = async (document: unknown) =>
      (await server().post(`${DOCUMENTS}/preview?provider=sandbox`, document)).body.data.payload.InvoicesDoc
        .invoice[0];
    const named = changed(greek(["name"], "Πελάτης"), ["supplier", "name"], "Εκδότης");
    const invoice = await payloadOf(named);
    expect([invoice.issuer.name, invoice.counterpart.name]).toEqual([undefined, undefined]);
    expect((await payloadOf(foreign(["name"], "Muster"))).counterpart.name).toBe("Muster");
  });

  test("address: required outside Greece, with postal_code and city", async () => {
    await expectRefused(server(), foreign(["address"], undefined), ["customer", "address"]);
    await expectTaken(server(), greek(["address"], undefined));
    await expectTaken(server(), foreign(["address"], { postal_code: "1", city: "B" }));
    for (const name of ["postal_code", "city"])
      await expectRefused(server(), foreign(["address", name], undefined), ["customer", "address", name]);
    for (const name of ["street", "number"])
      await expectTaken(server(), foreign(["address", name], undefined));
  });

  test.each([
    ["street", 150],
    ["number", 20],
    ["postal_code", 20],
    ["city", 150],
  ])("address: %s has 1 to %i characters", async (name, length) => {
    await expectLength(["address", name], length);
  });

  test.each(["supplier", "customer"])("branch: a %s's is 0 to 9999, default 0", async (party) => {
    for (const branch of [0, 1, 9999])
      await expectTaken(server(), changed(sales(), [party, "branch"], branch));
    for (const branch of [-1, 10_000, 1.5, "1"])
      await expectRefused(server(), changed(sales(), [party, "branch"], branch), [party, "branch"]);
    const side = party === "supplier" ? "issuer" : "counterpart";
    const branchOf = async (document: unknown) =>
      (await expectTaken(server(), document)).payload.InvoicesDoc.invoice[0][side].branch;
    expect(await branchOf(sales())).toBe("0");
    expect(await branchOf(changed(sales(), [party, "branch"], 0))).toBe("0");
    expect(await branchOf(changed(sales(), [party, "branch"], 7))).toBe("7");
  });
});
