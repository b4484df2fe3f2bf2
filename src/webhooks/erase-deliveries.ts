/** Erases receivers' responses from the deliveries of documents (docs/contract.md#erasure). */
import { findAttemptedDeliveries, rewriteAttempts } from "../../storage/deliveries.ts";
import type { Context } from "../journal/context.ts";
import { withoutResponses } from "./attempts.ts";

/** Returns how many deliveries had a response. `dryRun` only counts them. */
export async function eraseResponses(
  { store }: Context,
  documentIds: Iterable<string>,
  dryRun: boolean,
): Promise<number> {
  let erased = 0;
  for (const documentId of documentIds) {
    erased += await store.write(async (trx) => {
      let changed = 0;
      for (const row of await findAttemptedDeliveries(trx, documentId)) {
        const attempts = withoutResponses(store.cipher, row);
        if (attempts === undefined) continue;
        changed += 1;
        if (!dryRun) await rewriteAttempts(trx, row.id, attempts);
      }
      return changed;
    });
  }
  return erased;
}
