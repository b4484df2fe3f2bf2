/** Turns a provider's refusal of a single call into the error for the caller. */
import { findConnectionRow } from "../../storage/merchants/connections.ts";
import type { DocumentRow } from "../../storage/documents/documents.ts";
import { invalidateConnection } from "./invalidate-connection.ts";
import type { Context } from "../journal/context.ts";
import { AppError, type ErrorObject } from "../foundation/errors.ts";
import { textOfError } from "../foundation/stored-texts.ts";

/** Converts an adapter's error into one that can be thrown. */
export function errorFrom(error: ErrorObject): AppError {
  return new AppError(error.code, textOfError(error), {
    retryable: error.retryable,
    ...(error.provider_code === null ? {} : { providerCode: error.provider_code }),
    ...(error.provider_message === null ? {} : { providerMessage: error.provider_message }),
    ...(error.provider_raw === undefined ? {} : { providerRaw: error.provider_raw }),
  });
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
