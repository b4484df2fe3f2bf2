/** Removes credentials from logs (docs/contract.md#logged-bodies): all headers but harmless ones, members for credentials, known secrets. */

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

export type Redactor = ReturnType<typeof createRedactor>;

export function createRedactor(secrets: Iterable<string> = []) {
  const known = new Set<string>();
  const written = new Set<string>();
  const encoded: string[] = [];
  /** Longest first, so that a secret that contains another is replaced as a whole. */
  let longestFirst: string[] = [];
  let hasSecrets = false;

  /** Adds a secret to redact. */
  function add(secret: string): void {
    hasSecrets = true;
    if (secret.length < LENGTH_MIN || known.has(secret)) return;
    known.add(secret);
    for (const form of writtenForms(secret)) written.add(form);
    encoded.push(...encodedForms(secret));
    longestFirst = [...written].sort((left, right) => right.length - left.length);
  }
  for (const secret of secrets) add(secret);

  function isIn(given: string): boolean {
    return (
      hasOwnSecret(given) ||
      longestFirst.some((form) => given.includes(form)) ||
      encoded.some((form) => given.includes(form))
    );
  }

  /** One in hex or Base64 is replaced with everything around it that is encoded. */
  function text(given: string): string {
    if (!isIn(given)) return given;
    let rest = hasOwnSecret(given) ? given.replace(OWN_SECRETS, REDACTED) : given;
    for (const form of encoded) rest = cutRuns(rest, form, REDACTED);
    for (const form of longestFirst) rest = rest.replaceAll(form, REDACTED);
    return rest;
  }

  /** A copy with all strings redacted, and members named like credentials replaced. */
  function json(value: unknown): unknown {
    if (typeof value === "string") return text(value);
    // Such as 47110815 for the user `47110815`.
    if (typeof value === "number") return known.has(String(value)) ? REDACTED : value;
    if (Array.isArray(value)) return value.map(json);
    if (typeof value !== "object" || value === null) return value;
    const copy: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(value)) {
      const isCredential = CREDENTIAL_NAME.test(key) && typeof member === "string";
      const name = text(key);
      const clean = isCredential ? REDACTED : json(member);
      // A plain assignment, which is much faster, would set the prototype of the copy.
      if (name === "__proto__") Object.defineProperty(copy, name, { value: clean, ...ORDINARY });
      else copy[name] = clean;
    }
    return copy;
  }

  return {
    add,
    text,
    url(given: string): string {
      const [address = "", ...queries] = given.split("?");
      if (queries.length === 0) return text(given);
      const query = queries
        .join("?")
        .split("&")
        .map((pair) => {
          const [name = "", ...rest] = pair.split("=");
          return rest.length > 0 && CREDENTIAL_NAME.test(decoded(name)) ? `${name}=${REDACTED}` : pair;
        });
      return text(`${address}?${query.join("&")}`);
    },
    json,
    /**
     * Whether `json` may change the value of this JSON text. Found by a look at the text: once a secret was added, a number in it may be
     * that secret, written in another way.
     */
    mayChangeJson: (given: string): boolean => hasSecrets || isIn(given) || MAY_HIDE.test(given),
    headers(headers: Readonly<Record<string, string>>): Record<string, string> {
      const kept: Record<string, string> = {};
      for (const [name, value] of Object.entries(headers)) {
        kept[name] = isLoggedHeader(name) ? text(value) : REDACTED;
      }
      return kept;
    },
  };
}

const ORDINARY = { enumerable: true, configurable: true, writable: true };

function isLoggedHeader(name: string): boolean {
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

/** Secrets that fiscal creates, recognised by their form. */
const OWN_SECRETS =
  /fiscal_(?:test|live)_[0-9A-Za-z]{20,}|whsec_[0-9A-Za-z+/=_-]{20,}|(?<=\/connect\/)[0-9A-Za-z_-]{40,}/g;
/** Without one of these, a text has none of them. */
const OWN_BEGINNINGS = ["fiscal_", "whsec_", "/connect/"];

/** Shorter secrets are not searched for, since they also occur in ordinary text. */
const LENGTH_MIN = 4;

function hasOwnSecret(text: string): boolean {
  return OWN_BEGINNINGS.some((beginning) => text.includes(beginning)) && text.search(OWN_SECRETS) !== -1;
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const inForm = (text: string) => new URLSearchParams([["", text]]).toString().slice(1);
const inXml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const withSmallEscapes = (text: string) => text.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());

function writtenForms(secret: string): string[] {
  return [secret, inJson(secret), inJson(secret).replaceAll("/", "\\/")].flatMap((text) => {
    const escaped = [encodeURIComponent(text.toWellFormed()), inForm(text)];
    const xml = inXml(text);
    return [
      text,
      ...escaped,
      ...escaped.map(withSmallEscapes),
      xml,
      xml.replaceAll("'", "&apos;"),
      xml.replaceAll("'", "&#39;"),
    ];
  });
}

const BITS = { byte: 8, sextet: 6 };

/** Hex, and what every Base64 text that contains the secret contains too, wherever in a group of three bytes it may begin. */
function encodedForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const cores = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .slice(
        Math.ceil((shift * BITS.byte) / BITS.sextet),
        Math.floor(((shift + bytes.length) * BITS.byte) / BITS.sextet),
      ),
  );
  const hex = bytes.toString("hex");
  return [
    hex,
    hex.toUpperCase(),
    ...cores.flatMap((core) => [core, core.replaceAll("+", "-").replaceAll("/", "_")]),
  ];
}

const ENCODED = /[A-Za-z0-9+/_=-]/;

/** Replaces each place of `form` in `text`, with the encoded characters around it. */
function cutRuns(text: string, form: string, replacement: string): string {
  let rest = "";
  let through = 0;
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, through)) {
    let start = at;
    while (start > through && ENCODED.test(text[start - 1]!)) start -= 1;
    rest += text.slice(through, start) + replacement;
    through = at + form.length;
    while (through < text.length && ENCODED.test(text[through]!)) through += 1;
  }
  return rest + text.slice(through);
}
