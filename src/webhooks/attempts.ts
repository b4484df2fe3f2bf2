/**
 * The deliveries of the API with their attempts, which are encrypted because receivers' responses may contain anything
 * (docs/contract.md#webhook-deliveries).
 */
import type { Slice } from "../../storage/database/lists.ts";
import { placeIn } from "../../storage/encryption/sealed.ts";
import type { Cipher } from "../../storage/encryption/cipher.ts";
import {
  type DeliveryRow,
  listDeliveriesOfDocument,
  findDeliverySlice,
} from "../../storage/webhooks/deliveries.ts";
import { readJson } from "../foundation/json.ts";
import type { Attempt, WebhookDeliveryObject } from "./endpoint-object.ts";
import type { Mode, DeliveryStatus } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { type Page, type PageQuery, readPage } from "../foundation/pages.ts";
import { requireDocumentRow } from "../documents/list-documents.ts";
import { requireEndpointRow } from "./endpoints.ts";

/** More than two full schedules; a delivery that is replayed again and again keeps only the latest. */
const ATTEMPTS_MAX = 30;

/** Oldest first; empty if they cannot be decrypted, which must not affect the delivery itself. */
function readAttempts(cipher: Cipher, row: Pick<DeliveryRow, "id" | "attempts">): Attempt[] {
  if (row.attempts === null) return [];
  const opened = cipher.open(placeIn("deliveries", row.id), row.attempts);
  return opened === undefined ? [] : readJson<Attempt[]>(opened.toString());
}

/** The delivery's attempts plus one more, encrypted. */
export function withAttempt(
  cipher: Cipher,
  row: Pick<DeliveryRow, "id" | "attempts">,
  attempt: Attempt,
): Uint8Array {
  const all = [...readAttempts(cipher, row), attempt];
  return cipher.seal(placeIn("deliveries", row.id), JSON.stringify(all.slice(-ATTEMPTS_MAX)));
}

/** Whether any attempt has a response that `matches`. */
export function hasResponse(
  cipher: Cipher,
  row: Pick<DeliveryRow, "id" | "attempts">,
  matches: (response: unknown) => boolean,
): boolean {
  return readAttempts(cipher, row).some(({ response }) => response !== null && matches(response));
}

/** The delivery's attempts without the receivers' responses, encrypted. */
export function withoutResponses(cipher: Cipher, row: Pick<DeliveryRow, "id" | "attempts">): Uint8Array {
  const attempts = readAttempts(cipher, row);
  return cipher.seal(
    placeIn("deliveries", row.id),
    JSON.stringify(attempts.map((attempt) => ({ ...attempt, response: null }))),
  );
}

/** docs/contract.md#webhook-deliveries */
function buildDeliveryObject(cipher: Cipher, row: DeliveryRow): WebhookDeliveryObject {
  return {
    id: row.id,
    object: "webhook_delivery",
    endpoint: row.endpoint_id,
    event: row.event_id,
    status: row.status,
    attempts: readAttempts(cipher, row),
    next_attempt_at: row.lease_owner === null ? row.due_at : null,
    created: row.created_at,
  };
}

/** Throws `not_found` if the endpoint does not exist. */
export async function listWebhookDeliveries(
  context: Context,
  mode: Mode,
  endpointId: string,
  query: PageQuery & { status?: DeliveryStatus | undefined },
): Promise<Page<WebhookDeliveryObject>> {
  const { read, cipher } = context.store;
  await requireEndpointRow(read, mode, endpointId);
  const find = (slice: Slice) => findDeliverySlice(read, { endpointId, status: query.status }, slice);
  return readPage("whd", query, find, (row) => buildDeliveryObject(cipher, row));
}

/** The newest deliveries of a document's events, at most `limit`. Throws `not_found` if the document does not exist. */
export async function listDocumentDeliveries(
  context: Context,
  mode: Mode,
  documentId: string,
  limit: number,
): Promise<WebhookDeliveryObject[]> {
  const { read, cipher } = context.store;
  await requireDocumentRow(context, mode, documentId);
  const rows = await listDeliveriesOfDocument(read, { documentId, limit });
  return rows.map((row) => buildDeliveryObject(cipher, row));
}
