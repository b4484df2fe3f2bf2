/** Removes credentials from logs: headers and members meant for them, and known secrets in any encoding (docs/contract.md#logged-bodies). */
import { createSecretSearch, type Range } from "./secret-search.ts";

/** Replaces a credential. */
export const REDACTED = "[redacted]";
/** Replaces a text, or a whole body, that contains a credential in a form that cannot be cut out. */
export const WITHHELD = "[withheld: a credential in it could not be cut out]";

/** Headers for credentials. The last three are those of the tax authority and of provider_a. */
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "x-api-key",
  "api-key",
  "x-auth-token",
  "aade-user-id",
  "ocp-apim-subscription-key",
  "x-partner-api-key",
]);

/** Names of members and parameters whose value is a credential. */
const CREDENTIAL_NAME =
  /^(?:api[_-]?key|apikey|subscription[_-]?key|secret|password|token|access[_-]?token|refresh[_-]?token|client[_-]?secret|authorization|jwt)$/i;

/** A member with such a name, in JSON without escapes. */
const CREDENTIAL_MEMBER = new RegExp(`"${CREDENTIAL_NAME.source.slice(1, -1)}"`, "i");

export interface Redactor {
  /** Adds a secret to redact. */
  add(secret: string): void;
  text(text: string): string;
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
  url(url: string): string;
  /** A copy with all strings redacted, and members named like credentials replaced. */
  json(value: unknown): unknown;
  /** Whether that copy would differ from the value. Much cheaper than the copy. */
  changesJson(value: unknown): boolean;
  /** The same for the value of a JSON text. Cheaper still, because nearly always one look at the text suffices. */
  changesJsonText(text: string, value: unknown): boolean;
}

export function createRedactor(secrets: Iterable<string> = []): Redactor {
  const search = createSecretSearch();
  for (const secret of secrets) search.add(secret);

  /** Undefined if a secret is left that cannot be cut out. */
  function cutOut(given: string): string | undefined {
    if (!search.isIn(given)) return given;
    const pieces = piecesBetween(given, search.rangesIn(given));
    return search.isIn(pieces.join("\0")) ? undefined : pieces.join(REDACTED);
  }

  const text = (given: string) => cutOut(given) ?? WITHHELD;

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

  function json(value: unknown): unknown {
    let isWithheld = false;
    const copy = copyOf(value, {
      isSecretNumber,
      text(given) {
        const clean = cutOut(given);
        isWithheld ||= clean === undefined;
        return clean ?? WITHHELD;
      },
    });
    return isWithheld ? WITHHELD : copy;
  }

  function changesJson(value: unknown): boolean {
    if (typeof value === "string") return search.isIn(value);
    if (Array.isArray(value)) return value.some(changesJson);
    if (typeof value !== "object" || value === null) return isSecretNumber(value);
    for (const key of Object.keys(value)) {
      const member = (value as Record<string, unknown>)[key];
      if (search.isIn(key) || (typeof member === "string" && CREDENTIAL_NAME.test(key))) return true;
      if (changesJson(member)) return true;
    }
    return false;
  }

  return {
    add: search.add,
    text,
    url,
    json,
    changesJson,
    changesJsonText: (given, value) =>
      !search.isSurelyFree(given) || CREDENTIAL_MEMBER.test(given) ? changesJson(value) : false,
    headers(headers) {
      const kept: Record<string, string> = {};
      for (const [name, value] of Object.entries(headers)) {
        kept[name] = CREDENTIAL_HEADERS.has(name.toLowerCase()) ? REDACTED : text(value);
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

/** What is left of a text without the ranges. */
function piecesBetween(text: string, ranges: readonly Range[]): string[] {
  const ends = [0, ...ranges.map(({ end }) => end)];
  const starts = [...ranges.map(({ start }) => start), text.length];
  return ends.map((end, index) => text.slice(end, starts[index]));
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // A malformed escape: not one of the names.
    return name;
  }
}
