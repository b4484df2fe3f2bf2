/** What is looked up or made at the licensed provider before a document is sent: book, number, branch, customer. */
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DOCUMENT_TYPES, type DocumentType } from "../../src/domain/canonical-document.ts";
import { openBench } from "../helpers/appliance.ts";
import { CUSTOMERS, type DocumentInput } from "../helpers/documents.ts";
import {
  BRANCHES,
  CUSTOMER_CODE,
  openProviderABench,
  type ProviderABench,
  TAXPAYER,
  WHOLE_CUSTOMER,
} from "../helpers/provider-a-bench.ts";

const SERIES: Record<DocumentType, string> = {
  "1.1": "TIM",
  "2.1": "TPY",
  "5.1": "PIS",
  "5.2": "PIM",
  "11.1": "ALP",
  "11.2": "APY",
};

let bench: ProviderABench;
beforeEach(async () => {
  bench = await openProviderABench();
});
afterEach(() => bench.close());

describe("the billing book", () => {
  beforeEach(() => bench.connect());
  const book = (type: string, series: string) => ({
    id: `book-${series}`,
    name: series,
    series,
    invoice_type_code: type,
    number: 5,
  });

  test.each(DOCUMENT_TYPES)("of %s is made with the default series where there is none", async (type) => {
    const id = await bench.issue(type);
    expect(await bench.get(id)).toMatchObject({ status: "issued", series: SERIES[type], number: 1 });
    expect(await bench.get(await bench.issue(type))).toMatchObject({ number: 2 });
    expect(bench.fake.tenant().books).toHaveLength(1);
  });

  test("that covers the type is used, and where it is refused one of the very type is made", async () => {
    const { fake, get } = bench;
    fake.tenant().books.push(book("1.1", "TIM"));
    expect(await get(await bench.issue("1.1", { customer: CUSTOMERS.eu }))).toMatchObject({
      series: "TIM",
      number: 5,
    });
    fake.habits.exactBooks = true;
    const id = await bench.issue("1.1", { customer: CUSTOMERS.eu });
    expect(await get(id)).toMatchObject({ status: "issued", number: 1 });
    expect(fake.tenant().books.at(-1)).toMatchObject({ invoice_type_code: "1.2" });
    expect(fake.ledger.map(({ type }) => type)).toEqual(["1.2", "1.2"]);
  });

  test("that was remembered and has given way to another is forgotten, and the document is issued all the same", async () => {
    const { fake, get } = bench;
    await bench.issue("11.1");
    fake.tenant().books.splice(0, 1, book("11.1", "NEW"));
    expect(await get(await bench.issue("11.1"))).toMatchObject({
      status: "issued",
      series: "NEW",
      number: 5,
    });
    expect(fake.ledger).toHaveLength(2);
  });

  test("is made once for documents that come together", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => bench.accept("11.2")));
    await bench.settle();
    const numbers = (await Promise.all(ids.map(bench.get))).map(({ number }) => number);
    expect(numbers.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(bench.fake.count("POST /billing_books")).toBe(1);
  });

  test("is made once by two processes that work one data directory", async () => {
    const { appliance, fake, accept, settle, get } = bench;
    const folder = dirname(appliance.config.dataDir);
    const env = { FISCAL_PROVIDERS__PROVIDER_A__TEST_URL: fake.url };
    const other = await openBench({ folder, env });
    const ids = await Promise.all(Array.from({ length: 12 }, () => accept("11.2")));
    for (let round = 0; round < 3; round += 1) await Promise.all([settle(), other.settle()]);
    for (const id of ids) expect(await get(id)).toMatchObject({ status: "issued", series: "APY" });
    expect(fake.tenant().books).toHaveLength(1);
    expect(fake.ledger).toHaveLength(12);
    expect(fake.tokens().length).toBeGreaterThan(1);
    await other.close();
  });

  test("is that of the series which the document asks for, with its number", async () => {
    const { fake, get } = bench;
    fake.tenant().books.push(book("11.1", "ALP"), book("11.1", "WEB"));
    const id = await bench.issue("11.1", {}, { series: "WEB", number: 900 });
    expect(await get(id)).toMatchObject({ status: "issued", series: "WEB", number: 900 });
    expect(fake.ledger).toMatchObject([{ series: "WEB", num: 900 }]);
  });
});

/** decisions 6: series and number are used once for a supplier, branch and type, whoever gave them. */
describe("numbers that were used before the merchant was connected", () => {
  async function issueInSandbox(type: DocumentType): Promise<void> {
    const id = await bench.issue(type);
    expect(await bench.get(id)).toMatchObject({ provider: "sandbox", status: "issued", number: 1 });
  }

  test("are not given again: a book that is made for their series does not begin at 1", async () => {
    await issueInSandbox("11.1");
    await bench.connect();
    const id = await bench.issue("11.1");
    const [document] = await bench.workOff([id]);
    expect(document).toMatchObject({
      provider: "provider_a",
      status: "issued",
      mark: bench.fake.ledger[0]!.mark,
    });
    expect({ series: document!.series, number: document!.number }).not.toEqual({ series: "ALP", number: 1 });
  });

  test("and that the provider gives all the same do not keep a document from being issued: it is filed", async () => {
    const { fake, connect, workOff, logged } = bench;
    await issueInSandbox("11.1");
    fake.tenant().books.push({ id: "b", name: "ALP", series: "ALP", invoice_type_code: "11.1", number: 1 });
    await connect();
    const id = await bench.issue("11.1");
    const [document] = await workOff([id]);
    expect(document).toMatchObject({ status: "issued", mark: fake.ledger[0]!.mark });
    expect(logged.filter((line) => line.startsWith("error"))).toEqual([]);
  });
});

describe("the branch", () => {
  beforeEach(() => bench.connect());
  const supplier = (branch: number) => ({ tax_id: { country: "GR", code: "123456783" }, branch }) as const;

  test("goes by the provider's id for its number", async () => {
    const id = await bench.issue("11.1", { supplier: supplier(2) });
    expect(bench.fake.ledger[0]!.body.branch).toBe(BRANCHES[0]!.id);
    expect(await bench.get(id)).toMatchObject({ status: "issued", series: "ALP-2" });
  });

  test("that the provider has not is named in the refusal", async () => {
    const id = await bench.issue("11.1", { supplier: supplier(7) });
    const { status, error } = await bench.get(id);
    expect(status).toBe("rejected");
    expect(error).toMatchObject({
      code: "validation_failed",
      message: expect.stringContaining("supplier.branch"),
    });
    expect(bench.asked()).not.toContain("POST /invoices");
  });
});

describe("the customer", () => {
  beforeEach(() => bench.connect());

  test("of whom only the tax number is known is completed by the provider's lookup", async () => {
    const id = await bench.issue("1.1", { customer: CUSTOMERS.greek });
    expect(await bench.get(id)).toMatchObject({ status: "issued" });
    const { name, city, address: street, street_number: number, postal_code } = TAXPAYER;
    const vat = CUSTOMER_CODE;
    expect(bench.fake.ledger[0]!.body.counterpart).toEqual({
      name,
      country_code: "GR",
      vat,
      city,
      street,
      number,
      postal_code,
    });
    expect(await bench.calls()).toContainEqual(
      expect.objectContaining({
        operation: "lookup",
        purpose: "operation",
        document_id: id,
        http_status: 200,
      }),
    );
  });

  const ALL = [
    "customer.name",
    "customer.address.street",
    "customer.address.number",
    "customer.address.postal_code",
    "customer.address.city",
  ];
  test.each<[string, DocumentInput["customer"], string[]]>([
    ["is not known to the lookup", { tax_id: { country: "GR", code: "090000045" } }, ALL],
    [
      "lives abroad and has no street",
      CUSTOMERS.abroad,
      ["customer.address.street", "customer.address.number"],
    ],
    [
      "is given another address, without a street number",
      {
        ...WHOLE_CUSTOMER,
        address: { street: "Σταδίου", postal_code: "10562", city: "Αθήνα" },
      },
      ["customer.address.number"],
    ],
  ])("who %s is refused, naming what is missing", async (_name, customer, paths) => {
    const id = await bench.issue("1.1", { customer });
    const { status, error, number } = await bench.get(id);
    expect({ status, number }).toEqual({ status: "rejected", number: null });
    expect(error).toMatchObject({ code: "validation_failed", retryable: false });
    expect(ALL.filter((path) => error!.message.includes(path))).toEqual(paths);
    expect(bench.asked()).not.toContain("POST /invoices");
  });

  test("whom the register shows without a street number is refused, naming it", async () => {
    const other = await openProviderABench({
      taxpayers: { [CUSTOMER_CODE]: { ...TAXPAYER, street_number: "" } },
    });
    await other.connect();
    const id = await other.accept("1.1", { customer: CUSTOMERS.greek });
    await other.settle();
    const { status, error } = await other.get(id);
    expect(status).toBe("rejected");
    expect(ALL.filter((path) => error!.message.includes(path))).toEqual(["customer.address.number"]);
    await other.close();
  });
});
