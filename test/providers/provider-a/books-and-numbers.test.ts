/** The book, number and branch that a document gets at provider_a. */
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DOCUMENT_TYPES, type DocumentType } from "../../../src/domain/canonical-document.ts";
import { openBench } from "../../helpers/appliance.ts";
import { CUSTOMERS } from "../../helpers/documents.ts";
import { BRANCHES, openProviderABench, type ProviderABench } from "../../helpers/provider-a-bench.ts";

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

  test.each(DOCUMENT_TYPES)("of %s is created with the default series if there is none", async (type) => {
    const id = await bench.issue(type);
    expect(await bench.get(id)).toMatchObject({ status: "issued", series: SERIES[type], number: 1 });
    expect(await bench.get(await bench.issue(type))).toMatchObject({ number: 2 });
    expect(bench.fake.tenant().books).toHaveLength(1);
  });

  test("of a covering type is used, and replaced with one of the exact type if refused", async () => {
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

  test("is created once by two processes that share a data directory", async () => {
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

  test("is the one of an explicit series, with the explicit number", async () => {
    const { fake, get } = bench;
    fake.tenant().books.push(book("11.1", "ALP"), book("11.1", "WEB"));
    const id = await bench.issue("11.1", {}, { series: "WEB", number: 900 });
    expect(await get(id)).toMatchObject({ status: "issued", series: "WEB", number: 900 });
    expect(fake.ledger).toMatchObject([{ series: "WEB", num: 900 }]);
  });
});

/** A supplier, branch and type uses series and number once, whoever allocated them (docs/contract.md#numbers). */
describe("numbers that were used before the merchant was connected", () => {
  async function issueInSandbox(type: DocumentType): Promise<void> {
    const id = await bench.issue(type);
    expect(await bench.get(id)).toMatchObject({ provider: "sandbox", status: "issued", number: 1 });
  }

  test("are not reused: a new book for their series does not begin at 1", async () => {
    await issueInSandbox("11.1");
    await bench.connect();
    const id = await bench.issue("11.1");
    const [document] = await bench.processAll([id]);
    expect(document).toMatchObject({
      provider: "provider_a",
      status: "issued",
      mark: bench.fake.ledger[0]!.mark,
    });
    expect({ series: document!.series, number: document!.number }).not.toEqual({ series: "ALP", number: 1 });
  });

  test("do not prevent a document from being issued if the provider reuses them", async () => {
    const { fake, connect, processAll, logged } = bench;
    await issueInSandbox("11.1");
    fake.tenant().books.push({ id: "b", name: "ALP", series: "ALP", invoice_type_code: "11.1", number: 1 });
    await connect();
    const id = await bench.issue("11.1");
    const [document] = await processAll([id]);
    expect(document).toMatchObject({ status: "issued", mark: fake.ledger[0]!.mark });
    expect(logged.filter((line) => line.startsWith("error"))).toEqual([]);
  });
});

describe("the branch", () => {
  beforeEach(() => bench.connect());
  const supplier = (branch: number) => ({ tax_id: { country: "GR", code: "123456783" }, branch }) as const;

  test("is sent as the provider's id", async () => {
    const id = await bench.issue("11.1", { supplier: supplier(2) });
    expect(bench.fake.ledger[0]!.body.branch).toBe(BRANCHES[0]!.id);
    expect(await bench.get(id)).toMatchObject({ status: "issued", series: "ALP-2" });
  });
});
