/** Invalidates a connection whose credentials a provider refused (docs/contract.md#refused-credentials). */
import { changeConnection, findConnectionRow } from "../../storage/merchants/connections.ts";
import { parkQueued, wakeQueued } from "../../storage/documents/due-times.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { backgroundCause } from "../journal/append-event.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import { applyVerdict, recordVerdict } from "./connection-verdict.ts";

/** Makes an active connection `invalid` with one event, and its queued documents wait until it is verified again. */
export async function invalidateConnection(trx: Transaction, id: string, error: ErrorObject): Promise<void> {
  const before = await findConnectionRow(trx, { id });
  if (before === undefined) throw new Error(`The connection ${id} of a document is gone`);
  if (before.status !== "active") {
    if (before.status === "invalid") await parkQueued(trx, id);
    // A disconnected connection is never verified again: the queue reroutes its documents or fails them.
    else await wakeQueued(trx, id, new Date(trx.clockMs).toISOString());
    return;
  }
  const refusal = { ...error, code: "provider_credentials_invalid" as const };
  const after = applyVerdict(before, { refusal, callIds: [] }, trx.now);
  if (!(await changeConnection(trx, { ...after, from: "active" })))
    throw new Error(`The connection ${id} changed within its own write`);
  await recordVerdict(trx, before, after, backgroundCause(after.mode));
}
