/** While a disk is nearly full, nothing is sent, but queries continue. What becomes of a response that cannot be stored is the simulator's. */
import { expect, onTestFinished, test } from "vitest";
import { openBench } from "../helpers/appliance.ts";
import { createScriptedProvider } from "../helpers/scripted-provider.ts";
import { CAN_MOUNT, mountSmallDisk } from "../helpers/small-disk.ts";

const MEGABYTE = 1_048_576;
const UNKNOWN = { uid: null, qrUrl: null };
const ISSUED = { kind: "issued" as const, mark: "400000000000777", ...UNKNOWN };

test.skipIf(!CAN_MOUNT)(
  "on a disk with less than a quarter of the reserve nothing is sent, but queries continue (skipped where no tmpfs can be mounted)",
  async () => {
    const disk = mountSmallDisk(16);
    onTestFinished(disk.remove);
    const provider = createScriptedProvider({ provider: "sandbox" });
    const env = { FISCAL_STORAGE__MIN_FREE_MB: "4" };
    const bench = await openBench({ folder: disk.folder, env, adapters: [provider.adapter] });
    onTestFinished(bench.close);
    onTestFinished(disk.empty);
    const merchant = await bench.makeMerchant();
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
  },
);
