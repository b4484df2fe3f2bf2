/** The connection object of the API (docs/contract.md#connections), and what the verdict of a provider on the credentials does to it and its documents. */
import * as v from "valibot";
import {
  changeConnection,
  type ConnectionRow,
  findConnectionRow,
  type NewConnectionRow,
} from "../../storage/merchants/connections.ts";
import { pollNow, setQueuedDue } from "../../storage/documents/document-queue.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { AppError, type ErrorObject } from "../foundation/errors.ts";
import { appendEvent, backgroundCause } from "../journal/append-event.ts";
import type { Cause, Context } from "../journal/context.ts";
import type { DocumentRow } from "../../storage/documents/documents.ts";
import { textOfError, wireError } from "../foundation/stored-texts.ts";
import { CONNECTION_STATUSES } from "../../storage/stored-values.ts";
import { component, described } from "../foundation/described.ts";
import { readJson } from "../foundation/json.ts";
import {
  CreatedField,
  ErrorObjectSchema,
  idOf,
  InstantText,
  ModeField,
  objectName,
  ProviderField,
} from "../foundation/wire.ts";

export const ConnectionObjectSchema = component(
  "Connection",
  "A merchant's credentials for one provider in one mode. The credentials themselves are never returned.",
  v.strictObject({
    id: idOf("con"),
    object: objectName("connection"),
    merchant: idOf("mer"),
    provider: ProviderField,
    mode: ModeField,
    status: described(
      v.picklist(CONNECTION_STATUSES),
      "`active`: documents can be sent through it; `invalid`: the provider refused the credentials, correct them and verify again; `disconnected`: no longer used, its credentials are deleted 30 days later.",
    ),
    verified_at: described(
      v.nullable(InstantText),
      "When the provider last accepted the credentials, in UTC; null until then.",
    ),
    last_error: described(
      v.nullable(ErrorObjectSchema),
      "Why the provider last refused the credentials; null if it did not.",
    ),
    created: CreatedField,
  }),
);

export type ConnectionObject = v.InferOutput<typeof ConnectionObjectSchema>;

export function buildConnectionObject(row: ConnectionRow): ConnectionObject {
  return {
    id: row.id,
    object: "connection",
    merchant: row.merchant_id,
    provider: row.provider,
    mode: row.mode,
    status: row.status,
    verified_at: row.verified_at,
    last_error: row.last_error_json === null ? null : wireError(readJson<ErrorObject>(row.last_error_json)),
    created: row.created_at,
  };
}

export interface Verdict {
  /** Null if it accepted the credentials. */
  refusal: ErrorObject | null;
  /** The ids of the provider calls that were made. */
  callIds: string[];
}

export function applyVerdict<Row extends NewConnectionRow>(
  row: Row,
  refusal: Verdict["refusal"],
  now: string,
): Row {
  if (refusal === null)
    return { ...row, status: "active", verified_at: now, last_error_json: null, last_error_at: null };
  return { ...row, status: "invalid", last_error_json: JSON.stringify(refusal), last_error_at: now };
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
  const appended = await appendEvent(trx, {
    type: isAccepted ? "connection.verified" : "connection.invalid",
    before: before && buildConnectionObject(before),
    after: buildConnectionObject(after),
    merchantId: after.merchant_id,
    cause,
  });
  const due = new Date(trx.clockMs).toISOString();
  if (isAccepted) {
    await setQueuedDue(trx, { connectionId: after.id, due });
    await pollNow(trx, { connectionId: after.id, due });
  } else await setQueuedDue(trx, { connectionId: after.id, due: null });
  return appended;
}

/** Makes an active connection `invalid` with one event, and its queued documents wait until it is verified again. */
export async function invalidateConnection(trx: Transaction, id: string, error: ErrorObject): Promise<void> {
  const before = await findConnectionRow(trx, { id });
  if (before === undefined) throw new Error(`The connection ${id} of a document is gone`);
  if (before.status !== "active") {
    if (before.status === "invalid") await setQueuedDue(trx, { connectionId: id, due: null });
    // A disconnected connection is never verified again: the queue reroutes its documents or fails them.
    else await setQueuedDue(trx, { connectionId: id, due: new Date(trx.clockMs).toISOString() });
    return;
  }
  const refusal = { ...error, code: "provider_credentials_invalid" as const };
  const after = applyVerdict(before, refusal, trx.now);
  if (!(await changeConnection(trx, { ...after, from: "active" })))
    throw new Error(`The connection ${id} changed within its own write`);
  await recordVerdict(trx, before, after, backgroundCause(after.mode));
}

export function errorFrom(error: ErrorObject): AppError {
  return new AppError(error.code, textOfError(error), error);
}

/** Invalidates the connection whose account was refused, and returns the error to throw (docs/contract.md#refused-credentials). */
export async function credentialsRefused(
  context: Context,
  { connection_id: connectionId }: Pick<DocumentRow, "connection_id">,
  error: ErrorObject,
): Promise<AppError> {
  const isKnown =
    connectionId !== null &&
    (await findConnectionRow(context.store.read, { id: connectionId })) !== undefined;
  if (isKnown) await context.store.write((trx) => invalidateConnection(trx, connectionId, error));
  return errorFrom(error);
}
