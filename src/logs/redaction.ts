/** Removes credentials from logs: all headers but harmless ones, members meant for credentials, and known secrets (docs/contract.md#logged-bodies). */
import { createSecretSearch } from "./secret-forms.ts";

/** Replaces a credential. */
export const REDACTED = "[redacted]";

/** The headers whose values are logged. Any other may be for a credential. */
const LOGGED_HEADERS: ReadonlySet<string> = new Set(
  (
    "accept accept-encoding accept-language age allow cache-control connection content-disposition content-encoding " +
    "content-language content-length content-type date etag expires host idempotency-key idempotent-replayed last-modified " +
    "location ratelimit-limit ratelimit-remaining ratelimit-reset retry-after server transfer-encoding user-agent vary via " +
    "www-authenticate x-request-id"
  ).split(" "),
);

/** Names of members and parameters whose value is a credential. */
const CREDENTIAL_NAME =
  /^(?:api[_-]?key|apikey|subscription[_-]?key|secret|password|token|access[_-]?token|refresh[_-]?token|client[_-]?secret|authorization|jwt)$/i;

/** A member with such a name, or an escape of an ASCII character, which may be in one. */
const MAY_HIDE = new RegExp(`"${CREDENTIAL_NAME.source.slice(1, -1)}"|\\\\(?:u00|/)`, "i");

export interface Redactor {
  /** Adds a secret to redact. */
  add(secret: string): void;
  text(text: string): string;
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
  url(url: string): string;
  /** A copy with all strings redacted, and members named like credentials replaced. */
  json(value: unknown): unknown;
  /** Whether that copy of the value of a JSON text may differ from the value. Found by a look at the text. */
  mayChangeJson(text: string): boolean;
}

export function createRedactor(secrets: Iterable<string> = []): Redactor {
  const search = createSecretSearch();
  let hasSecrets = false;
  function add(secret: string): void {
    hasSecrets = true;
    search.add(secret);
  }
  for (const secret of secrets) add(secret);

  const text = (given: string) => (search.isIn(given) ? search.cutOut(given, REDACTED) : given);

  /** Whether a number equals a known secret, such as 47110815 for the user `47110815`. */
  function isSecretNumber(value: unknown): boolean {
    return typeof value === "number" && search.isSecret(String(value));
  }

  function url(given: string): string {
    const start = given.indexOf("?");
    if (start === -1) return text(given);
    const query = given
      .slice(start + 1)
      .split("&")
      .map((pair) => {
        const [name = "", ...rest] = pair.split("=");
        return rest.length > 0 && CREDENTIAL_NAME.test(decoded(name)) ? `${name}=${REDACTED}` : pair;
      });
    return text(`${given.slice(0, start)}?${query.join("&")}`);
  }

  return {
    add,
    text,
    url,
    json: (value) => copyOf(value, { text, isSecretNumber }),
    // Once a secret was added, a number in the text may be that secret, written in another way.
    mayChangeJson: (given) => hasSecrets || search.isIn(given) || MAY_HIDE.test(given),
    headers(headers) {
      const kept: Record<string, string> = {};
      for (const [name, value] of Object.entries(headers)) {
        kept[name] = isLoggedHeader(name) ? text(value) : REDACTED;
      }
      return kept;
    },
  };
}

interface Cleaning {
  text(given: string): string;
  isSecretNumber(value: unknown): boolean;
}

function copyOf(value: unknown, cleaning: Cleaning): unknown {
  if (typeof value === "string") return cleaning.text(value);
  if (Array.isArray(value)) return value.map((item) => copyOf(item, cleaning));
  if (cleaning.isSecretNumber(value)) return REDACTED;
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const isCredential = CREDENTIAL_NAME.test(key) && typeof member === "string";
    const name = cleaning.text(key);
    const clean = isCredential ? REDACTED : copyOf(member, cleaning);
    // A plain assignment, which is much faster, would set the prototype of the copy.
    if (name === "__proto__")
      Object.defineProperty(copy, name, {
        value: clean,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else copy[name] = clean;
  }
  return copy;
}

export function isLoggedHeader(name: string): boolean {
  return LOGGED_HEADERS.has(name.toLowerCase());
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // A malformed escape: not one of the names.
    return name;
  }
}
