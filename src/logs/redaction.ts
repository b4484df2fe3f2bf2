/** Removes credentials from logs: headers and members meant for them, and known secrets in any encoding. */

/** Replaces a credential. */
export const REDACTED = "[redacted]";

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

/** Secrets that fiscal creates, recognised by their form. */
const OWN_SECRETS =
  /fiscal_(?:test|live)_[0-9A-Za-z]{20,}|whsec_[0-9A-Za-z+/=_-]{20,}|(?<=\/connect\/)[0-9A-Za-z_-]{40,}/g;

/**
 * Shorter secrets are not searched for, since they also occur in ordinary text. Headers and members for credentials are
 * redacted even so.
 */
const LENGTH_MIN = 4;

export interface Redactor {
  /** Adds a secret to redact. */
  add(secret: string): void;
  text(text: string): string;
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
  url(url: string): string;
  /** A copy with all strings redacted, and members named like credentials replaced. */
  json(value: unknown): unknown;
}

/** The encodings of a secret in JSON, URLs, forms, XML and basic authentication. */
function spellings(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const encoded = encodeURIComponent(secret.toWellFormed());
  const xmlText = secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const xml = xmlText.replaceAll('"', "&quot;").replaceAll("'", "&apos;");
  const ascii = json.replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const base64 = Buffer.from(secret).toString("base64");
  return [
    secret,
    json,
    json.replaceAll("/", "\\/"),
    ascii,
    encoded,
    encoded.replaceAll("%20", "+"),
    encoded.toLowerCase(),
    new URLSearchParams([["", secret]]).toString().slice(1),
    xml,
    xmlText,
    base64,
    base64.replace(/=+$/, ""),
  ];
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

export function createRedactor(secrets: Iterable<string> = []): Redactor {
  const known = new Set<string>();
  let pattern: RegExp | undefined;

  function add(secret: string): void {
    if (secret.length < LENGTH_MIN) return;
    for (const spelling of spellings(secret)) known.add(spelling);
    // Longest first, so that a secret that contains another is replaced as a whole. Gateways change the case of credentials.
    const longestFirst = [...known].sort((left, right) => right.length - left.length);
    pattern = new RegExp(longestFirst.map(literally).join("|"), "gi");
  }

  function text(given: string): string {
    return pattern === undefined
      ? given.replace(OWN_SECRETS, REDACTED)
      : given.replace(OWN_SECRETS, REDACTED).replace(pattern, REDACTED);
  }

  /** Whether a number equals a known secret, such as 47110815 for the user `47110815`. */
  function isSecretNumber(value: unknown): boolean {
    return (typeof value === "number" || typeof value === "bigint") && known.has(String(value));
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
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map(json);
    if (isSecretNumber(value)) return REDACTED;
    if (typeof value !== "object" || value === null) return value;
    const copy: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(value)) {
      const isCredential = CREDENTIAL_NAME.test(key) && typeof member === "string";
      Object.defineProperty(copy, text(key), {
        value: isCredential ? REDACTED : json(member),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return copy;
  }

  for (const secret of secrets) add(secret);
  return {
    add,
    text,
    url,
    json,
    headers(headers) {
      const kept: Record<string, string> = {};
      for (const [name, value] of Object.entries(headers)) {
        kept[name] = CREDENTIAL_HEADERS.has(name.toLowerCase()) ? REDACTED : text(value);
      }
      return kept;
    },
  };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // A malformed escape: not one of the names.
    return name;
  }
}
