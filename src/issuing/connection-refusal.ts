/** What the provider's refusal of a single call is for the one who asked for it. */
import { findConnectionRow } from "../../storage/connections.ts";
import type { DocumentRow } from "../../storage/documents.ts";
import { invalidateConnection } from "./invalidate-connection.ts";
import type { Context } from "../journal/context.ts";
import { AppError, type ErrorObject } from "../foundation/errors.ts";
import { textOfError } from "../foundation/stored-texts.ts";

/** An adapter's error, to be thrown. */
export function errorFrom(error: ErrorObject): AppError {
  return new AppError(error.code, textOfError(error), {
    retryable: error.retryable,
    ...(error.provider_code === null ? {} : { providerCode: error.provider_code }),
    ...(error.provider_message === null ? {} : { providerMessage: error.provider_message }),
    ...(error.provider_raw === undefined ? {} : { providerRaw: error.provider_raw }),
  });
}

/** The account was refused: its connection becomes invalid, wherever it was refused (decisions 7). */
export async function credentialsRefused(
  context: Context,
  row: DocumentRow,
  error: ErrorObject,
): Promise<AppError> {
  const { connection_id: connectionId } = row;
  const isKnown =
    connectionId !== null && (await findConnectionRow(context.store.read, connectionId)) !== undefined;
  if (isKnown) await context.store.write((trx) => invalidateConnection(trx, connectionId, error));
  return errorFrom(error);
}
