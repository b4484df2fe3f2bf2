/**
 * A backup is older than the appliance that it came from. The authority accepts a second send like the first, so a restored appliance
 * must find out what the other one registered.
 */
import { describe, expect, test } from "vitest";
import { setCounter } from "../../src/numbering/counters.ts";
import { auditNumbering } from "../../src/numbering/audit-numbers.ts";
import { openSites, type Site } from "../helpers/restoring.ts";
import { forEachTest } from "../helpers/set-up.ts";

const sites = forEachTest(openSites);

const filed = () =>
  sites.registry.ledger.map(({ series, aa, mark }) => ({ series, number: Number(aa), mark }));
const sends = () => sites.registry.requests.filter((request) => request.startsWith("SendInvoices"));

async function expectExplained({ appliance }: Site): Promise<void> {
  expect((await auditNumbering(appliance, {})).holes).toEqual([]);
}

/** Backs up after the first document was issued, whose id is returned. */
async function issueAndBackUp(): Promise<string> {
  const id = await sites.first.accept("before");
  await sites.first.processAll(id);
  await sites.backUp();
  return id;
}

async function restoreAndResume(): Promise<Site> {
  const restored = await sites.restore();
  await sites.resume(restored);
  return restored;
}

describe("after resume", () => {
  test("a queued document that was registered meanwhile takes its MARK", async () => {
    const id = await sites.first.accept("queued");
    await sites.backUp();
    const [issued] = await sites.first.processAll(id);
    const restored = await restoreAndResume();
    const [found] = await restored.processAll(id);
    expect(found).toMatchObject({ status: "issued", mark: issued!.mark, number: issued!.number });
    expect(filed()).toHaveLength(1);
    await expectExplained(restored);
  });

  test("a new document whose number is taken at the authority takes the next free one", async () => {
    await issueAndBackUp();
    const lost = [await sites.first.accept("lost-1", 1111), await sites.first.accept("lost-2", 2222)];
    await sites.first.processAll(...lost);
    const restored = await restoreAndResume();
    const fresh = await restored.accept("fresh", 3333);
    expect(await restored.processAll(fresh)).toMatchObject([{ status: "issued", number: 4 }]);
    expect(new Set(filed().map(({ number }) => number)).size).toBe(4);
    await expectExplained(restored);
  });

  test("a document that the caller repeats because the backup does not contain it is found", async () => {
    await issueAndBackUp();
    const [issued] = await sites.first.processAll(await sites.first.accept("lost", 4444));
    const restored = await restoreAndResume();
    const [again] = await restored.processAll(await restored.accept("lost", 4444));
    expect(again).toMatchObject({ mark: issued!.mark, number: 2 });
    expect(filed()).toHaveLength(2);
  });

  test("none of many waiting documents is sent twice, even if some were registered", async () => {
    const queued: string[] = [];
    for (let count = 0; count < 12; count += 1)
      queued.push(await sites.first.accept(`q-${count}`, 1000 + count));
    await sites.backUp();
    for (const number of [1, 2, 3])
      await sites.first.accept(`c-${number}`, 5000 + number, { series: "TIM", number });
    await sites.first.processAll(...queued);
    const restored = await restoreAndResume();
    const fresh = [await restored.accept("fresh-1", 7001), await restored.accept("fresh-2", 7002)];
    const documents = await restored.processAll(...queued, ...fresh);
    expect(documents.every(({ status }) => status === "issued")).toBe(true);
    expect(filed()).toHaveLength(17);
    expect(new Set(filed().map(({ number }) => number)).size).toBe(17);
    await expectExplained(restored);
  });

  test("documents are sent without a poll once five numbers in a row were unused", async () => {
    await issueAndBackUp();
    const restored = await restoreAndResume();
    for (let count = 0; count < 5; count += 1)
      await restored.processAll(await restored.accept(`asked-${count}`));
    const asked = sites.registry.requests.length;
    await restored.processAll(await restored.accept("unasked"));
    expect(sites.registry.requests.slice(asked)).toEqual(["SendInvoices 1"]);
    expect(new Set(filed().map(({ number }) => number)).size).toBe(7);
  });

  test("a counter that was raised beforehand skips the numbers of the other appliance", async () => {
    const before = await issueAndBackUp();
    const restored = await sites.restore();
    const { merchant } = await restored.see(before);
    await setCounter(restored.appliance, { mode: "test", merchantId: merchant, type: "1.1", nextNumber: 50 });
    await sites.resume(restored);
    expect(await restored.processAll(await restored.accept("fresh"))).toMatchObject([{ number: 50 }]);
    await expectExplained(restored);
  });

  test("a document that was being sent during the backup is reconciled", async () => {
    const id = await sites.first.accept("sent");
    // Filed, but the response is lost: the document waits to be queried.
    sites.registry.next("SendInvoices", "cut after filing");
    await sites.first.settle();
    await sites.backUp();
    expect(filed()).toHaveLength(1);
    const restored = await restoreAndResume();
    expect(await restored.processAll(id)).toMatchObject([{ status: "issued", mark: filed()[0]!.mark }]);
    expect(sends()).toHaveLength(1);
  });

  test("a second resume does nothing", async () => {
    await sites.backUp();
    const restored = await restoreAndResume();
    await expect(sites.resume(restored)).rejects.toThrow("not held");
  });
});
