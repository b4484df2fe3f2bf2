/** The book and number that a document gets at provider_a. */
import { dirname } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { DocumentType } from "../../../src/domain/canonical-document.ts";
import { openBench } from "../../helpers/appliance.ts";
import { openProviderABench } from "../../helpers/provider-a-bench.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const bench = forEachTest(openProviderABench);

describe("the billing book", () => {
  beforeEach(() => bench.connect());

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
