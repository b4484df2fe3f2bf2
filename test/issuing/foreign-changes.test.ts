/** Changes that somebody else makes at the authority while the outcome of a send is unknown. */
import { describe, expect, test } from "vitest";
import { auditNumbering } from "../../src/numbering/audit-numbers.ts";
import { openRegistryBench } from "../helpers/registry-bench.ts";
import { forEachTest } from "../helpers/set-up.ts";

const bench = forEachTest(openRegistryBench);

const FOREIGN_MARK = "400009999999999";

/** Accepts a document whose send is lost, and registers one of another program under its number. */
async function acceptWithForeignNumber(): Promise<string> {
  bench.registry.next("SendInvoices", "cut before filing");
  const id = await bench.accept();
  await bench.settle();
  const { series, number, issue_date: date, type } = await bench.get(id);
  bench.registry.ledger.push({
    vat: "123456783",
    branch: "0",
    date,
    type,
    series: series!,
    aa: String(number),
    uid: "A".repeat(40),
    net: "99.00",
    gross: "122.76",
    taxSums: {},
    counterpart: null,
    transmissionFailure: null,
    correlated: [],
    sent: { counterpart: "", paymentMethods: "", invoiceDetails: "" },
    boxes: {},
    mark: FOREIGN_MARK,
    cancelledByMark: null,
    isReplaced: false,
    listedAtMs: 0,
  });
  return id;
}

describe("a lost send whose number another document has", () => {
  test("takes the next number once its absence is certain", async () => {
    const id = await acceptWithForeignNumber();
    const [document] = await bench.processAll([id], 1);
    expect(document).toMatchObject({ status: "pending", stage: "reconciling", number: 1 });
    const [issued] = await bench.processAll([id], 10);
    expect(issued).toMatchObject({ status: "issued", number: 2 });
    expect(issued!.mark).not.toBe(FOREIGN_MARK);
    expect(bench.registry.ledger).toHaveLength(2);
    // The other document is never touched.
    expect(bench.registry.ledger[0]).toMatchObject({ mark: FOREIGN_MARK, cancelledByMark: null });
  });

  test("is reported with the other MARK in the log, the numbering audit and the doctor", async () => {
    const id = await acceptWithForeignNumber();
    await bench.processAll([id], 10);
    const warnings = bench.logged.filter((line) => line.includes(FOREIGN_MARK));
    expect(warnings).toHaveLength(2);
    const { counters, holes } = await auditNumbering(bench.appliance, {});
    expect(holes).toEqual([]);
    expect(counters[0]!.numbers[0]).toMatchObject({
      number: 1,
      state: "passed",
      document: id,
      reason: expect.stringContaining(FOREIGN_MARK),
    });
    expect(await bench.diagnoseDocuments()).toMatchObject([
      { subjects: [id], next_step: { en: expect.stringContaining("series of its own") } },
    ]);
  });
});

test("a document whose MARK was cancelled meanwhile is issued and cancelled, with both events", async () => {
  bench.registry.next("SendInvoices", "cut after filing");
  const id = await bench.accept();
  await bench.settle();
  bench.registry.ledger[0]!.cancelledByMark = "400008888888888";
  const [document] = await bench.processAll([id], 10);
  expect(document).toMatchObject({
    status: "issued",
    mark: bench.registry.ledger[0]!.mark,
    cancellation_mark: "400008888888888",
  });
  expect(document!.cancelled_at).not.toBeNull();
  expect(document!.timeline.map(({ type }) => type)).toEqual([
    "document.created",
    "document.issued",
    "document.cancelled",
  ]);
  expect(bench.registry.ledger).toHaveLength(1);
});
