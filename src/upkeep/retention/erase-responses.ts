/** Erases receivers' responses to webhooks that are about a tax number (docs/contract.md#erasure). */
import {
  findAttemptedDeliveries,
  findAttemptedIn,
  findAttempts,
  rewriteAttempts,
} from "../../../storage/webhooks/deliveries.ts";
import { hasResponse, withoutResponses } from "../../webhooks/attempts.ts";
import { change, eachPortion, type ErasureRun, reportProgress } from "./erasure-run.ts";
import { containsNumber } from "./tax-number-search.ts";

/** Those to events of documents with the number, and those that mention it. */
export async function eraseResponses(run: ErasureRun): Promise<void> {
  const { store } = run.context;
  const found = new Set<string>();
  for (const documentId of run.documents) {
    for (const row of await findAttemptedDeliveries(store.read, documentId)) {
      if (hasResponse(store.cipher, row, () => true)) found.add(row.id);
    }
  }
  await eachPortion(
    (portion) => findAttemptedIn(store.read, portion),
    async (rows) => {
      for (const row of rows) {
        if (hasResponse(store.cipher, row, (response) => containsNumber(response, run.searched)))
          found.add(row.id);
      }
      reportProgress(run, rows.length);
    },
  );
  for (const id of found) {
    await change(run, async (trx) => {
      // Read again in this write: there may have been another attempt.
      const row = await findAttempts(trx, id);
      if (row !== undefined) await rewriteAttempts(trx, id, withoutResponses(store.cipher, row));
    });
  }
  run.erasure.deliveries += found.size;
}
