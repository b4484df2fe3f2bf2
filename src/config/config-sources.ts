/** Where settings come from: file, environment and flags, each checked against the table of settings. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "smol-toml";
import { type Environment, userDirectory, variable } from "./directories.ts";
import { ConfigurationError } from "../foundation/errors.ts";
import { describeKind, fits, readEnvironmentText } from "./setting-values.ts";
import type { Setting, SettingValue } from "../foundation/setting.ts";
import { SETTINGS } from "./settings.ts";
import { reasonOfToml } from "../foundation/toml.ts";

/** What a command itself chooses, nested and in the configuration's own names. Beats everything else. */
export interface Overrides {
  readonly dataDir?: string | undefined;
  readonly server?:
    | {
        readonly host?: string | undefined;
        readonly port?: number | undefined;
        readonly socket?: string | undefined;
        readonly tlsCert?: string | undefined;
        readonly tlsKey?: string | undefined;
      }
    | undefined;
  readonly storage?: { readonly database?: string | undefined } | undefined;
  readonly security?: { readonly masterKeyFile?: string | undefined } | undefined;
}

export interface ConfigSources {
  env: Environment;
  /** Absolute: what relative paths start from, wherever they are written. */
  cwd: string;
  flags: { config?: string; dataDir?: string; overrides?: Overrides };
}

/** By the path in the file: every setting, checked. */
export type Values = Map<string, SettingValue>;

/** `file` is the one that was read; null when there was none. Throws ConfigurationError. */
export function gatherValues(sources: ConfigSources): { values: Values; file: string | null } {
  const { env, cwd, flags } = sources;
  const values: Values = new Map(Object.entries(SETTINGS).map(([path, setting]) => [path, setting.default]));
  const file = findFile(sources);
  if (file !== null) readFile(file, values);
  readEnvironment(env, values);
  if (flags.dataDir !== undefined) values.set("data_dir", resolve(cwd, flags.dataDir));
  readOverrides(flags.overrides ?? {}, values);
  return { values, file };
}

/** A file that was named must be there; the others are read where they are. */
function findFile({ env, cwd, flags }: ConfigSources): string | null {
  const named = flags.config ?? variable(env, "FISCAL_CONFIG");
  if (named !== undefined) {
    const path = resolve(cwd, named);
    if (!existsSync(path)) throw new ConfigurationError(`The configuration file ${path} is not there`);
    return path;
  }
  const places = [join(cwd, "config.toml"), join(userDirectory(env, "config"), "config.toml")];
  return places.find((path) => existsSync(path)) ?? null;
}

function readFile(file: string, values: Values): void {
  for (const [path, value] of flatten(parseFile(file), "", file)) assign(values, path, value, `in ${file}`);
}

function parseFile(file: string): Record<string, unknown> {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ConfigurationError(`The configuration file ${file} cannot be read: ${reasonOfToml(error).en}`, {
      cause: error,
    });
  }
}

function* flatten(
  table: Record<string, unknown>,
  prefix: string,
  file: string,
): Generator<[path: string, value: unknown]> {
  for (const [key, value] of Object.entries(table)) {
    const path = `${prefix}${key}`;
    if (!isTable(value) || settingAt(path) !== undefined) yield [path, value];
    else if (SECTIONS.has(path)) yield* flatten(value, `${path}.`, file);
    else throw unknownSetting(path, `in ${file}`);
  }
}

/** Every beginning of a path: `providers`, `providers.provider_a`. */
const SECTIONS: ReadonlySet<string> = new Set(
  Object.keys(SETTINGS).flatMap((path) => {
    const parts = path.split(".").slice(0, -1);
    return parts.map((_part, index) => parts.slice(0, index + 1).join("."));
  }),
);

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function settingAt(path: string): Setting | undefined {
  return Object.hasOwn(SETTINGS, path) ? SETTINGS[path] : undefined;
}

function unknownSetting(path: string, where: string): ConfigurationError {
  return new ConfigurationError(`${path} ${where} is not a setting; config.example.toml lists them`);
}

function assign(values: Values, path: string, value: unknown, where: string): void {
  const setting = settingAt(path);
  if (setting === undefined) throw unknownSetting(path, where);
  const { kind } = setting;
  if (!fits(value, kind)) throw new ConfigurationError(`${path} ${where} must be ${describeKind(kind)}`);
  values.set(path, value);
}

const PREFIX = "FISCAL_";
/** FISCAL_ variables that are no settings. */
const NO_SETTINGS: ReadonlySet<string> = new Set([
  "FISCAL_CONFIG",
  "FISCAL_MASTER_KEY",
  "FISCAL_MASTER_KEY_PREVIOUS",
]);

function readEnvironment(env: Environment, values: Values): void {
  for (const [name, given] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || NO_SETTINGS.has(name) || given === undefined) continue;
    const path = name.slice(PREFIX.length).toLowerCase().replaceAll("__", ".");
    const setting = settingAt(path);
    // One without a path may be somebody else's: Kubernetes sets FISCAL_PORT where a service is called fiscal.
    if (setting === undefined && !name.includes("__")) continue;
    const value = setting === undefined ? given : readEnvironmentText(given, setting.kind);
    assign(values, path, value, `(environment variable ${name})`);
  }
}

function readOverrides(overrides: Overrides, values: Values): void {
  const given: [path: string, value: SettingValue | undefined, source: string][] = [
    ["data_dir", overrides.dataDir, "(from --data-dir)"],
    ["server.host", overrides.server?.host, "(from --host)"],
    ["server.port", overrides.server?.port, "(from --port)"],
    ["server.socket", socketOverride(overrides.server), "(from --socket)"],
    ["server.tls_cert_file", overrides.server?.tlsCert, "(from --tls-cert)"],
    ["server.tls_key_file", overrides.server?.tlsKey, "(from --tls-key)"],
    ["storage.database", overrides.storage?.database, "(from the command)"],
    ["security.master_key_file", overrides.security?.masterKeyFile, "(from the command)"],
  ];
  for (const [path, value, source] of given) {
    if (value !== undefined) assign(values, path, value, source);
  }
}

/** Whoever names a host or a port means no socket file, whatever the file of settings says. */
function socketOverride(server: Overrides["server"]): string | undefined {
  const namesAddress = server?.host !== undefined || server?.port !== undefined;
  return server?.socket ?? (namesAddress ? "" : undefined);
}
