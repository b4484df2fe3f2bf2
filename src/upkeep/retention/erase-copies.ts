/** Erases a tax number from copies outside the logs: provider lists, receivers' responses, and mail addresses (docs/contract.md#erasure). */
import { deleteListingWindow, findListingWindowsAfter } from "../../../storage/documents/listing-windows.ts";
import { yieldToOthers } from "../../foundation/yield-to-others.ts";
import { change, type ErasureRun, eachPortion, reportProgress } from "./erasure-run.ts";
import {
  findAttemptedDeliveries,
  findAttemptedIn,
  findAttempts,
  rewriteAttempts,
} from "../../../storage/webhooks/deliveries.ts";
import { hasResponse, withoutResponses } from "../../webhooks/attempts.ts";
import { containsNumber } from "./tax-number-search.ts";
import { eraseMailAddress, findMailsIn } from "../../../storage/documents/mails.ts";
import { addressOf } from "../../mail/mail-object.ts";

/** Each may have the documents of a week. */
const WINDOWS_AT_ONCE = 10;

export async function eraseListingWindows(run: ErasureRun): Promise<void> {
  let after = "";
  for (;;) {
    const rows = await findListingWindowsAfter(run.context.store.read, after, WINDOWS_AT_ONCE);
    const found = rows.filter(({ content_json: content }) => run.searched.isIn(content));
    if (found.length > 0)
      await change(run, async (trx) => {
        for (const { name } of found) await deleteListingWindow(trx, name);
      });
    run.erasure.listing_windows += found.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < WINDOWS_AT_ONCE) return;
    after = last.name;
    await yieldToOthers();
  }
}

/** Those to events of documents with the number, and those that mention it. */
export async function eraseResponses(run: ErasureRun): Promise<void> {
  const { store } = run.context;
  const found = new Set<string>();
  for (const documentId of run.documents) {
    for (const row of await findAttemptedDeliveries(store.read, { documentId })) {
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
      const row = await findAttempts(trx, { id });
      if (row !== undefined)
        await rewriteAttempts(trx, { id, attempts: withoutResponses(store.cipher, row) });
    });
  }
  run.erasure.deliveries += found.size;
}

/** Mails of its documents, and those to an address that contains it. What still waits is not sent. */
export async function eraseMails(run: ErasureRun): Promise<void> {
  const { store } = run.context;
  await eachPortion(
    (portion) => findMailsIn(store.read, portion),
    async (rows) => {
      const found = rows.filter(
        (row) =>
          row.sealed !== null &&
          (run.documents.has(row.document_id) || run.searched.isIn(addressOf(store.cipher, row) ?? "")),
      );
      if (found.length > 0)
        await change(run, async (trx) => {
          for (const { id } of found) await eraseMailAddress(trx, id);
        });
      run.erasure.mails += found.length;
      reportProgress(run, rows.length);
    },
  );
}
