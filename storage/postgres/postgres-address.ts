/** Reads the address of a database, `postgres://user:password@host:5432/name?sslmode=verify-full`. Messages never contain it. */
import { readFileSync } from "node:fs";
import type { ClientConfig } from "pg";
import { codeOf, StorageError, type StorageText } from "../database/errors.ts";

const DEFAULT_PORT = 5432;
const PARAMETERS: ReadonlySet<string> = new Set(["host", "sslmode", "sslrootcert", "options"]);
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|\/.*)$/;

/**
 * The options of a connection. Without `sslmode`, TLS with a verified certificate is used, except to this machine. Throws a
 * StorageError if the address cannot be used.
 */
export function readAddress(address: string): ClientConfig {
  const url = parse(address);
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.has(name))
      throw refuse({
        en: `has a parameter that fiscal does not know: it takes ${[...PARAMETERS].join(", ")}`,
        el: `έχει παράμετρο που το fiscal δεν γνωρίζει: δέχεται ${[...PARAMETERS].join(", ")}`,
      });
  }
  const host = url.searchParams.get("host") ?? decodeURIComponent(url.hostname.replace(/^\[|\]$/g, ""));
  const database = decodeURIComponent(url.pathname.slice(1));
  if (host === "" || database === "" || url.username === "")
    throw refuse({
      en: "must name a user, a host and a database: postgres://user@host/database",
      el: "πρέπει να ορίζει χρήστη, διακομιστή και βάση: postgres://user@host/database",
    });
  const options = url.searchParams.get("options");
  return {
    host,
    port: url.port === "" ? DEFAULT_PORT : Number(url.port),
    user: decodeURIComponent(url.username),
    ...(url.password === "" ? {} : { password: decodeURIComponent(url.password) }),
    database,
    ssl: readTls(url.searchParams, host),
    ...(options === null ? {} : { options }),
  };
}

function parse(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol))
    throw refuse({
      en: "must begin with postgres:// and be a valid address; write special characters of a password as %XX",
      el: "πρέπει να αρχίζει με postgres:// και να είναι έγκυρη διεύθυνση· γράψτε τους ειδικούς χαρακτήρες του κωδικού ως %XX",
    });
  return url;
}

function readTls(parameters: URLSearchParams, host: string): ClientConfig["ssl"] {
  const mode = parameters.get("sslmode") ?? (LOOPBACK.test(host) ? "disable" : "verify-full");
  if (mode === "disable") return false;
  if (mode !== "verify-full")
    throw refuse({
      en: "must have sslmode=verify-full, or sslmode=disable on a network that nobody else can read",
      el: "πρέπει να έχει sslmode=verify-full, ή sslmode=disable σε δίκτυο που δεν διαβάζει κανείς άλλος",
    });
  const file = parameters.get("sslrootcert");
  return { rejectUnauthorized: true, ...(file === null ? {} : { ca: readCertificate(file) }) };
}

function readCertificate(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = codeOf(error) ?? String(error);
    throw new StorageError(
      {
        en: `The root certificate ${file} of the database cannot be read: ${code}`,
        el: `Το πιστοποιητικό ρίζας ${file} της βάσης δεν διαβάζεται: ${code}`,
      },
      { cause: error },
    );
  }
}

function refuse({ en, el }: StorageText): StorageError {
  return new StorageError({
    en: `The address of the PostgreSQL database ${en}`,
    el: `Η διεύθυνση της βάσης PostgreSQL ${el}`,
  });
}
