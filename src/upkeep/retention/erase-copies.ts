/** Erases a tax number from copies outside the logs (docs/contract.md#erasure): provider lists, receivers' responses, mail addresses, request ids and idempotency keys. */
import { deleteListingWindow, findListingWindowsAfter } from "../../../storage/documents/dated-documents.ts";
import { yieldToOthers } from "../../foundation/turns.ts";
import {
  change,
  type ErasureRun,
  eraseRows,
  reportProgress,
  PORTION,
  containsNumber,
} from "./erasure-run.ts";
import {
  findAttemptedDeliveries,
  findAttemptedIn,
  findAttempts,
  rewriteAttempts,
} from "../../../storage/webhooks/deliveries.ts";
import { hasResponse, withoutResponses } from "../../webhooks/attempts.ts";
import { eraseMailAddress, findMailsIn, addressOf } from "../../../storage/documents/mails.ts";
import { clearReturnUrl, findErasableEvents, findReturnUrls } from "../../../storage/upkeep/erasure.ts";
import { findKeysAfter, replaceKey } from "../../../storage/documents/idempotency.ts";
import { findEvent } from "../../../storage/journal/events.ts";
import { rewriteEventRequest } from "../../../storage/journal/event-notes.ts";
import type { RowOf } from "../../../storage/database/queries.ts";
import type { Transaction } from "../../../storage/database/write.ts";
import { responsePlace } from "../../journal/create-once.ts";
import { erasedKey, erasedRequestId, isErased } from "../../journal/erased-keys.ts";
import { redactEvent } from "./provider-messages.ts";

/** Each may have the documents of a week. */
const WINDOWS_AT_ONCE = 10;

export async function eraseListingWindows(run: ErasureRun): Promise<void> {
  await eraseRows(run, "listing_windows", {
    async find(session, { after }) {
      const windows = await findListingWindowsAfter(session, { after, limit: WINDOWS_AT_ONCE });
      return windows.map(({ name, content_json: content }) => ({ id: name, content }));
    },
    isAbout: ({ content }) => run.searched.isIn(content),
    erase: (trx, { id }) => deleteListingWindow(trx, { name: id }),
  });
}

/** Those to events of documents with the number, and those that mention it. */
export async function eraseResponses(run: ErasureRun): Promise<void> {
  const { store } = run.context;
  const own = new Set<string>();
  for (const documentId of run.documents)
    for (const { id } of await findAttemptedDeliveries(store.read, { documentId })) own.add(id);
  await eraseRows(run, "deliveries", {
    find: findAttemptedIn,
    isAbout: (row) =>
      hasResponse(store.cipher, row, (response) => own.has(row.id) || containsNumber(response, run.searched)),
    async erase(trx, { id }) {
      // Read again in this write: there may have been another attempt.
      const row = await findAttempts(trx, { id });
      if (row !== undefined)
        await rewriteAttempts(trx, { id, attempts: withoutResponses(store.cipher, row) });
    },
  });
}

/** Mails of its documents, and those to an address that contains it. What still waits is not sent. */
export async function eraseMails(run: ErasureRun): Promise<void> {
  const { cipher } = run.context.store;
  await eraseRows(run, "mails", {
    find: findMailsIn,
    isAbout: (row) =>
      row.sealed !== null &&
      (run.documents.has(row.document_id) || run.searched.isIn(addressOf(cipher, row) ?? "")),
    erase: (trx, { id }) => eraseMailAddress(trx, { id }),
  });
}

/** Whether an id or a key has the number. What an erasure has put there does not. */
export function isNumberIn({ searched }: ErasureRun, value: string | null): value is string {
  return value !== null && !isErased(value) && searched.isIn(value);
}

/** The ids of a request or an event with hashes where they have the number; undefined if they do not. */
export function withoutNumber(
  run: ErasureRun,
  trx: Transaction,
  {
    request_id: requestId,
    idempotency_key: key,
  }: { request_id: string | null; idempotency_key: string | null },
): { requestId: string | null; idempotencyKey: string | null } | undefined {
  if (!isNumberIn(run, requestId) && !isNumberIn(run, key)) return undefined;
  return {
    requestId: isNumberIn(run, requestId) ? erasedRequestId(trx, requestId) : requestId,
    idempotencyKey: isNumberIn(run, key) ? erasedKey(trx, key) : key,
  };
}

/** Replaces the keys of records. The first responses, which are sealed for their keys, are sealed again. */
export async function eraseKeys(run: ErasureRun): Promise<void> {
  const { store } = run.context;
  let after = { mode: "", operation: "", key: "" };
  for (;;) {
    const rows = await findKeysAfter(store.read, { ...after, limit: PORTION });
    const found = rows.filter(({ key }) => isNumberIn(run, key));
    if (found.length > 0) {
      await change(run, async (trx) => {
        for (const { answer, ...place } of found) {
          const newKey = erasedKey(trx, place.key);
          await replaceKey(trx, place, { newKey, answer: resealed(run, place, newKey, answer) });
        }
      });
    }
    run.erasure.idempotency_keys += found.length;
    reportProgress(run, rows.length);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PORTION) return;
    after = { mode: last.mode, operation: last.operation, key: last.key };
    await yieldToOthers();
  }
}

function resealed(
  { context: { store } }: ErasureRun,
  { mode, operation, key }: Parameters<typeof replaceKey>[1],
  newKey: string,
  answer: Uint8Array | null,
): Uint8Array | null {
  if (answer === null) return null;
  const opened = store.cipher.open(responsePlace(mode, { operation, key }), answer);
  // Sealed with a lost master key: it stays unreadable.
  return opened === undefined
    ? answer
    : store.cipher.seal(responsePlace(mode, { operation, key: newKey }), opened);
}

type ErasableEvent = RowOf<typeof findErasableEvents>;

/** Replaces ids and keys of events, and removes providers' messages that mention the number from events about others. */
export async function eraseEvents(run: ErasureRun): Promise<void> {
  await eraseRows(run, "events", {
    find: findErasableEvents,
    isAbout: (row) => isEventAbout(run, row),
    erase: (trx, row) => eraseEvent(run, trx, row),
  });
}

function isEventAbout(run: ErasureRun, row: ErasableEvent): boolean {
  return isNumberIn(run, row.request_id) || isNumberIn(run, row.idempotency_key) || hasMessageAbout(run, row);
}

/** The messages about documents and merchants with the number were removed before, wherever it is in them. */
function hasMessageAbout(run: ErasureRun, row: ErasableEvent): boolean {
  if (row.errors_json === null || run.documents.has(row.document_id ?? "")) return false;
  return !run.merchants.has(row.merchant_id ?? "") && run.searched.isIn(row.errors_json);
}

async function eraseEvent(run: ErasureRun, trx: Transaction, row: ErasableEvent): Promise<boolean> {
  const isRedacted = hasMessageAbout(run, row) && (await redactEvent(trx, row));
  const event = await findEvent(trx, { id: row.id });
  const ids = event === undefined ? undefined : withoutNumber(run, trx, event);
  if (event === undefined || ids === undefined) return isRedacted;
  await rewriteEventRequest(trx, event, ids);
  return true;
}

export async function eraseReturnUrls(run: ErasureRun): Promise<void> {
  await eraseRows(run, "connect_sessions", {
    find: findReturnUrls,
    isAbout: ({ return_url: url }) => run.searched.isIn(url ?? ""),
    erase: (trx, { id }) => clearReturnUrl(trx, { id }),
  });
}
