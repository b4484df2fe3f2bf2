/** The provider refuses a connection's credentials while documents are issued: decisions 7. */
import { findConnectionRow, markConnectionInvalid } from "../../storage/connections.ts";
import { parkQueued } from "../../storage/queue.ts";
import type { Transaction } from "../../storage/write.ts";
import { appendEvent, backgroundCause, previousAttributes } from "../events/journal.ts";
import type { ErrorObject } from "../errors.ts";
import { buildConnectionObject } from "./object.ts";

/**
 * Makes an active connection `invalid`, tells it once, and lets its queued documents wait until it is verified again.
 */
export async function invalidateConnection(trx: Transaction, id: string, error: ErrorObject): Promise<void> {
  const before = await findConnectionRow(trx, id);
  if (before === undefined) throw new Error(`The connection ${id} of a document is gone`);
  await parkQueued(trx, id);
  const lastError = JSON.stringify(error);
  if (!(await markConnectionInvalid(trx, id, lastError))) return;
  const after = { ...before, status: "invalid" as const, last_error_json: lastError };
  const object = buildConnectionObject(after);
  await appendEvent(trx, {
    type: "connection.invalid",
    objectJson: JSON.stringify(object),
    previous: previousAttributes(buildConnectionObject(before), object),
    documentId: null,
    merchantId: after.merchant_id,
    cause: backgroundCause(after.mode),
  });
}
