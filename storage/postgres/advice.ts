/** What an operator can do when PostgreSQL cannot be used, by the code of the error. */
import type { StorageText } from "../database/errors.ts";

/** The first that matches the code, or the message of an error without one. */
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
export function withAdvice(code: string | undefined, reason: string): StorageText {
  const found = ADVICE.find(([pattern]) => pattern.test(code ?? reason));
  return found === undefined
    ? { en: reason, el: reason }
    : { en: `${reason}; ${found[1].en}`, el: `${reason}· ${found[1].el}` };
}
