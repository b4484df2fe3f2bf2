/**
 * Deletes what a comparison with a provider has read and stored, if it contains a tax number (docs/contract.md#erasure). Other
 * programs' documents are in it too, and their series or references may be anything. A comparison that still needs it reads it
 * again.
 */
import { deleteListingWindow, findListingWindowsAfter } from "../../../storage/documents/listing-windows.ts";
import { yieldToOthers } from "../../foundation/yield-to-others.ts";
import { change, type ErasureRun } from "./erasure-run.ts";

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
