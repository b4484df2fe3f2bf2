// docs/contract.md#parties
// docs/contract.md#limits: Party name; Street, city; Street number, postal code; Tax number as sent; Branch
import { expect, test } from "vitest";
import { changed, CUSTOMERS, sales, useCanonical } from "../helpers/canonical.ts";

const { expectTaken, expectRefused } = useCanonical();

const foreign = (path: string, value: unknown) =>
  changed(changed(sales(), ["customer"], CUSTOMERS.eu), ["customer", ...path.split(".")], value);
const greek = (path: string, value: unknown) => changed(sales(), ["customer", ...path.split(".")], value);

/** The same number, as sent with separators. */
const padded = (length: number) => `094012834${"-".repeat(length - 9)}`;
const number = (country: string) => ({ country, code: country === "GR" ? "094012834" : "123456789" });
const COUNTRIES = ["GR", "DE", "CH", "US", "XI"];

/** A rule, the customer whose field it is about, values that the field may have, and others that it may not. */
const FIELDS: [rule: string, customer: typeof greek, path: string, taken: unknown[], refused: unknown[]][] = [
  ["tax_id.country: a customer's is any", foreign, "tax_id", COUNTRIES.map(number), []],
  [
    "tax_id.country: nothing else",
    foreign,
    "tax_id.country",
    ["DE"],
    ["EL", "de", "D", "DEU", "QQ", "", 1, undefined],
  ],
  [
    "tax_id.code: up to 60 characters as sent, counted before separators are removed",
    greek,
    "tax_id.code",
    [padded(60)],
    [padded(61)],
  ],
  [
    "tax_id.code: for another country 2 to 30 letters and digits",
    foreign,
    "tax_id.code",
    ["A1", "z".repeat(30), "ie 1234567-wa", "12.34"],
    ["A", "-A-", "z".repeat(31), "12_34", "12/34", "ΑΒ12"],
  ],
  [
    "name: 1 to 200 characters, required outside Greece",
    foreign,
    "name",
    ["Ω", "😀".repeat(200)],
    ["", "Ω".repeat(201), 7, undefined],
  ],
  ["name: optional in Greece", greek, "name", [undefined, "Ω".repeat(200)], ["Ω".repeat(201)]],
  ["address: required outside Greece", foreign, "address", [{ postal_code: "1", city: "B" }], [undefined]],
  ["address: optional in Greece", greek, "address", [undefined], []],
  ...(
    [
      ["street", 150, true],
      ["number", 20, true],
      ["postal_code", 20, false],
      ["city", 150, false],
    ] as const
  ).map(([name, length, isOptional]): (typeof FIELDS)[number] => {
    const [taken, refused] = [
      ["Ω", "😀".repeat(length)],
      ["", "Ω".repeat(length + 1), 7],
    ];
    return isOptional
      ? [`address.${name}: optional`, foreign, `address.${name}`, [...taken, undefined], refused]
      : [`address.${name}: required`, foreign, `address.${name}`, taken, [...refused, undefined]];
  }),
];

test.each(FIELDS)("%s", async (_rule, build, path, taken, refused) => {
  for (const value of taken) await expectTaken(build(path, value));
  for (const value of refused) await expectRefused(build(path, value), ["customer", ...path.split(".")]);
});

test("tax_id.country: a supplier's must be GR", async () => {
  for (const country of ["EL", "CY", "gr", "", undefined]) {
    const keys = ["supplier", "tax_id", "country"];
    await expectRefused(changed(sales(), keys, country), keys);
  }
});

test("tax_id.code: is sent in upper case, without separators", async () => {
  const { payload } = await expectTaken(foreign("tax_id.code", "ie 1234567-wa"));
  expect(payload.InvoicesDoc.invoice[0].counterpart.vatNumber).toBe("IE1234567WA");
});

test("name: a Greek party's is not sent to the registry, which rejects it; a foreign party's is sent", async () => {
  const invoiceOf = async (document: unknown) => (await expectTaken(document)).payload.InvoicesDoc.invoice[0];
  const named = changed(greek("name", "Πελάτης"), ["supplier", "name"], "Εκδότης");
  const { issuer, counterpart } = await invoiceOf(named);
  expect([issuer.name, counterpart.name]).toEqual([undefined, undefined]);
  expect((await invoiceOf(foreign("name", "Muster"))).counterpart.name).toBe("Muster");
});

test.each(["supplier", "customer"])("branch: a %s's is 0 to 9999, default 0", async (party) => {
  const side = party === "supplier" ? "issuer" : "counterpart";
  const withBranch = (branch: unknown) => changed(sales(), [party, "branch"], branch);
  for (const [branch, sent] of [
    [0, "0"],
    [1, "1"],
    [9999, "9999"],
    [undefined, "0"],
  ]) {
    const { payload } = await expectTaken(withBranch(branch));
    expect(payload.InvoicesDoc.invoice[0][side].branch).toBe(sent);
  }
  for (const branch of [-1, 10_000, 1.5, "1"]) await expectRefused(withBranch(branch), [party, "branch"]);
});
