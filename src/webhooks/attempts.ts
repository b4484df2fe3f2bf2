/**
 * The attempts of a delivery, encrypted because receivers' responses may contain anything, and the delivery object of the
 * API.
 */
import type { Cipher } from "../../storage/encryption/cipher.ts";
import type { DeliveryRow } from "../../storage/webhooks/deliveries.ts";
import { readJson } from "../foundation/json.ts";
import type { Attempt, WebhookDeliveryObject } from "./endpoint-object.ts";

/** More than two full schedules; a delivery that is replayed again and again keeps only the latest. */
const ATTEMPTS_MAX = 30;

/** Oldest first; empty if they cannot be decrypted, which must not affect the delivery itself. */
function readAttempts(cipher: Cipher, row: Pick<DeliveryRow, "id" | "attempts">): Attempt[] {
  if (row.attempts === null) return [];
  const opened = cipher.open(row.id, row.attempts);
  return opened === undefined ? [] : readJson<Attempt[]>(opened.toString());
}

/** The delivery's attempts plus one more, encrypted. */
export function withAttempt(
  cipher: Cipher,
  row: Pick<DeliveryRow, "id" | "attempts">,
  attempt: Attempt,
): Uint8Array {
  const all = [...readAttempts(cipher, row), attempt];
  return cipher.seal(row.id, JSON.stringify(all.slice(-ATTEMPTS_MAX)));
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
  return cipher.seal(row.id, JSON.stringify(attempts.map((attempt) => ({ ...attempt, response: null }))));
}

/** docs/contract.md#webhook-deliveries */
export function buildDeliveryObject(cipher: Cipher, row: DeliveryRow): WebhookDeliveryObject {
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
