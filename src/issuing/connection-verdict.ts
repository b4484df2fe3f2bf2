/** Applies a provider's verdict on credentials to a connection, and appends the event. */
import type { ConnectionRow, NewConnectionRow } from "../../storage/merchants/connections.ts";
import { pollNow, parkQueued, wakeQueued } from "../../storage/documents/due-times.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import { appendEvent, previousAttributes } from "../journal/append-event.ts";
import type { Cause } from "../journal/context.ts";
import { buildConnectionObject } from "./connection-object.ts";

/** The provider's answer about credentials. */
export interface Verdict {
  /** Null if it accepted the credentials. */
  refusal: ErrorObject | null;
  /** The ids of the provider calls that were made. */
  callIds: string[];
}

/** Returns the connection's row, stored or new, after `verdict`. */
export function applyVerdict<Row extends NewConnectionRow>(row: Row, verdict: Verdict, now: string): Row {
  return verdict.refusal === null
    ? { ...row, status: "active", verified_at: now, last_error_json: null, last_error_at: null }
    : {
        ...row,
        status: "invalid",
        last_error_json: JSON.stringify(verdict.refusal),
        last_error_at: now,
      };
}

/**
 * Appends the event of a verdict, and returns its id and the connection's JSON. Queued documents of the connection resume if it
 * was accepted, and wait if it was refused.
 */
export async function recordVerdict(
  trx: Transaction,
  before: ConnectionRow | undefined,
  after: ConnectionRow,
  cause: Cause,
): Promise<{ eventId: string; json: string }> {
  const isAccepted = after.status === "active";
  const object = buildConnectionObject(after);
  const json = JSON.stringify(object);
  const eventId = await appendEvent(trx, {
    type: isAccepted ? "connection.verified" : "connection.invalid",
    objectJson: json,
    previous: before === undefined ? undefined : previousAttributes(buildConnectionObject(before), object),
    documentId: null,
    merchantId: after.merchant_id,
    cause,
  });
  const due = new Date(trx.clockMs).toISOString();
  if (isAccepted) {
    await wakeQueued(trx, after.id, due);
    await pollNow(trx, after.id, due);
  } else await parkQueued(trx, after.id);
  return { eventId, json };
}
