/** The configuration: flag beats environment beats file beats default (decisions 14). No file is needed. */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { parse } from "smol-toml";
import type { Mode } from "../storage/schema.ts";
import { ConfigurationError } from "./errors.ts";
import { problemWith, readEnvironmentText, SETTINGS, type Value } from "./settings.ts";

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
    /** Without a slash at its end; empty where the address it listens on is the public one. */
    readonly publicUrl: string;
    readonly maxBodyBytes: number;
    readonly trustedProxies: readonly string[];
    readonly platformRequestIdHeader: string;
    readonly metricsToken: string;
    readonly shutdownSeconds: number;
  };
  /** Absolute path of the database. */
  readonly storage: { readonly database: string };
  readonly security: {
    /** Absolute. */
    readonly masterKeyFile: string;
    /** FISCAL_MASTER_KEY; null when it is not set. */
    readonly masterKey: string | null;
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
  readonly providers: {
    readonly registryDirect: {
      readonly testUrl: string;
      readonly liveUrl: string;
      readonly timeoutSeconds: number;
      readonly settleSeconds: number;
      readonly regime: "warn" | "refuse" | "off";
    };
    readonly providerA: { readonly testUrl: string; readonly liveUrl: string; readonly timeoutSeconds: number };
    readonly providerB: { readonly module: string };
    readonly providerC: { readonly module: string };
    readonly providerD: { readonly module: string };
    readonly providerE: { readonly module: string };
  };
  readonly taxIds: { readonly registryUrl: string; readonly timeoutSeconds: number; readonly cacheHours: number };
  readonly log: { readonly level: "debug" | "info" | "warn" | "error"; readonly format: "json" | "pretty" };
}

/** Nested, in the configuration's own names. */
export interface Overrides {
  readonly dataDir?: string | undefined;
  readonly server?: { readonly host?: string | undefined; readonly port?: number | undefined } | undefined;
  readonly storage?: { readonly database?: string | undefined } | undefined;
  readonly security?: { readonly masterKeyFile?: string | undefined } | undefined;
}

export interface ConfigSources {
  env: Readonly<Record<string, string | undefined>>;
  /** Absolute: what relative paths in flags and the environment start from. */
  cwd: string;
  flags: { config?: string; dataDir?: string; overrides?: Overrides };
}

type Values = Map<string, Value>;

/** Throws ConfigurationError that names the key and where it stands. */
export function loadConfig(sources: ConfigSources): Config {
  const { env, cwd, flags } = sources;
  const values: Values = new Map(Object.entries(SETTINGS).map(([path, setting]) => [path, setting.default]));
  const file = findFile(sources);
  if (file !== null) readFile(file, values);
  readEnvironment(env, values);
  if (flags.dataDir !== undefined) values.set("data_dir", resolve(cwd, flags.dataDir));
  readOverrides(flags.overrides ?? {}, values);
  return build(values, file, sources);
}

function findFile({ env, cwd, flags }: ConfigSources): string | null {
  const named = flags.config ?? nonEmpty(env["FISCAL_CONFIG"]);
  if (named !== undefined) {
    const path = resolve(cwd, named);
    if (!existsSync(path)) throw new ConfigurationError(`The configuration file ${path} is not there`);
    return path;
  }
  const found = [join(cwd, "config.toml"), join(userDirectory(env, "config"), "config.toml")].find((path) => existsSync(path));
  return found ?? null;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}

/**
 * The user's directory for configuration or data: the XDG ones, and what macOS and Windows have in their place. As
 * env-paths names them, from the environment that the program was given rather than the process's own.
 */
function userDirectory(env: ConfigSources["env"], kind: "config" | "data"): string {
  const home = nonEmpty(env["HOME"]) ?? homedir();
  if (process.platform === "darwin") {
    return join(home, "Library", kind === "config" ? "Preferences" : "Application Support", "fiscal");
  }
  if (process.platform === "win32") {
    const roaming = nonEmpty(env["APPDATA"]) ?? join(home, "AppData", "Roaming");
    const local = nonEmpty(env["LOCALAPPDATA"]) ?? join(home, "AppData", "Local");
    return kind === "config" ? join(roaming, "fiscal", "Config") : join(local, "fiscal", "Data");
  }
  if (kind === "config") return join(nonEmpty(env["XDG_CONFIG_HOME"]) ?? join(home, ".config"), "fiscal");
  return join(nonEmpty(env["XDG_DATA_HOME"]) ?? join(home, ".local", "share"), "fiscal");
}

function readFile(file: string, values: Values): void {
  let table: Record<string, unknown>;
  try {
    table = parse(readFileSync(file, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    throw new ConfigurationError(`The configuration file ${file} cannot be read: ${reason}`, { cause: error });
  }
  for (const [path, value] of flatten(table, "")) assign(values, path, value, `in ${file}`);
}

function* flatten(table: Record<string, unknown>, prefix: string): Generator<[string, unknown]> {
  for (const [key, value] of Object.entries(table)) {
    const path = prefix === "" ? key : `${prefix}.${key}`;
    const isTable = typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
    if (isTable && !(path in SETTINGS)) yield* flatten(value as Record<string, unknown>, path);
    else yield [path, value];
  }
}

function assign(values: Values, path: string, value: unknown, where: string): void {
  const setting = SETTINGS[path];
  if (setting === undefined) throw new ConfigurationError(`${path} ${where} is not a setting; config.example.toml lists them`);
  const problem = problemWith(value, setting);
  if (problem !== undefined) throw new ConfigurationError(`${path} ${where} ${problem}`);
  values.set(path, value as Value);
}

const PREFIX = "FISCAL_";
/** What FISCAL_ variables there are beside the settings. */
const NO_SETTINGS: ReadonlySet<string> = new Set(["FISCAL_CONFIG", "FISCAL_MASTER_KEY"]);

function readEnvironment(env: ConfigSources["env"], values: Values): void {
  for (const [name, given] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || NO_SETTINGS.has(name) || given === undefined) continue;
    const path = name.slice(PREFIX.length).toLowerCase().replaceAll("__", ".");
    const setting = SETTINGS[path];
    if (setting === undefined) {
      // A variable of one word may belong to somebody else; one with a path was meant for us.
      if (name.includes("__")) throw new ConfigurationError(`The environment variable ${name} is not a setting`);
      continue;
    }
    assign(values, path, readEnvironmentText(given, setting), `(environment variable ${name})`);
  }
}

function readOverrides(overrides: Overrides, values: Values): void {
  const given: [string, Value | undefined, string][] = [
    ["data_dir", overrides.dataDir, "--data-dir"],
    ["server.host", overrides.server?.host, "--host"],
    ["server.port", overrides.server?.port, "--port"],
    ["storage.database", overrides.storage?.database, "the command"],
    ["security.master_key_file", overrides.security?.masterKeyFile, "the command"],
  ];
  for (const [path, value, flag] of given) if (value !== undefined) assign(values, path, value, `(from ${flag})`);
}

function build(values: Values, file: string | null, { env, cwd }: ConfigSources): Config {
  const text = (path: string) => values.get(path) as string;
  const number = (path: string) => values.get(path) as number;
  const numbers = (path: string) => values.get(path) as readonly number[];
  const texts = (path: string) => values.get(path) as readonly string[];
  const dataDir = text("data_dir") === "" ? userDirectory(env, "data") : resolve(cwd, expandHome(text("data_dir"), env));
  const within = (path: string, name: string) => {
    const given = expandHome(text(path), env);
    return given === "" ? join(dataDir, name) : isAbsolute(given) ? given : resolve(cwd, given);
  };
  return {
    file,
    dataDir,
    defaultMode: text("default_mode") as Mode,
    server: {
      host: text("server.host"),
      port: number("server.port"),
      publicUrl: text("server.public_url").replace(/\/+$/, ""),
      maxBodyBytes: number("server.max_body_bytes"),
      trustedProxies: texts("server.trusted_proxies"),
      platformRequestIdHeader: text("server.platform_request_id_header").toLowerCase(),
      metricsToken: text("server.metrics_token"),
      shutdownSeconds: number("server.shutdown_seconds"),
    },
    storage: { database: within("storage.database", "fiscal.db") },
    security: {
      masterKeyFile: within("security.master_key_file", "master.key"),
      masterKey: nonEmpty(env["FISCAL_MASTER_KEY"]) ?? null,
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
    providers: {
      registryDirect: {
        testUrl: text("providers.registry_direct.test_url"),
        liveUrl: text("providers.registry_direct.live_url"),
        timeoutSeconds: number("providers.registry_direct.timeout_seconds"),
        settleSeconds: number("providers.registry_direct.settle_seconds"),
        regime: text("providers.registry_direct.regime") as Config["providers"]["registryDirect"]["regime"],
      },
      providerA: {
        testUrl: text("providers.provider_a.test_url"),
        liveUrl: text("providers.provider_a.live_url"),
        timeoutSeconds: number("providers.provider_a.timeout_seconds"),
      },
      providerB: { module: text("providers.provider_b.module") },
      providerC: { module: text("providers.provider_c.module") },
      providerD: { module: text("providers.provider_d.module") },
      providerE: { module: text("providers.provider_e.module") },
    },
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

function expandHome(path: string, env: ConfigSources["env"]): string {
  return path === "~" || path.startsWith("~/") ? join(nonEmpty(env["HOME"]) ?? homedir(), path.slice(1)) : path;
}

/** What is in force, for the log at start: secrets only as `set` or `not set`. */
export function describeConfig(config: Config): Record<string, unknown> {
  return {
    ...config,
    server: { ...config.server, metricsToken: isSet(config.server.metricsToken) },
    security: { masterKeyFile: config.security.masterKeyFile, masterKey: isSet(config.security.masterKey ?? "") },
  };
}

function isSet(secret: string): "set" | "not set" {
  return secret === "" ? "not set" : "set";
}
