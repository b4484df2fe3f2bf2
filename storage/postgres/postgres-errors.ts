/** Which failures of PostgreSQL mean that it cannot be reached or used for now, as opposed to a wrong statement, and what an operator can do then. */
import { codeOf, StorageError, UnavailableDatabaseError } from "../database/errors.ts";

/**
 * SQLSTATE classes: connection (08), log-in (28), no such database (3D), resources (53), operator intervention (57), system (58), and a lock that was not available
 * in time (55P03). 25006 comes from a standby, 25P03 and 25P04 when the server ended a transaction that took too long.
 */
const UNAVAILABLE = /^(08|28|3D|53|57|58)|^(55P03|25006|25P03|25P04)$/;
/** Errors of Node's sockets and resolver, and of TLS. */
const SOCKET =
  /^(E[A-Z_]+|CERT_[A-Z_]+|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_[A-Z_]+)$/;

/** Of these: the server was reached, and says itself what is wrong, such as that its disk is full. */
const SPEAKS_FOR_ITSELF = /^(25|53|55|57|58)/;

/** How messages of the client library begin that have no code. */
const LOSSES = [
  "Connection terminated",
  "Client has encountered a connection error",
  "Client was closed",
  "timeout exceeded",
  "timeout expired",
  "Query read timeout",
  "The server does not support SSL",
  "There was an error establishing an SSL",
];

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof StorageError) return false;
  const code = codeOf(error);
  if (code !== undefined) return UNAVAILABLE.test(code) || SOCKET.test(code);
  return LOSSES.some((beginning) => error.message.startsWith(beginning));
}

/** Whether the connection is lost: no more is known of what was under way. `error` may be explained already. */
export function isConnectionLost(error: unknown): boolean {
  const cause = error instanceof UnavailableDatabaseError ? error.cause : error;
  return isUnavailable(cause) && !/^(28|3D|53|55)|^25006$/.test(codeOf(cause) ?? "");
}

/** The error for callers: an UnavailableDatabaseError if the server failed, otherwise `error` itself. */
export function explainFailure(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  const reason = reasonOf(error);
  const [en, el] = SPEAKS_FOR_ITSELF.test(codeOf(error) ?? "")
    ? ["", ""]
    : [
        "; check that it is running and lets fiscal in, and the user, database and certificate in the address (docs/postgres.md)",
        "· ελέγξτε ότι εκτελείται και δέχεται το fiscal, και τον χρήστη, τη βάση και το πιστοποιητικό στη διεύθυνση (docs/postgres.md)",
      ];
  const text = { en: `${reason}${en}`, el: `${reason}${el}` };
  return new UnavailableDatabaseError(text, { cause: error });
}

/** The error while the database is opened. What PostgreSQL refuses then, such as missing rights, is explained to the operator. */
export function explainOpening(error: unknown): unknown {
  const failure = explainFailure(error);
  if (failure instanceof StorageError || !/^[0-9A-Z]{5}$/.test(codeOf(failure) ?? "")) return failure;
  const reason = reasonOf(failure);
  return new StorageError(
    {
      en: `The database cannot be opened: ${reason}`,
      el: `Η βάση δεν μπορεί να ανοίξει: ${reason}`,
    },
    { cause: error },
  );
}

/** PostgreSQL's own words, which name no value and no password, or the code of the network's error. */
function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code !== undefined && SOCKET.test(code)) return code;
  return error instanceof Error ? error.message : String(error);
}
