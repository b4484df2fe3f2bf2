/** The month of each merchant at a glance: docs/contract.md#reports. */
import { expect, test, vi } from "vitest";
import { overviewJson, reportOverview } from "../../src/books/overview.ts";
import { reconcile } from "../../src/books/reconcile/reconcile.ts";
import { acceptDocument } from "../../src/documents/accept.ts";
import { cancelDocument } from "../../src/documents/cancel.ts";
import { creditDocument, ownOriginal } from "../../src/documents/credit.ts";
import { archiveMerchant } from "../../src/merchants/merchants.ts";
import { changeSettings } from "../../src/merchants/settings.ts";
import { buildIssueBody, CAUSE, openBench } from "../helpers/appliance.ts";
import { onEngines } from "../helpers/engines.ts";
import { addUpDay, sumDays } from "../../src/console/overview.ts";

const DEADLINES = [
  { kind: "vat_return", date: "2026-12-31" },
  { kind: "vies", date: "2026-12-26" },
];

const engines = await onEngines({ SQLite: {}, PostgreSQL: {} });
test.each(engines)("each merchant has one row with what its month counts in $engine", async (engine) => {
  const env = { FISCAL_ISSUING__DELAYS_SECONDS: "[0]", ...(await engine.makeStorage()) };
  const bench = await openBench({ env });
  const { appliance } = bench;
  const [shop, other, gone] = [
    await bench.makeMerchant(),
    await bench.makeMerchant("other"),
    await bench.makeMerchant("gone"),
  ];
  await archiveMerchant(appliance, gone, CAUSE);
  const accept = async (merchant: string, sandbox: string, issue_date = "2026-11-02") => {
    const body = buildIssueBody(merchant, { metadata: { sandbox } }) as { document: object };
    return (await acceptDocument(appliance, { ...body, document: { ...body.document, issue_date } }, CAUSE))
      .id;
  };
  const first = await accept(shop, "issued");
  for (const scene of ["issued", "issued", "rejected", "unavailable"]) await accept(shop, scene);
  const cancelled = await accept(shop, "issued", "2026-11-30");
  await accept(shop, "issued", "2026-10-31");
  await accept(other, "issued");
  await bench.settle();
  await cancelDocument(appliance, cancelled, CAUSE);
  await creditDocument(appliance, ownOriginal(appliance, "test", first), { issue_date: "2026-11-03" }, CAUSE);
  await bench.settle();
  await accept(shop, "issued");
  const overview = async (month: string) =>
    overviewJson(await reportOverview(appliance, { mode: "test", month }));
  const row = {
    merchant: "shop",
    issued: 5,
    waiting: 2,
    rejected: 1,
    vat: 400n,
    reconciled_at: null,
    closed: false,
    vies_invalid: 0,
    deadlines: DEADLINES,
  };
  const otherRow = { ...row, merchant: "other", issued: 1, waiting: 0, rejected: 0, vat: 200n };
  const byName = ({ merchants }: { merchants: { merchant: string }[] }) =>
    merchants.sort((one, another) => (one.merchant < another.merchant ? 1 : -1));
  expect(byName((await overview("2026-11")) as never)).toEqual([row, otherRow]);

  const pacing = { signal: undefined, wait: async () => {} };
  const compare = (from: string, merchantId: string) =>
    reconcile(appliance, { mode: "test", merchantId, from, through: "2026-11-30", ...pacing });
  await compare("2026-11-02", other);
  await compare("2026-11-01", shop);
  await changeSettings(appliance, shop, "test", { closed_until: "2026-11-30" });
  await changeSettings(appliance, other, "test", { closed_until: "2026-11-29" });
  expect(byName((await overview("2026-11")) as never)).toEqual([
    { ...row, reconciled_at: expect.stringMatching(/^2026-11-21T/), closed: true },
    otherRow,
  ]);
  expect(byName((await overview("2026-10")) as never)).toMatchObject([
    { merchant: "shop", issued: 1, vat: 200n, reconciled_at: null, closed: true },
    { merchant: "other", issued: 0, vat: 0n, closed: true },
  ]);
  await bench.close();
});

test("a day adds up document types and subtracts credit notes, beyond the range of a number", () => {
  const types = [
    { type: "1.1", count: 3, vat: 9007199254740993n },
    { type: "11.1", count: 2, vat: 1n },
    { type: "5.1", count: 1, vat: 4n },
    { type: "5.2", count: 1, vat: 10n },
  ];
  expect(addUpDay("2026-11-21", types)).toEqual({
    day: "2026-11-21",
    issued: 7,
    vat: 9007199254740980n,
  });
});

test("the console reads the documents of earlier days once a minute, and those of today each time", async () => {
  const bench = await openBench();
  const reads = vi.spyOn(bench.appliance.store.read, "all");
  const countReads = async () => {
    reads.mockClear();
    await sumDays(bench.appliance, "test");
    return reads.mock.calls.length;
  };
  expect([await countReads(), await countReads()]).toEqual([30, 1]);
  bench.advance(60_000);
  expect([await countReads(), await countReads()]).toEqual([30, 1]);
  await bench.close();
});
