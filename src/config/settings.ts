/** The table of all settings, from which everything else about them is derived (docs/contract.md#configuration). */
import {
  emails,
  flag,
  header,
  integer,
  networks,
  optionalPath,
  pathInDataDir,
  pathOrNull,
  permissions,
  schedule,
  seconds,
  secret,
  text,
  url,
  word,
} from "../foundation/setting-kinds.ts";
import type { CamelCase, Setting, SettingsTable } from "../foundation/setting.ts";
import { BUILT_IN_PROVIDERS, type BuiltInSettings, EXTERNAL_PROVIDERS } from "../providers/built-in.ts";

const DAYS_MAX = 36_500;
const HOUR_SECONDS = 3600;

export const CORE_SETTINGS = {
  data_dir: optionalPath(
    "Folder of the database and the master key; created if missing. Empty: the user's data directory, ~/.local/share/fiscal on Linux.",
  ),
  default_mode: word("test", ["test", "live"], "Mode of commands that do not name one."),
  server: {
    host: text(
      "127.0.0.1",
      "Address to listen on. The default accepts connections from this machine only: put a TLS proxy in front, or give the server its own certificate (docs/serving.md).",
    ),
    port: integer(8787, 0, 65_535, "Port to listen on. 0 picks any free port."),
    socket: pathOrNull(
      'Socket file to listen on instead of host and port, for a proxy on the same machine: "/run/fiscal/fiscal.sock". At most 107 bytes. Empty: host and port.',
    ),
    socket_mode: permissions(
      "0660",
      'Permissions of the socket file, in octal. With "0660" the server\'s user and group may connect, so the proxy must be in that group.',
    ),
    tls_cert_file: pathOrNull(
      "Certificate in PEM, followed by those of its issuers. With it and tls_key_file the server speaks https, TLS 1.2 or later. Empty: plain HTTP.",
    ),
    tls_key_file: pathOrNull("Private key of the certificate, in PEM. Required with tls_cert_file."),
    tls_key_passphrase_file: pathOrNull(
      "File with the passphrase of the private key. Needed only if the key is encrypted.",
    ),
    tls_check_seconds: integer(
      10,
      1,
      HOUR_SECONDS,
      "Seconds between checks of the certificate files. Renewed files are loaded without a restart, also on SIGHUP.",
    ),
    public_url: url(
      "",
      'Address at which callers reach the server, such as "https://invoices.example.com". Links in documents start with it. Empty: the address that the server listens on, so behind a proxy the links work on this machine only.',
      { isBase: true },
    ),
    max_body_bytes: integer(
      4_194_304,
      1024,
      67_108_864,
      "Largest request body in bytes; larger ones get 413. The largest valid document has about 3.9 MB.",
    ),
    max_header_bytes: integer(
      16_384,
      4096,
      1_048_576,
      "Largest size in bytes of request line and headers together; more gets 431.",
    ),
    max_headers: integer(100, 20, 2000, "Largest number of headers in a request; more get 431."),
    max_connections: integer(
      2048,
      1,
      1_000_000,
      "Largest number of simultaneous connections. The next few get 503 with retry-after, further ones are closed at once.",
    ),
    max_connections_per_address: integer(
      1024,
      0,
      1_000_000,
      "Largest number of simultaneous connections from one address; further ones are closed at once. Trusted proxies are exempt. 0 means no limit: one client can then use up max_connections.",
    ),
    headers_timeout_seconds: integer(
      20,
      1,
      HOUR_SECONDS,
      "Seconds within which all headers of a request must arrive; later ones get 408.",
    ),
    request_timeout_seconds: integer(
      120,
      1,
      HOUR_SECONDS,
      "Seconds within which the whole request must arrive; later ones get 408. Must be enough for max_body_bytes on a caller's slowest line. The time to respond is not limited.",
    ),
    write_timeout_seconds: integer(
      60,
      1,
      HOUR_SECONDS,
      "Seconds within which a client must read part of its response; otherwise the connection is closed.",
    ),
    keep_alive_seconds: integer(
      75,
      1,
      HOUR_SECONDS,
      "Seconds that an idle connection stays open. Must be longer than the idle timeout of a proxy in front, or its requests sometimes fail because the server is just closing the connection.",
    ),
    trusted_proxies: networks(
      'Addresses or networks of proxies whose X-Forwarded-For, -Proto and -Host headers are trusted: ["10.0.0.0/8"], or "unix" for the proxy on the socket file. If a proxy is not listed, all callers seem to have its address, and one with wrong keys uses up the limit of failed authentications for all.',
      { mayBeUnix: true },
    ),
    platform_request_id_header: header(
      "Header with the hosting platform's request id. Empty: fiscal creates its own ids.",
    ),
    metrics_token: secret("Bearer token required by /metrics. Empty: /metrics answers this machine only."),
    shutdown_seconds: integer(
      10,
      0,
      600,
      "Seconds that a stopping server waits for requests and documents in progress. Work that is cut off is resumed at the next start.",
    ),
  },
  storage: {
    database: pathInDataDir(
      "fiscal.db",
      "SQLite file. Must be on a local disk, because file locks on network drives are unreliable. Empty: fiscal.db in data_dir.",
    ),
    url: secret(
      "Stores everything in PostgreSQL 15 or later instead of a file: postgres://user:password@host/database. data_dir then holds the master key only (docs/postgres.md). Empty: the SQLite file.",
    ),
    url_file: optionalPath(
      "File whose first line is the address for storage.url, so that its password is in no configuration.",
    ),
    min_free_mb: integer(
      100,
      0,
      1_048_576,
      "Megabytes of free disk space that are reserved for documents already accepted. With less, new documents get 503; with less than a quarter of it, nothing new is sent either. 0 disables both (docs/storage.md).",
    ),
  },
  security: {
    master_key_file: pathInDataDir(
      "master.key",
      "File with the master key, readable by its owner only. Without the right key the program does not start, and stored credentials cannot be read: keep a copy apart from the database backups. Empty: master.key in data_dir.",
    ),
  },
  rate_limit: {
    requests: integer(
      1000,
      0,
      1_000_000_000,
      "Largest number of requests per API key in one window; more get 429. 0 means no limit.",
    ),
    window_seconds: integer(10, 1, HOUR_SECONDS, "Length of the window in seconds."),
    lookups: integer(
      60,
      0,
      1_000_000_000,
      "Largest number of tax number lookups that query the EU registry in 60 seconds, for each mode; more get 429. 0 means no limit.",
    ),
    failed_auth: integer(
      600,
      0,
      1_000_000_000,
      "Largest number of requests with a wrong key from one address in 60 seconds; more get 429. A valid key is never refused because of it, and a request without a key always gets 401. 0 means no limit.",
    ),
    pages: integer(
      600,
      0,
      1_000_000_000,
      "Largest number of requests to the console without a session, and to connect pages, from one address in 60 seconds; more get 429. 0 means no limit.",
    ),
  },
  issuing: {
    concurrency: integer(
      8,
      1,
      256,
      "Number of provider calls at the same time. A quarter, at least one, is reserved for sends.",
    ),
    delays_seconds: seconds(
      [0, 10, 60, 300],
      "Seconds before each attempt to send, one entry per attempt. After the last one the document is `failed` until it is retried.",
    ),
    lease_seconds: integer(
      60,
      1,
      HOUR_SECONDS,
      "Seconds after which another process takes over a document whose process died. Must exceed the longest provider timeout; otherwise two processes may work on one document, which then has to be reconciled.",
    ),
  },
  webhooks: {
    concurrency: integer(16, 1, 1024, "Number of simultaneous deliveries."),
    timeout_seconds: integer(15, 1, 300, "Seconds that an endpoint has to respond."),
    delays_seconds: seconds(
      [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
      "Seconds before each attempt, one entry per attempt. After the last one the delivery has failed.",
    ),
    allow_networks: networks(
      'Private addresses or networks that endpoints may have: ["10.1.0.0/16"]. Endpoints at other private addresses are refused.',
    ),
    disable_after_days: integer(
      5,
      1,
      DAYS_MAX,
      "Days after which an endpoint is disabled if every delivery has failed.",
    ),
  },
  retention: {
    request_bodies_days: integer(30, 1, DAYS_MAX, "Days that bodies of API requests are kept."),
    provider_bodies_days: integer(
      90,
      1,
      DAYS_MAX,
      "Days that bodies of provider calls are kept: the evidence of what was sent and received.",
    ),
    rows_days: integer(
      400,
      1,
      DAYS_MAX,
      "Days that the log entries of requests and provider calls are kept, without their bodies.",
    ),
    events_days: integer(
      400,
      1,
      DAYS_MAX,
      "Days that events are kept. A consumer that was away for longer misses events.",
    ),
    deliveries_days: integer(90, 1, DAYS_MAX, "Days that webhook deliveries are kept."),
  },
  backup: {
    directory: optionalPath(
      "Folder for the server's backups, and for backups by hand without a file. It should be on another disk.",
    ),
    schedule: schedule(
      'When a running server makes a backup: minute, hour, day, month and weekday in Athens time. "30 3 * * *" is every night at 3:30. Requires directory. Empty: never.',
    ),
    keep: integer(14, 0, 10_000, "Number of backups to keep; the oldest are deleted. 0 keeps all."),
    passphrase_file: optionalPath(
      "File whose first line is the passphrase that encrypts backups. Empty: backups are not encrypted, and amounts, references and merchants can be read in them. Without the passphrase an encrypted backup is lost.",
    ),
  },
  mail: {
    host: text("", "Mail server (SMTP) that sends documents (docs/mail.md). Empty: no mail is sent."),
    port: integer(587, 1, 65_535, "Port of the mail server: 587 with STARTTLS, 465 with TLS from the start."),
    user: text("", "User name at the mail server. Empty: no login."),
    password_file: optionalPath(
      "File whose first line is the password of the user. It is read for every mail, so a new password needs no restart.",
    ),
    from: text("", "Address that mails come from. Required with host."),
    secure: flag(
      false,
      "Whether the connection is encrypted from the start. Otherwise it is encrypted with STARTTLS, which a server on another machine must offer.",
    ),
    test_to: emails(
      'Addresses to which mails with test documents are sent: ["me@example.com"]. A test document is mailed to no other address.',
    ),
    per_hour: integer(
      200,
      1,
      1_000_000,
      "Largest number of attempts to send a mail in an hour. Further mails wait, so that a mistake in a script does not exceed what the mail server allows.",
    ),
  },
  alerts: {
    mail_to: text(
      "",
      "Address to which a running server mails the problems that the checks of the installation find, when they begin and when they end (docs/mail.md). Requires mail.host. Empty: no alerts.",
    ),
  },
  console: {
    manage_keys: flag(
      false,
      "Whether the console creates and revokes API keys of its session's mode. A session that is taken over could then make itself a key that outlives it.",
    ),
  },
  tax_ids: {
    registry_url: url("https://ec.europa.eu/taxation_customs/vies/rest-api", "EU registry of VAT numbers."),
    timeout_seconds: integer(15, 1, 300, "Seconds to wait for the registry."),
    cache_hours: integer(24, 0, 24, "Hours that a result is reused. 0 asks the registry every time."),
  },
  sandbox: {
    strict: flag(
      false,
      "Whether the sandbox rejects what the tax authority would reject, with the authority's code (docs/contract.md#strict-sandbox). By default it issues every valid document and only warns.",
    ),
  },
  log: {
    level: word("info", ["debug", "info", "warn", "error"], "Lowest level that is logged."),
    format: word(
      "auto",
      ["auto", "json", "pretty"],
      "One JSON object per line, or text for people. auto: text on a terminal, otherwise JSON.",
    ),
  },
} as const;

/** By provider, in camel case: `registryDirect.liveUrl`, `providerB.module`. */
export type ProviderSettings = BuiltInSettings & {
  readonly [Id in (typeof EXTERNAL_PROVIDERS)[number] as CamelCase<Id>]: { readonly module: string };
};

const EXTERNAL: SettingsTable = {
  module: text(
    "",
    "Module of an external adapter (docs/adapters.md): its path, relative to the folder of the configuration file. Empty: the provider is not available.",
  ),
};

/** By provider: `registry_direct`. */
const PROVIDER_TABLES: Readonly<Record<string, SettingsTable>> = Object.fromEntries([
  ...BUILT_IN_PROVIDERS.map(({ description: { provider, settings } }) => [provider, settings]),
  ...EXTERNAL_PROVIDERS.map((provider) => [provider, EXTERNAL]),
]);

/** The settings as in the file: tables by section. */
export const SETTINGS_TREE = { ...CORE_SETTINGS, providers: PROVIDER_TABLES };

/** Explains a section in config.example.toml and docs/configuration.md. */
export const SECTION_DOCS: Readonly<Record<string, string>> = {
  retention: "Documents, their numbers and their contents are kept forever.",
  backup:
    "Copies of the database (docs/backup.md). They never contain the master key: keep it elsewhere too.",
};

/** Secrets that only the environment may contain, so that no file does. */
export const ENVIRONMENT_SECRETS = {
  master_key: {
    variable: "FISCAL_MASTER_KEY",
    doc: "The master key itself (256 bits, as in the key file), instead of security.master_key_file.",
  },
  master_key_previous: {
    variable: "FISCAL_MASTER_KEY_PREVIOUS",
    doc: "The master key that FISCAL_MASTER_KEY replaces, until the rotation has ended.",
  },
} as const;

export interface SettingTree {
  readonly [name: string]: Setting | SettingTree;
}

export function isSetting(node: Setting | SettingTree): node is Setting {
  return typeof node["doc"] === "string";
}

function* flatten(tree: SettingTree, prefix: string): Generator<[path: string, setting: Setting]> {
  for (const [name, node] of Object.entries(tree)) {
    if (isSetting(node)) yield [`${prefix}${name}`, node];
    else yield* flatten(node, `${prefix}${name}.`);
  }
}

/** By path: `server.port`. */
export const SETTINGS: Readonly<Record<string, Setting>> = Object.fromEntries(flatten(SETTINGS_TREE, ""));

/** `FISCAL_SERVER__PORT` for `server.port`. */
export function environmentName(path: string): string {
  return `FISCAL_${path.replaceAll(".", "__").toUpperCase()}`;
}
