/** A full disk prevents storing a response: the document is reconciled, never sent again without a query. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Bench, openBench } from "../helpers/appliance.ts";
import { createScriptedProvider, type ScriptedProvider } from "../helpers/scripted-provider.ts";
import { CAN_MOUNT, mountSmallDisk, type SmallDisk } from "../helpers/small-disk.ts";

const MEGABYTE = 1_048_576;
const UNKNOWN = { uid: null, qrUrl: null };
const ISSUED = { kind: "issued" as const, mark: "400000000000777", uid: null, qrUrl: null };

describe.skipIf(!CAN_MOUNT)("a disk that fills up (skipped where no tmpfs can be mounted)", () => {
  let disk: SmallDisk;
  let provider: ScriptedProvider;
  let bench: Bench;
  let merchant: string;
  beforeEach(() => {
    disk = mountSmallDisk(16);
    provider = createScriptedProvider({ provider: "sandbox" });
  });
  afterEach(async () => {
    disk.empty();
    await bench.close();
    disk.remove();
  });

  async function open(minFreeMb: number): Promise<void> {
    const env = { FISCAL_STORAGE__MIN_FREE_MB: String(minFreeMb) };
    bench = await openBench({ folder: disk.folder, env, adapters: [provider.adapter] });
    merchant = await bench.makeMerchant();
  }

  test("before a response is stored: the document is reconciled and keeps its number", async () => {
    await open(0);
    const id = await bench.acceptFor(merchant);
    provider.expect({
      asked: "issue",
      answer() {
        disk.fill();
        return ISSUED;
      },
    });
    await bench.settle();
    expect(await bench.see(id)).toMatchObject({ stage: "submitting", mark: null });
    bench.advance(61_000);
    expect(await bench.appliance.issuing.rescue()).toBe(0);
    // One line about the database, and one about the document whose response is lost.
    expect(bench.logged.filter((line) => /cannot be written|rescue/.test(line))).toEqual([
      expect.stringContaining("the database cannot be written"),
      expect.stringContaining("document left to the rescuer"),
    ]);
    disk.empty();
    expect(await bench.appliance.issuing.rescue()).toBe(1);
    provider.expect({ asked: "reconcile", answer: () => ISSUED });
    bench.advance(3000);
    await bench.settle();
    expect(provider.asked).toEqual(["issue 1", "reconcile 1"]);
    expect(await bench.see(id)).toMatchObject({
      status: "issued",
      number: 1,
      mark: ISSUED.mark,
    });
  });

  test("below a quarter of the reserve: nothing is sent, but queries continue", async () => {
    await open(4);
    const polled = [await bench.acceptFor(merchant), await bench.acceptFor(merchant)];
    provider.expect({ asked: "issue", answer: () => ({ kind: "accepted", providerRef: "1", ...UNKNOWN }) });
    provider.expect({ asked: "issue", answer: () => ({ kind: "accepted", providerRef: "2", ...UNKNOWN }) });
    await bench.settle();
    const late = await bench.acceptFor(merchant);
    disk.fill(MEGABYTE / 2);
    // Free space is measured once a second.
    await expect.poll(() => bench.appliance.space.level()).toBe("full");
    provider.expect({ asked: "status", answer: () => ISSUED });
    provider.expect({ asked: "status", answer: () => ({ ...ISSUED, mark: "400000000000778" }) });
    bench.advance(3000);
    await bench.settle();
    for (const id of polled) expect(await bench.see(id)).toMatchObject({ status: "issued" });
    expect(await bench.see(late)).toMatchObject({ stage: "queued" });
    await expect(bench.acceptFor(merchant)).rejects.toMatchObject({
      code: "service_unavailable",
      retryable: true,
    });
    disk.empty();
    await expect.poll(() => bench.appliance.space.level()).toBe("ample");
    provider.expect({ asked: "issue", answer: () => ({ ...ISSUED, mark: "400000000000779" }) });
    await bench.settle();
    expect(await bench.see(late)).toMatchObject({ status: "issued", number: 3 });
  });
});
