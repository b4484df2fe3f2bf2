/** Accepting the documents of a batch. */
import { beforeEach, expect, test } from "vitest";
import type { Appliance } from "../../../../src/appliance.ts";
import { sameInBoth } from "../../../../src/foundation/text.ts";
import { acceptItems, type BatchItem, type Verdict } from "../../../../src/intake/accept-items.ts";
import { openBench } from "../../../helpers/appliance.ts";
import { receipt } from "../../../helpers/receipts.ts";
import { forEachTest } from "../../../helpers/set-up.ts";

let merchant: string;
const bench = forEachTest(openBench);
beforeEach(async () => void (merchant = await bench.makeMerchant()));

async function* itemsOf(count: number): AsyncGenerator<BatchItem> {
  for (let index = 0; index < count; index += 1) {
    const reference = `A-${index}`;
    yield { place: sameInBoth(`line ${index + 1}`), reference, body: { merchant, ...receipt(reference) } };
  }
}

async function collect(verdicts: AsyncIterable<Verdict>, into: Verdict[]): Promise<Verdict[]> {
  for await (const verdict of verdicts) into.push(verdict);
  return into;
}

/** The appliance, as if its disk were full after `count` writes. */
function withFullDisk(count: number): Appliance {
  const { store } = bench.appliance;
  let left = count;
  const add: typeof store.add = (kind, item) => {
    left -= 1;
    return left < 0
      ? Promise.reject(Object.assign(new Error("disk is full"), { code: "SQLITE_FULL" }))
      : store.add(kind, item);
  };
  return { ...bench.appliance, store: { ...store, add } };
}

const NEVER = new AbortController().signal;

test("stops on a full disk after yielding every accepted document", async () => {
  const seen: Verdict[] = [];
  const run = collect(acceptItems(withFullDisk(300), "test", itemsOf(600), NEVER), seen);
  await expect(run).rejects.toThrow("disk is full");
  expect(seen).toHaveLength(300);
  const again = await collect(acceptItems(bench.appliance, "test", itemsOf(600), NEVER), []);
  expect(again.filter(({ outcome }) => outcome === "accepted_before")).toHaveLength(300);
  expect(again.filter(({ outcome }) => outcome === "accepted")).toHaveLength(300);
});

test("accepts nothing more after an abort", async () => {
  const controller = new AbortController();
  const seen: Verdict[] = [];
  for await (const verdict of acceptItems(bench.appliance, "test", itemsOf(600), controller.signal)) {
    seen.push(verdict);
    controller.abort();
  }
  expect(seen.map(({ reference }) => reference)).toEqual(Array.from({ length: 256 }, (_, at) => `A-${at}`));
});
