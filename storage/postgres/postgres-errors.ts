/** Which failures of PostgreSQL mean that it cannot be reached or used for now, as opposed to a wrong statement, and what an operator can do then. */
import { codeOf, StorageError, type StorageText, UnavailableDatabaseError } from "../database/errors.ts";

/**
 * SQLSTATE classes: connection (08), log-in (28), no such database (3D), resources (53), operator intervention (57), system (58), and a lock that was not available
 * in time (55P03). 25006 comes from a standby, 25P03 and 25P04 when the server ended a transaction that took too long.
 */
const UNAVAILABLE = /^(08|28|3D|53|57|58)|^(55P03|25006|25P03|25P04)$/;
/** Errors of Node's sockets and resolver, and of TLS. */
const SOCKET =
  /^(E[A-Z_]+|CERT_[A-Z_]+|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_[A-Z_]+)$/;

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

/** Whether the connection or the server failed. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof StorageError) return false;
  const code = codeOf(error);
  if (code !== undefined) return UNAVAILABLE.test(code) || SOCKET.test(code);
  return LOSSES.some((beginning) => error.message.startsWith(beginning));
}

/** Whether the connection is lost: no more is known of what was under way. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  return isUnavailable(error) && !/^(28|3D|53|55)|^25006$/.test(code ?? "");
}

/** The error for callers: an UnavailableDatabaseError if the server failed, otherwise `error` itself. */
export function explainFailure(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  return new UnavailableDatabaseError(withAdvice(codeOf(error), reasonOf(error)), { cause: error });
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

/** By the code of the error: the first that matches it, or the message of an error without one. */
const ADVICE: readonly (readonly [pattern: RegExp, advice: StorageText])[] = [
  [
    /^(ECONNREFUSED|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$|^timeout (exceeded|expired)/,
    {
      en: "check that PostgreSQL is running there, that a firewall lets fiscal through, and the address",
      el: "ελέγξτε ότι η PostgreSQL εκτελείται εκεί, ότι κανένα τείχος προστασίας δεν την αποκλείει, και τη διεύθυνση",
    },
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    {
      en: "check the name of the host in the address, and that this machine can look it up",
      el: "ελέγξτε το όνομα του διακομιστή στη διεύθυνση, και ότι αυτό το μηχάνημα μπορεί να το βρει",
    },
  ],
  [
    /^28/,
    {
      en: "check the user and the password in the address, and pg_hba.conf of the server",
      el: "ελέγξτε τον χρήστη και τον κωδικό στη διεύθυνση, και το pg_hba.conf του διακομιστή",
    },
  ],
  [
    /^3D/,
    {
      en: "create the database, or correct its name in the address (docs/postgres.md)",
      el: "δημιουργήστε τη βάση, ή διορθώστε το όνομά της στη διεύθυνση (docs/postgres.md)",
    },
  ],
  [
    /^53300$/,
    {
      en: "raise max_connections of the server, or run fewer servers (docs/postgres.md#size)",
      el: "αυξήστε το max_connections του διακομιστή, ή εκτελέστε λιγότερους διακομιστές (docs/postgres.md#size)",
    },
  ],
  [
    /^The server does not support SSL/,
    {
      en: "switch TLS on there, or add sslmode=disable to the address on a network that nobody else can read",
      el: "ενεργοποιήστε εκεί το TLS, ή προσθέστε sslmode=disable στη διεύθυνση, σε δίκτυο που δεν διαβάζει κανείς άλλος",
    },
  ],
  [
    /^(CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERR_TLS_)/,
    {
      en: "give the certificate of its authority with sslrootcert, and the host's name as the certificate has it (docs/postgres.md)",
      el: "δώστε το πιστοποιητικό της αρχής του με sslrootcert, και το όνομα του διακομιστή όπως το έχει το πιστοποιητικό (docs/postgres.md)",
    },
  ],
];

/** Continues the sentence that names `reason`, a code or PostgreSQL's own words. */
function withAdvice(code: string | undefined, reason: string): StorageText {
  const found = ADVICE.find(([pattern]) => pattern.test(code ?? reason));
  return found === undefined
    ? { en: reason, el: reason }
    : { en: `${reason}; ${found[1].en}`, el: `${reason}· ${found[1].el}` };
}
