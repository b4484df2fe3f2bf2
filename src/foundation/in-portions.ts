/** Putting right what a clock that was ahead has put off, in portions. */
import type { Store } from "../../storage/open.ts";
import type { Transaction } from "../../storage/write.ts";

/** Repeats `pull`, each time in a write of its own, until it changed fewer rows than `portion`. */
export async function pullAll(
  store: Pick<Store, "write">,
  portion: number,
  pull: (trx: Transaction) => Promise<number>,
): Promise<void> {
  for (let pulled = portion; pulled === portion; ) pulled = await store.write(pull);
}
