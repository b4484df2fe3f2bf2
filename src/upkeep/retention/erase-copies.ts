/**
 * Erases a tax number (docs/contract.md#erasure) from the logs of requests and provider calls, and from copies outside them: provider lists,
 * receivers' responses, mail addresses, request ids and idempotency keys.
 */
import { deleteListingWindow, findListingWindowsAfter } from "../../../storage/documents/dated-documents.ts";
import { readJson } from "../../foundation/json.ts";
import { containsNumber, eraseRows, type ErasureRun } from "./erasure-run.ts";
import { findAttemptedIn, findDelivery, rewriteAttempts } from "../../../storage/webhooks/deliveries.ts";
import { hasResponse, withoutResponses } from "../../webhooks/deliveries.ts";
import { addressOf, eraseMailAddress, findMailsIn } from "../../../storage/documents/mails.ts";
import {
  setReturnUrl,
  findErasableEvents,
  findReturnUrls,
  replaceRequestIds,
  bodyIdOf,
  findCallsIn,
  findRequestsIn,
  notePurgedBodies,
  purgeCallBodies,
} from "../../../storage/upkeep/removal.ts";
import { findKeysAfter, replaceKey } from "../../../storage/documents/idempotency.ts";
import { findEvent } from "../../../storage/journal/events.ts";
import { rewriteEventRequest } from "../../../storage/journal/event-notes.ts";
import type { RowOf } from "../../../storage/database/queries.ts";
import type { Transaction } from "../../../storage/database/write.ts";
import { responsePlace } from "../../journal/create-once.ts";
import { erasedKey, erasedRequestId, isErased } from "../../journal/idempotency.ts";
import { redactEvent, withoutProviderMessage } from "./retention.ts";
import {
  deleteBody,
  findBody,
  replaceBody,
  type RequestRow,
  setCallUrl,
  type ProviderCallRow,
} from "../../../storage/logs/logs.ts";
import {
  createExchangeReader,
  type FindExchange,
  openExchanges,
  sealExchanges,
} from "../../logs/log-bodies.ts";

/** After the providers' messages: what they contained is not looked for again. */
export async function eraseCopies(run: ErasureRun): Promise<void> {
  const { store } = run.context;
  const { searched, documents } = run;
  const findExchange = createExchangeReader(store.read);
  await eraseRequests(run, findExchange);
  /** The ids of deleted bodies: all calls that share them count. */
  const deleted = new Set<string>();
  await eraseRows(run, "provider_calls", {
    find: findCallsIn,
    isAbout: (row) => deleted.has(row.body_id ?? "") || isCallAbout(run, row, findExchange),
    async erase(trx, row) {
      await eraseCall(run, trx, row);
      if (row.body_id !== null) deleted.add(row.body_id);
    },
  });
  // Ids and keys of events, and providers' messages that mention the number in events about others.
  await eraseRows(run, "events", {
    find: findErasableEvents,
    isAbout: (row) => hasNumber(run, row) || hasMessageAbout(run, row),
    erase: (trx, row) => eraseEvent(run, trx, row),
  });
  await eraseKeys(run);
  await eraseRows(run, "connect_sessions", {
    find: findReturnUrls,
    isAbout: ({ return_url: url }) => searched.isIn(url ?? ""),
    erase: (trx, { id }) => setReturnUrl(trx, { id, return_url: null }),
  });
  await eraseRows(run, "listing_windows", {
    portion: WINDOWS_AT_ONCE,
    async find(session, { after, limit }) {
      const windows = await findListingWindowsAfter(session, { after, limit });
      return windows.map(({ name, content_json: content }) => ({ id: name, content }));
    },
    isAbout: ({ content }) => searched.isIn(content),
    erase: (trx, { id }) => deleteListingWindow(trx, { name: id }),
  });
  // Responses to events of documents with the number, and those that mention it.
  await eraseRows(run, "deliveries", {
    find: findAttemptedIn,
    isAbout: (row) =>
      hasResponse(
        store.cipher,
        row,
        (response) => documents.has(row.document_id ?? "") || containsNumber(response, searched),
      ),
    async erase(trx, { id }) {
      // Read again in this write: there may have been another attempt.
      const row = await findDelivery(trx, { id });
      if (row !== undefined)
        await rewriteAttempts(trx, { id, attempts: withoutResponses(store.cipher, row) });
    },
  });
  // Mails of its documents, and those to an address that contains it. What still waits is not sent.
  await eraseRows(run, "mails", {
    find: findMailsIn,
    isAbout: (row) =>
      row.sealed !== null &&
      (documents.has(row.document_id) || searched.isIn(addressOf(store.cipher, row) ?? "")),
    erase: (trx, { id }) => eraseMailAddress(trx, { id }),
  });
}

/** Each may have the documents of a week. */
const WINDOWS_AT_ONCE = 10;

/** Whether an id or a key has the number. What an erasure has put there does not. */
function isNumberIn({ searched }: ErasureRun, value: string | null): value is string {
  return value !== null && !isErased(value) && searched.isIn(value);
}

type ErasableEvent = RowOf<typeof findErasableEvents>;
type Ids = Pick<ErasableEvent, "request_id" | "idempotency_key">;

function hasNumber(run: ErasureRun, { request_id, idempotency_key }: Ids): boolean {
  return isNumberIn(run, request_id) || isNumberIn(run, idempotency_key);
}

/** The ids of a request or an event with hashes where they have the number. */
function withoutNumber(run: ErasureRun, trx: Transaction, { request_id, idempotency_key }: Ids): Ids {
  return {
    request_id: isNumberIn(run, request_id) ? erasedRequestId(trx, request_id) : request_id,
    idempotency_key: isNumberIn(run, idempotency_key) ? erasedKey(trx, idempotency_key) : idempotency_key,
  };
}

/** Replaces the keys of records. The first responses, which are sealed for their keys, are sealed again. */
async function eraseKeys(run: ErasureRun): Promise<void> {
  await eraseRows(run, "idempotency_keys", {
    async find(session, { after, limit }) {
      const [mode = "", operation = "", key = ""] = after === "" ? [] : readJson<string[]>(after);
      const rows = await findKeysAfter(session, { mode, operation, key, limit });
      return rows.map((row) => ({ ...row, id: JSON.stringify([row.mode, row.operation, row.key]) }));
    },
    isAbout: ({ key }) => isNumberIn(run, key),
    async erase(trx, { id: _id, answer, ...place }) {
      const newKey = erasedKey(trx, place.key);
      await replaceKey(trx, place, { newKey, answer: resealed(run, place, newKey, answer) });
    },
  });
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

/** The messages about documents and merchants with the number were removed before, wherever it is in them. */
function hasMessageAbout(run: ErasureRun, row: ErasableEvent): boolean {
  if (row.errors_json === null || run.documents.has(row.document_id ?? "")) return false;
  return !run.merchants.has(row.merchant_id ?? "") && run.searched.isIn(row.errors_json);
}

async function eraseEvent(run: ErasureRun, trx: Transaction, row: ErasableEvent): Promise<boolean> {
  const isRedacted = hasMessageAbout(run, row) && (await redactEvent(trx, row));
  const event = await findEvent(trx, { id: row.id });
  if (event === undefined || !hasNumber(run, event)) return isRedacted;
  await rewriteEventRequest(trx, event, withoutNumber(run, trx, event));
  return true;
}

async function eraseRequests(run: ErasureRun, findExchange: FindExchange): Promise<void> {
  /** The requests whose exchange is about the number; of others only the ids have it. */
  const about = new Set<string>();
  await eraseRows(run, "requests", {
    find: findRequestsIn,
    async isAbout(row) {
      if (await isRequestAbout(run, row, findExchange)) about.add(row.id);
      return about.has(row.id) || hasNumber(run, row);
    },
    async erase(trx, row) {
      if (about.has(row.id)) await eraseExchange(trx, row);
      if (!hasNumber(run, row)) return;
      const ids = withoutNumber(run, trx, row);
      await replaceRequestIds(trx, { ...row, ...ids, request_id: ids.request_id ?? row.request_id });
    },
  });
}

/** The logged headers repeat the ids, so a row whose ids have the number is found by its bodies too. */
async function isRequestAbout(
  run: ErasureRun,
  row: RequestRow,
  findExchange: FindExchange,
): Promise<boolean> {
  if (row.bodies_purged_at !== null) return false;
  if (run.documents.has(row.document_id ?? "")) return true;
  return containsNumber(await findExchange(bodyIdOf(row), row.id), run.searched);
}

/** Deletes the exchange from what the requests of a commit share. */
async function eraseExchange(trx: Transaction, row: RequestRow): Promise<void> {
  const bodyId = bodyIdOf(row);
  const body = await findBody(trx, { id: bodyId });
  const { [row.id]: _erased, ...rest } = body === undefined ? {} : openExchanges(trx.cipher, body);
  if (Object.keys(rest).length === 0) await deleteBody(trx, { id: bodyId });
  else await replaceBody(trx, { id: bodyId, sealed: sealExchanges(trx.cipher, bodyId, rest) });
  await notePurgedBodies(trx, { id: row.id, at: trx.now });
}

/** Bodies that cannot be decrypted are unreadable for everybody. */
async function isCallAbout(
  { documents, merchants, searched }: ErasureRun,
  row: ProviderCallRow,
  findExchange: FindExchange,
): Promise<boolean> {
  if (searched.isIn(row.url ?? "")) return true;
  const isOfErased = documents.has(row.document_id ?? "") || merchants.has(row.merchant_id);
  const hasMessage = withoutProviderMessage(row.error_json) !== undefined;
  if (hasMessage && (isOfErased || searched.isIn(row.error_json ?? ""))) return true;
  if (row.body_id === null || row.bodies_purged_at !== null) return false;
  return isOfErased || containsNumber(await findExchange(row.body_id, row.body_id), searched);
}

/** The whole exchange goes, also if it carried other documents. */
async function eraseCall({ searched }: ErasureRun, trx: Transaction, row: ProviderCallRow): Promise<void> {
  const errorJson = withoutProviderMessage(row.error_json) ?? row.error_json;
  await purgeCallBodies(trx, { id: row.id, bodyId: row.body_id, at: trx.now, errorJson });
  if (searched.isIn(row.url ?? "")) await setCallUrl(trx, { id: row.id, url: null });
}
