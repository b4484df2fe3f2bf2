/** Splits long work into portions, between which other work of the process runs. */
import type { Store } from "../../storage/database/store.ts";
import type { Transaction } from "../../storage/database/write.ts";

/** Lets timers, requests and everything else that is waiting run before long work goes on. */
export function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** How many items are mapped at a time: a few milliseconds for what has a dozen fields. */
const PORTION = 250;

/** The items mapped in order. Between portions of them, others run. */
export async function mapInPortions<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % PORTION === 0) await yieldToOthers();
    results.push(map(item));
  }
  return results;
}

/** Repeats `change`, which returns how many rows it changed, each time in its own write, until it changes fewer than `portion`. */
export async function repeatInPortions(
  store: Pick<Store, "write">,
  portion: number,
  change: (trx: Transaction) => Promise<number>,
): Promise<void> {
  for (let changed = portion; changed === portion; ) changed = await store.write(change);
}
