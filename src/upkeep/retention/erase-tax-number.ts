/**
 * Erases a tax number (docs/contract.md#erasure): the bodies and provider messages that are about it. The fiscal core stays:
 * documents, numbers, MARKs, events.
 */
import { everyPortion } from "../../foundation/pages.ts";
import { yieldToOthers } from "../../foundation/turns.ts";
import { deleteCustomers, deleteTaxAnswers, hashNumber } from "../../../storage/merchants/customers.ts";
import { findAuditKey } from "../../../storage/encryption/key-ring.ts";
import { findDocumentInput } from "../../../storage/documents/documents.ts";
import {
  findInputIds,
  findMerchantIdsByTaxIds,
  findDocumentErrors,
} from "../../../storage/upkeep/removal.ts";
import { UnreadableContentsError } from "../../../storage/database/errors.ts";
import type { KeyedSession } from "../../../storage/database/session.ts";
import type { Context } from "../../journal/context.ts";
import { eraseCopies } from "./erase-copies.ts";
import {
  type Erasure,
  type ErasureOptions,
  type ErasureRun,
  PORTION,
  change,
  eraseRows,
  reportProgress,
  parseSearchedNumber,
  startErasure,
  type SearchedNumber,
} from "./erasure-run.ts";
import {
  findOldConnectionErrors,
  findTypedEventsIn,
  rewriteConnectionError,
  rewriteDocumentError,
} from "../../../storage/journal/event-notes.ts";
import { MODES } from "../../../storage/stored-values.ts";
import { CONNECTION_EVENTS, redactDocument, redactEvent, withoutProviderMessage } from "./retention.ts";

/** Running it again changes nothing more. Throws `validation_failed` if `taxId` is not a tax number. */
export async function eraseTaxId(context: Context, taxId: string, options: ErasureOptions): Promise<Erasure> {
  const searched = parseSearchedNumber(taxId);
  const erasure = startErasure(options);
  const run: ErasureRun = {
    context,
    searched,
    options,
    erasure,
    done: 0,
    documents: await findDocuments(context, searched),
    merchants: new Set(await findMerchantIdsByTaxIds(context.store.read, { codes: searched.codes })),
  };
  await eraseProviderMessages(run);
  await eraseCopies(run);
  const auditKey = await findAuditKey(context.store.read);
  // Codes with and without a prefix: none is removed.
  const hashes = searched.codes.map((code) => hashNumber(auditKey, { country: "", code }));
  erasure.lookups = await change(run, (trx) => deleteTaxAnswers(trx, { hashes }));
  erasure.customers = await change(run, (trx) => deleteCustomers(trx, { hashes }));
  if (!options.dryRun) await overwriteLog(context);
  return erasure;
}

/** The documents with a party that has the number. Their contents are encrypted, so each is opened. */
async function findDocuments({ store, log }: Context, { codes }: SearchedNumber): Promise<Set<string>> {
  const parties = codes.map((code) => `"code":${JSON.stringify(code)}`);
  const found = new Set<string>();
  let unreadable = 0;
  const portions = everyPortion<string>(PORTION, (after = "", limit) =>
    findInputIds(store.read, { after, limit }),
  );
  for await (const ids of portions) {
    for (const id of ids) {
      const contents = await findContents(store.read, id);
      if (contents === undefined) unreadable += 1;
      else if (parties.some((party) => contents.includes(party))) found.add(id);
    }
    await yieldToOthers();
  }
  if (unreadable > 0)
    log.warn(
      { documents: unreadable },
      "documents whose contents cannot be decrypted were not searched; what the logs have about them may remain",
    );
  return found;
}

async function findContents(session: KeyedSession, id: string): Promise<string | undefined> {
  try {
    return (await findDocumentInput(session, id))?.input_json ?? "";
  } catch (error) {
    if (error instanceof UnreadableContentsError) return undefined;
    throw error;
  }
}

const CHECKPOINT_TRIES = 50;
const CHECKPOINT_PAUSE_MS = 100;

/** Erased data remains in the write-ahead log until a checkpoint, which readers in other processes may delay. */
async function overwriteLog({ store, log }: Context): Promise<void> {
  for (let tries = 0; tries < CHECKPOINT_TRIES; tries += 1) {
    if (store.checkpoint()) return;
    await new Promise((resolve) => setTimeout(resolve, CHECKPOINT_PAUSE_MS));
  }
  log.warn(
    {},
    "erased data remains in the write-ahead log, because another process is reading it; run the same erasure again later",
  );
}

/** Those of documents and merchants with the number wherever it is, and those about others that mention it. */
async function eraseProviderMessages(run: ErasureRun): Promise<void> {
  const { documents, merchants, searched, erasure } = run;
  for (const id of documents) {
    const redacted = await change(run, (trx) => redactDocument(trx, id, undefined));
    if (redacted.document) erasure.documents += 1;
    erasure.events += redacted.events;
    reportProgress(run, 1);
  }
  await eraseRows(run, "documents", {
    find: findDocumentErrors,
    isAbout: ({ id, error_json: error }) =>
      withoutProviderMessage(error) !== undefined && !documents.has(id) && searched.isIn(error ?? ""),
    erase: (trx, { id, error_json: error }) =>
      rewriteDocumentError(trx, { id, error_json: withoutProviderMessage(error)! }),
  });
  for (const row of await findOldConnectionErrors(run.context.store.read, { before: AFTER_ALL_INSTANTS })) {
    const errorJson = withoutProviderMessage(row.last_error_json);
    const isAbout = merchants.has(row.merchant_id) || searched.isIn(row.last_error_json ?? "");
    if (errorJson === undefined || !isAbout) continue;
    await change(run, (trx) => rewriteConnectionError(trx, { id: row.id, last_error_json: errorJson }));
    erasure.connections += 1;
  }
  if (merchants.size === 0) return;
  for (const mode of MODES)
    for (const type of CONNECTION_EVENTS)
      await eraseRows(run, "events", {
        find: (session, portion) => findTypedEventsIn(session, { ...portion, mode, type }),
        isAbout: (row) => merchants.has(row.merchant_id ?? ""),
        erase: (trx, row) => redactEvent(trx, row),
      });
}

const AFTER_ALL_INSTANTS = "~";
