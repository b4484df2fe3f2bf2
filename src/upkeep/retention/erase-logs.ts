/** Erases what the logs of requests and provider calls have about a tax number: bodies, messages, and ids with the number. */
import { placeIn } from "../../../storage/encryption/sealed.ts";
import { deleteBody, findBody, replaceBody, type RequestRow } from "../../../storage/logs/requests.ts";
import { clearCallUrl, type ProviderCallRow } from "../../../storage/logs/calls.ts";
import {
  createExchangeReader,
  type FindExchange,
  openExchanges,
  sealExchanges,
} from "../../logs/log-bodies.ts";
import { replaceRequestIds } from "../../../storage/upkeep/erasure.ts";
import {
  bodyIdOf,
  findCallsIn,
  findRequestsIn,
  notePurgedBodies,
  purgeCallBodies,
} from "../../../storage/upkeep/retention.ts";
import type { Transaction } from "../../../storage/database/write.ts";
import { isNumberIn, withoutNumber } from "./erase-copies.ts";
import { eraseRows, type ErasureRun, containsNumber } from "./erasure-run.ts";
import { withoutProviderMessage } from "./provider-messages.ts";

export async function eraseRequests(run: ErasureRun): Promise<void> {
  const findExchange = createExchangeReader(run.context.store.read);
  /** The requests whose exchange is about the number; of others only the ids have it. */
  const about = new Set<string>();
  await eraseRows(run, "requests", {
    find: findRequestsIn,
    async isAbout(row) {
      if (await isRequestAbout(run, row, findExchange)) about.add(row.id);
      return about.has(row.id) || isNumberIn(run, row.request_id) || isNumberIn(run, row.idempotency_key);
    },
    async erase(trx, row) {
      if (about.has(row.id)) await eraseExchange(trx, row);
      const ids = withoutNumber(run, trx, row);
      if (ids === undefined) return;
      const { requestId, idempotencyKey } = ids;
      await replaceRequestIds(trx, { id: row.id, requestId: requestId ?? row.request_id, idempotencyKey });
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
  return containsNumber(await findExchange(row), run.searched);
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

export async function eraseCalls(run: ErasureRun): Promise<void> {
  await eraseRows(run, "provider_calls", {
    find: findCallsIn,
    isAbout: (row) => isErasable(run, row),
    erase: (trx, row) => eraseCall(run, trx, row),
  });
}

function hasBodies(row: ProviderCallRow): row is ProviderCallRow & { body_id: string } {
  return row.body_id !== null && row.bodies_purged_at === null;
}

async function isErasable(run: ErasureRun, row: ProviderCallRow): Promise<boolean> {
  const { searched } = run;
  if (searched.isIn(row.url ?? "")) return true;
  const hasMessage = withoutProviderMessage(row.error_json) !== undefined;
  if (hasMessage && (isOfErased(run, row) || searched.isIn(row.error_json ?? ""))) return true;
  return hasBodies(row) && (isOfErased(run, row) || (await isInBodies(run, row.body_id)));
}

/** Whether the call is about a document or a merchant with the number. */
function isOfErased(run: ErasureRun, row: ProviderCallRow): boolean {
  return run.documents.has(row.document_id ?? "") || run.merchants.has(row.merchant_id);
}

/** The whole exchange goes, also if it carried other documents. */
async function eraseCall({ searched }: ErasureRun, trx: Transaction, row: ProviderCallRow): Promise<void> {
  const errorJson = withoutProviderMessage(row.error_json) ?? row.error_json;
  await purgeCallBodies(trx, { id: row.id, bodyId: row.body_id, at: trx.now, errorJson });
  if (searched.isIn(row.url ?? "")) await clearCallUrl(trx, { id: row.id });
}

/** Whether the bodies with this id contain the number. Bodies that cannot be decrypted are unreadable for everybody. */
async function isInBodies({ context, searched }: ErasureRun, id: string): Promise<boolean> {
  const body = await findBody(context.store.read, { id });
  const opened =
    body === undefined ? undefined : context.store.cipher.open(placeIn("bodies", id), body.sealed);
  return opened !== undefined && containsNumber(JSON.parse(opened.toString("utf8")), searched);
}
