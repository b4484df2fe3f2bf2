/** The configuration: flag beats environment beats file beats default (decisions 14). No file is needed. */
import { join, resolve } from "node:path";
import type { Mode } from "../../storage/stored-values.ts";
import { type ConfigSources, gatherValues, type Values } from "./config-sources.ts";
import { type ProviderSettings, readProviderSettings } from "./provider-settings.ts";
import { ConfigurationError } from "../foundation/errors.ts";
import { expandHome, userDirectory, variable } from "./directories.ts";
import { type TlsFiles, tlsFilesOf } from "./tls-files.ts";

export interface Config {
  /** The file that was read; null when there was none. */
  readonly file: string | null;
  /** Absolute. */
  readonly dataDir: string;
  readonly defaultMode: Mode;
  readonly server: {
    readonly host: string;
    /** 0 for any free port. */
    readonly port: number;
    /** Absolute path of the socket file that it listens on in place of host and port; null for none. */
    readonly socket: string | null;
    /** Permissions of that file, in octal: `0660`. */
    readonly socketMode: string;
    /** Null where it speaks plain HTTP. */
    readonly tls: TlsFiles | null;
    /** How often the files of the certificate are looked at. */
    readonly tlsCheckSeconds: number;
    /** Without a slash at its end; empty where the address it listens on is the public one. */
    readonly publicUrl: string;
    readonly maxBodyBytes: number;
    /** Of the request line and all headers together. */
    readonly maxHeaderBytes: number;
    readonly maxHeaders: number;
    readonly maxConnections: number;
    /** 0 for no limit of its own. */
    readonly maxConnectionsPerAddress: number;
    readonly headersTimeoutSeconds: number;
    readonly requestTimeoutSeconds: number;
    readonly writeTimeoutSeconds: number;
    readonly keepAliveSeconds: number;
    readonly trustedProxies: readonly string[];
    readonly platformRequestIdHeader: string;
    readonly metricsToken: string;
    readonly shutdownSeconds: number;
  };
  readonly storage: {
    /** Absolute path of the database. */
    readonly database: string;
    /** Megabytes (of 1,048,576 bytes) that are kept free for what was accepted; 0 for none. */
    readonly minFreeMb: number;
  };
  readonly security: {
    /** Absolute. */
    readonly masterKeyFile: string;
    /** FISCAL_MASTER_KEY; null when it is not set. */
    readonly masterKey: string | null;
    /** FISCAL_MASTER_KEY_PREVIOUS: the one that FISCAL_MASTER_KEY replaces, or is about to; null when it is not set. */
    readonly masterKeyPrevious: string | null;
  };
  /** 0 switches a limit off. */
  readonly rateLimit: {
    readonly requests: number;
    readonly windowSeconds: number;
    readonly lookups: number;
    readonly failedAuth: number;
  };
  readonly issuing: {
    readonly concurrency: number;
    readonly delaysSeconds: readonly number[];
    readonly leaseSeconds: number;
  };
  readonly webhooks: {
    readonly concurrency: number;
    readonly timeoutSeconds: number;
    readonly delaysSeconds: readonly number[];
    readonly allowNetworks: readonly string[];
    readonly disableAfterDays: number;
  };
  readonly retention: {
    readonly requestBodiesDays: number;
    readonly providerBodiesDays: number;
    readonly rowsDays: number;
    readonly eventsDays: number;
    readonly deliveriesDays: number;
  };
  readonly backup: {
    /** Absolute; empty where there is none. */
    readonly directory: string;
    /** Five fields of cron, in the time of Athens; empty for never. */
    readonly schedule: string;
    /** How many backups the directory keeps; 0 for all. */
    readonly keep: number;
    /** Absolute; empty where backups are not encrypted. */
    readonly passphraseFile: string;
  };
  readonly providers: ProviderSettings;
  readonly taxIds: {
    readonly registryUrl: string;
    readonly timeoutSeconds: number;
    readonly cacheHours: number;
  };
  readonly log: { readonly level: "debug" | "info" | "warn" | "error"; readonly format: "json" | "pretty" };
}

/** Throws ConfigurationError that names the key and where it stands, never its value. */
export function loadConfig(sources: ConfigSources): Config {
  const { values, file } = gatherValues(sources);
  const config = build(values, file, sources);
  if (config.backup.schedule !== "" && config.backup.directory === "")
    throw new ConfigurationError(
      "backup.schedule needs backup.directory: name the folder that backups go to",
    );
  return config;
}

function build(values: Values, file: string | null, { env, cwd }: ConfigSources): Config {
  const text = (path: string) => values.get(path) as string;
  const number = (path: string) => values.get(path) as number;
  const numbers = (path: string) => values.get(path) as readonly number[];
  const texts = (path: string) => values.get(path) as readonly string[];
  const dataDir =
    text("data_dir") === "" ? userDirectory(env, "data") : resolve(cwd, expandHome(text("data_dir"), env));
  const within = (path: string, name: string) => {
    const given = expandHome(text(path), env);
    return given === "" ? join(dataDir, name) : resolve(cwd, given);
  };
  const fileOrNull = (path: string) => {
    const given = expandHome(text(path), env);
    return given === "" ? null : resolve(cwd, given);
  };
  return {
    file,
    dataDir,
    defaultMode: text("default_mode") as Mode,
    server: {
      host: text("server.host"),
      port: number("server.port"),
      publicUrl: text("server.public_url").replace(/\/+$/, ""),
      socket: fileOrNull("server.socket"),
      socketMode: text("server.socket_mode"),
      tls: tlsFilesOf(fileOrNull),
      tlsCheckSeconds: number("server.tls_check_seconds"),
      maxBodyBytes: number("server.max_body_bytes"),
      maxHeaderBytes: number("server.max_header_bytes"),
      maxHeaders: number("server.max_headers"),
      maxConnections: number("server.max_connections"),
      maxConnectionsPerAddress: number("server.max_connections_per_address"),
      headersTimeoutSeconds: number("server.headers_timeout_seconds"),
      requestTimeoutSeconds: number("server.request_timeout_seconds"),
      writeTimeoutSeconds: number("server.write_timeout_seconds"),
      keepAliveSeconds: number("server.keep_alive_seconds"),
      trustedProxies: texts("server.trusted_proxies"),
      platformRequestIdHeader: text("server.platform_request_id_header").toLowerCase(),
      metricsToken: text("server.metrics_token"),
      shutdownSeconds: number("server.shutdown_seconds"),
    },
    storage: {
      database: within("storage.database", "fiscal.db"),
      minFreeMb: number("storage.min_free_mb"),
    },
    security: {
      masterKeyFile: within("security.master_key_file", "master.key"),
      masterKey: variable(env, "FISCAL_MASTER_KEY") ?? null,
      masterKeyPrevious: variable(env, "FISCAL_MASTER_KEY_PREVIOUS") ?? null,
    },
    rateLimit: {
      requests: number("rate_limit.requests"),
      windowSeconds: number("rate_limit.window_seconds"),
      lookups: number("rate_limit.lookups"),
      failedAuth: number("rate_limit.failed_auth"),
    },
    issuing: {
      concurrency: number("issuing.concurrency"),
      delaysSeconds: numbers("issuing.delays_seconds"),
      leaseSeconds: number("issuing.lease_seconds"),
    },
    webhooks: {
      concurrency: number("webhooks.concurrency"),
      timeoutSeconds: number("webhooks.timeout_seconds"),
      delaysSeconds: numbers("webhooks.delays_seconds"),
      allowNetworks: texts("webhooks.allow_networks"),
      disableAfterDays: number("webhooks.disable_after_days"),
    },
    retention: {
      requestBodiesDays: number("retention.request_bodies_days"),
      providerBodiesDays: number("retention.provider_bodies_days"),
      rowsDays: number("retention.rows_days"),
      eventsDays: number("retention.events_days"),
      deliveriesDays: number("retention.deliveries_days"),
    },
    backup: {
      directory: fileOrNull("backup.directory") ?? "",
      schedule: text("backup.schedule"),
      keep: number("backup.keep"),
      passphraseFile: fileOrNull("backup.passphrase_file") ?? "",
    },
    providers: readProviderSettings((path) => values.get(path)),
    taxIds: {
      registryUrl: text("tax_ids.registry_url"),
      timeoutSeconds: number("tax_ids.timeout_seconds"),
      cacheHours: number("tax_ids.cache_hours"),
    },
    log: {
      level: text("log.level") as Config["log"]["level"],
      format: text("log.format") as Config["log"]["format"],
    },
  };
}

/** What is in force, for the log at start: secrets only as `set` or `not set`. */
export function describeConfig(config: Config): Record<string, unknown> {
  return {
    ...config,
    server: { ...config.server, metricsToken: isSet(config.server.metricsToken) },
    security: {
      masterKeyFile: config.security.masterKeyFile,
      masterKey: isSet(config.security.masterKey ?? ""),
      masterKeyPrevious: isSet(config.security.masterKeyPrevious ?? ""),
    },
  };
}

function isSet(secret: string): "set" | "not set" {
  return secret === "" ? "not set" : "set";
}
