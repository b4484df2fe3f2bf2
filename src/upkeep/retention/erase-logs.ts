/** Erases the logged bodies and provider messages of the requests and provider calls that are about a tax number. */
import { findBody } from "../../../storage/bodies.ts";
import type { ProviderCallRow } from "../../../storage/calls.ts";
import type { RequestRow } from "../../../storage/requests.ts";
import {
  findCallsIn,
  findRequestsIn,
  purgeCallBodies,
  purgeRequestBodies,
} from "../../../storage/retention.ts";
import { change, eachPortion, type ErasureRun, reportProgress } from "./erasure-run.ts";
import { withoutProviderMessage } from "./provider-messages.ts";
import { containsNumber } from "./tax-number-search.ts";

export async function eraseRequests(run: ErasureRun): Promise<void> {
  await eachPortion(
    (portion) => findRequestsIn(run.context.store.read, portion),
    async (rows) => {
      const found: RequestRow[] = [];
      for (const row of rows) if (await isRequestAbout(run, row)) found.push(row);
      if (found.length > 0) {
        run.erasure.requests += await change(run, async (trx) => {
          let purged = 0;
          for (const row of found) if (await purgeRequestBodies(trx, row.id, trx.now)) purged += 1;
          return purged;
        });
      }
      reportProgress(run, rows.length);
    },
  );
}

async function isRequestAbout(run: ErasureRun, row: RequestRow): Promise<boolean> {
  if (row.bodies_purged_at !== null) return false;
  return run.documents.has(row.document_id ?? "") || (await isInBodies(run, row.id));
}

export async function eraseCalls(run: ErasureRun): Promise<void> {
  await eachPortion(
    (portion) => findCallsIn(run.context.store.read, portion),
    async (rows) => {
      const found: ProviderCallRow[] = [];
      for (const row of rows) if (hasContent(row) && (await isCallAbout(run, row))) found.push(row);
      if (found.length > 0) {
        await change(run, async (trx) => {
          for (const row of found) {
            const errorJson = withoutProviderMessage(row.error_json) ?? row.error_json;
            await purgeCallBodies(trx, { id: row.id, bodyId: row.body_id, at: trx.now, errorJson });
          }
        });
        run.erasure.provider_calls += found.length;
      }
      reportProgress(run, rows.length);
    },
  );
}

function hasBodies(row: ProviderCallRow): row is ProviderCallRow & { body_id: string } {
  return row.body_id !== null && row.bodies_purged_at === null;
}

/** Whether there is anything left to erase. */
function hasContent(row: ProviderCallRow): boolean {
  return hasBodies(row) || withoutProviderMessage(row.error_json) !== undefined;
}

async function isCallAbout(run: ErasureRun, row: ProviderCallRow): Promise<boolean> {
  if (run.documents.has(row.document_id ?? "") || run.merchants.has(row.merchant_id)) return true;
  return hasBodies(row) && (await isInBodies(run, row.body_id));
}

/** Whether the bodies with this id contain the number. Bodies that cannot be decrypted are unreadable for everybody. */
async function isInBodies({ context, searched }: ErasureRun, id: string): Promise<boolean> {
  const body = await findBody(context.store.read, id);
  const opened = body === undefined ? undefined : context.store.cipher.open(id, body.sealed);
  return opened !== undefined && containsNumber(JSON.parse(opened.toString("utf8")), searched.pattern);
}
