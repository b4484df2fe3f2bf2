/** What a provider's verdict on credentials makes of a connection, and the event that reports it. */
import type { ConnectionRow } from "../../storage/connections.ts";
import { pollNow, parkQueued, wakeQueued } from "../../storage/queue.ts";
import type { Transaction } from "../../storage/write.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import { appendEvent, previousAttributes } from "../journal/append-event.ts";
import type { Cause } from "../journal/context.ts";
import { buildConnectionObject } from "./connection-object.ts";

/** What the provider said, once it has said anything. */
export interface Verdict {
  /** Null where it accepted the credentials. */
  refusal: ErrorObject | null;
  /** The provider calls that it took. */
  callIds: string[];
}

/** The row of a connection after `verdict`. */
export function judged(row: ConnectionRow, verdict: Verdict, now: string): ConnectionRow {
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
 * Tells the verdict as an event, and answers its id and the text of the connection as it is then. Documents that wait for
 * the connection go on when it was accepted, and wait when it was refused.
 */
export async function tellVerdict(
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
