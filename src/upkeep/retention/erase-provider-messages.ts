/** Erases providers' messages about a tax number from documents, connections and their events. */
import { findDocumentErrors } from "../../../storage/upkeep/erasure.ts";
import {
  findOldConnectionErrors,
  findTypedEventsIn,
  rewriteConnectionError,
  rewriteDocumentError,
} from "../../../storage/journal/rewriting.ts";
import { MODES } from "../../../storage/stored-values.ts";
import { change, eachPortion, type ErasureRun, reportProgress } from "./erasure-run.ts";
import {
  CONNECTION_EVENTS,
  redactDocument,
  redactEvent,
  withoutProviderMessage,
} from "./provider-messages.ts";

export async function eraseProviderMessages(run: ErasureRun): Promise<void> {
  await redactDocuments(run);
  await redactOtherDocuments(run);
  await redactConnections(run);
  await redactConnectionEvents(run);
}

async function redactDocuments(run: ErasureRun): Promise<void> {
  for (const id of run.documents) {
    const redacted = await change(run, (trx) => redactDocument(trx, id, undefined));
    if (redacted.document) run.erasure.documents += 1;
    run.erasure.events += redacted.events;
    reportProgress(run, 1);
  }
}

/** Messages about other documents that mention the number. */
async function redactOtherDocuments(run: ErasureRun): Promise<void> {
  await eachPortion(
    (portion) => findDocumentErrors(run.context.store.read, portion),
    async (rows) => {
      for (const { id, error_json: before } of rows) {
        const errorJson = withoutProviderMessage(before);
        if (errorJson === undefined || run.documents.has(id) || !run.searched.isIn(before ?? "")) continue;
        await change(run, (trx) => rewriteDocumentError(trx, { id, errorJson }));
        run.erasure.documents += 1;
      }
    },
  );
}

async function redactConnections(run: ErasureRun): Promise<void> {
  for (const row of await findOldConnectionErrors(run.context.store.read, { before: AFTER_ALL_INSTANTS })) {
    const errorJson = withoutProviderMessage(row.last_error_json);
    const isAbout = run.merchants.has(row.merchant_id) || run.searched.isIn(row.last_error_json ?? "");
    if (errorJson === undefined || !isAbout) continue;
    await change(run, (trx) => rewriteConnectionError(trx, row.id, errorJson));
    run.erasure.connections += 1;
  }
}

const AFTER_ALL_INSTANTS = "~";

async function redactConnectionEvents(run: ErasureRun): Promise<void> {
  if (run.merchants.size === 0) return;
  for (const mode of MODES) {
    for (const type of CONNECTION_EVENTS) {
      await eachPortion(
        (portion) => findTypedEventsIn(run.context.store.read, { ...portion, mode, type }),
        async (rows) => {
          const own = rows.filter((row) => run.merchants.has(row.merchant_id ?? ""));
          if (own.length === 0) return;
          run.erasure.events += await change(run, async (trx) => {
            let redacted = 0;
            for (const row of own) if (await redactEvent(trx, row)) redacted += 1;
            return redacted;
          });
        },
      );
    }
  }
}
