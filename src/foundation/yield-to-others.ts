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
