// docs/contract.md#limits
import { describe, expect, test } from "vitest";
import {
  added,
  buildDocument,
  buildLine,
  changed,
  CUSTOMERS,
  expectRefused,
  expectTaken,
  type Keys,
  problemPaths,
  sales,
} from "../helpers/canonical.ts";
import { signatureHeaders, verifySignature } from "../../../src/webhooks/signature.ts";
import { DOCUMENTS, useServer } from "../helpers/bench.ts";

const server = useServer();
const GROSS_MAX = 1_250_000_000_000_000;
const NET_MAX = 1_000_000_000_000_000;

const lines = (count: number) => Array.from({ length: count }, () => buildLine());
const abroad = (keys: Keys, value: unknown) =>
  changed(changed(sales(), ["customer"], CUSTOMERS.eu), ["customer", ...keys], value);

/** The paths of a document's problems. */
async function wrongWith(document: unknown): Promise<string[]> {
  const { status, body } = await server().post(`${DOCUMENTS}/preview`, document);
  return status === 200 ? [] : problemPaths(body.message);
}

describe("Limits of a document", () => {
  test("Lines per document: 1 to 1000", async () => {
    for (const count of [1, 1000]) await expectTaken(server(), buildDocument("1.1", { lines: lines(count) }));
    for (const count of [0, 1001])
      await expectRefused(server(), changed(sales(), ["lines"], lines(count)), ["lines"]);
  });

  test("Payments per document: 1 to 10", async () => {
    const paid = (count: number) =>
      changed(
        sales(),
        ["payments"],
        Array.from({ length: count }, (_, at) => ({
          method: "cash",
          amount: at === 0 ? 1033 : 0,
        })),
      );
    for (const count of [1, 10]) await expectTaken(server(), paid(count));
    for (const count of [0, 11]) await expectRefused(server(), paid(count), ["payments"]);
  });

  test("original_marks per document: 1 to 1000", async () => {
    const credits = (count: number) =>
      changed(
        buildDocument("5.1"),
        ["original_marks"],
        Array.from({ length: count }, (_, at) => `${at + 1}`),
      );
    for (const count of [1, 1000]) await expectTaken(server(), credits(count));
    for (const count of [0, 1001]) await expectRefused(server(), credits(count), ["original_marks"]);
  });

  test("unit_price: 0 to 100000000000 minor units", async () => {
    const priced = (price: number) =>
      changed(buildDocument("1.1"), ["lines", 0], buildLine({ unit_price: price, quantity: "1" }));
    for (const price of [0, 100_000_000_000]) await expectTaken(server(), added(priced(price)));
    for (const price of [-1, 100_000_000_001])
      await expectRefused(server(), priced(price), ["lines", 0, "unit_price"]);
  });

  test("Net amount of a line: at most 1000000000000000", async () => {
    const totals = { net: NET_MAX, vat: 0, gross: NET_MAX };
    const line = (quantity: string) =>
      buildLine({ quantity, unit_price: 100_000_000_000, vat_category: "exempt" });
    await expectTaken(server(), buildDocument("1.1", { lines: [line("10000")], totals }));
    const beyond = buildDocument("1.1", { lines: [line("10000.001")], totals });
    await expectRefused(server(), beyond, ["lines", 0]);
  });

  test("Payment amount: 0 to 1250000000000000", async () => {
    const paid = (amount: number) => changed(sales(), ["payments"], [{ method: "cash", amount }]);
    // At the limits only the sum is wrong, and the plain sandbox only warns about it.
    for (const amount of [0, GROSS_MAX]) expect(await wrongWith(paid(amount))).toEqual([]);
    for (const amount of [-1, GROSS_MAX + 1])
      expect(await wrongWith(paid(amount))).toContain("payments[0].amount");
  });

  test.each([
    ["Totals net, vat", "net", NET_MAX],
    ["Totals net, vat", "vat", NET_MAX],
    ["Total gross", "gross", GROSS_MAX],
  ])("%s: %s is 0 to %i", async (_row, name, maximum) => {
    const messageAt = async (value: number) => {
      const document = changed(sales(), ["totals", name], value);
      return (await server().post(`${DOCUMENTS}/preview`, document)).body.message;
    };
    for (const value of [0, maximum]) expect(await messageAt(value)).toMatch(/what the lines add up to$/);
    expect(await messageAt(-1)).toBe(`totals.${name}: must be at least 0`);
    expect(await messageAt(maximum + 1)).toBe(`totals.${name}: must be at most ${maximum}`);
  });

  test("quantity: below 1000000000, up to 3 decimals, greater than 0", async () => {
    const much = (quantity: string) =>
      changed(buildDocument("1.1"), ["lines", 0], buildLine({ quantity, unit_price: 1 }));
    for (const quantity of ["0.001", "999999999.999"]) await expectTaken(server(), added(much(quantity)));
    for (const quantity of ["0", "0.0001", "1000000000", "1.0001"])
      await expectRefused(server(), much(quantity), ["lines", 0, "quantity"]);
  });

  test.each([
    ["Description", 300, ["lines", 0, "description"], sales],
    ["Party name", 200, ["customer", "name"], () => abroad([], CUSTOMERS.eu)],
    ["Street, city: street", 150, ["customer", "address", "street"], () => abroad([], CUSTOMERS.eu)],
    ["Street, city: city", 150, ["customer", "address", "city"], () => abroad([], CUSTOMERS.eu)],
    [
      "Street number, postal code: number",
      20,
      ["customer", "address", "number"],
      () => abroad([], CUSTOMERS.eu),
    ],
    [
      "Street number, postal code: postal code",
      20,
      ["customer", "address", "postal_code"],
      () => abroad([], CUSTOMERS.eu),
    ],
  ] as [string, number, Keys, () => unknown][])(
    "%s: %i characters, not bytes",
    async (_name, length, keys, build) => {
      for (const character of ["x", "ώ", "😀"])
        await expectTaken(server(), changed(build(), keys, character.repeat(length)));
      await expectRefused(server(), changed(build(), keys, "x".repeat(length + 1)), keys);
    },
  );

  test("Tax number as sent: 60 characters", async () => {
    const keys: Keys = ["customer", "tax_id", "code"];
    await expectTaken(server(), changed(sales(), keys, `094012834${".".repeat(51)}`));
    await expectRefused(server(), changed(sales(), keys, `094012834${".".repeat(52)}`), keys);
  });

  test("Branch: 0 to 9999", async () => {
    const keys: Keys = ["supplier", "branch"];
    for (const branch of [0, 9999]) await expectTaken(server(), changed(sales(), keys, branch));
    for (const branch of [-1, 10_000]) await expectRefused(server(), changed(sales(), keys, branch), keys);
  });
});

describe("Limits of signatures", () => {
  test("Webhook signature: up to 8 v1 values; a timestamp is valid for 300 seconds", () => {
    const secrets = Array.from(
      { length: 9 },
      (_none, fill) => `whsec_${Buffer.alloc(32, fill).toString("base64")}`,
    );
    const signed = signatureHeaders(secrets, { id: "evt_0", body: "{}", atSeconds: 1_793_000_000 });
    const header = signed["service-signature"]!;
    expect(header.match(/,v1=[0-9a-f]{64}/g)).toHaveLength(8);
    const verdictAt = (nowSeconds: number) =>
      verifySignature({ secret: secrets[7]!, header, body: Buffer.from("{}"), nowSeconds }).ok;
    expect([-301, -300, 300, 301].map((age) => verdictAt(1_793_000_000 + age))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
