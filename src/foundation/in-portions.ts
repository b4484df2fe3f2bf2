/** Changes many rows in small writes, so that other writes can run in between. */
import type { Store } from "../../storage/database/store.ts";
import type { Transaction } from "../../storage/database/write.ts";

/** Repeats `change`, which returns how many rows it changed, each time in its own write, until it changes fewer than `portion`. */
export async function repeatInPortions(
  store: Pick<Store, "write">,
  portion: number,
  change: (trx: Transaction) => Promise<number>,
): Promise<void> {
  for (let changed = portion; changed === portion; ) changed = await store.write(change);
}
