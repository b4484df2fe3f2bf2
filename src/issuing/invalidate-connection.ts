/** The provider refuses a connection's credentials while documents are issued: decisions 7. */
import { changeConnection, findConnectionRow } from "../../storage/connections.ts";
import { parkQueued, wakeQueued } from "../../storage/queue.ts";
import type { Transaction } from "../../storage/write.ts";
import { backgroundCause } from "../journal/append-event.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import { judged, tellVerdict } from "./connection-verdict.ts";

/**
 * Makes an active connection `invalid`, tells it once, and lets its queued documents wait until it is verified again.
 */
export async function invalidateConnection(trx: Transaction, id: string, error: ErrorObject): Promise<void> {
  const before = await findConnectionRow(trx, id);
  if (before === undefined) throw new Error(`The connection ${id} of a document is gone`);
  if (before.status !== "active") {
    if (before.status === "invalid") await parkQueued(trx, id);
    // Nobody verifies it again: the queue finds another way for its documents, or fails them.
    else await wakeQueued(trx, id, new Date(trx.clockMs).toISOString());
    return;
  }
  const refusal = { ...error, code: "provider_credentials_invalid" as const };
  const after = judged(before, { refusal, callIds: [] }, trx.now);
  if (!(await changeConnection(trx, { ...after, from: "active" })))
    throw new Error(`The connection ${id} changed within its own write`);
  await tellVerdict(trx, before, after, backgroundCause(after.mode));
}
