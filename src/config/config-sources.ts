/** Collects the values of settings from file, environment and flags, and checks each against the table. */
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "smol-toml";
import { ConfigurationError, orUnusable } from "../foundation/errors.ts";
import type { Setting, SettingValue } from "../foundation/setting.ts";
import type { Text } from "../foundation/text.ts";
import { ENVIRONMENT_SECRETS, isSetting, SETTINGS, SETTINGS_TREE, type SettingTree } from "./settings.ts";
import { reasonOfToml } from "../foundation/toml.ts";
import { requireTrustedFile } from "../foundation/trusted-file.ts";
import { homedir } from "node:os";

/** What a command or its flags set. It overrides everything else. */
export interface Overrides {
  /** By the setting's path. */
  readonly values: Readonly<Record<string, SettingValue | undefined>>;
  /** The flag that gave a setting, by the setting's path: messages name it. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Has no setting: a certificate is made for the run. */
  readonly https?: true | undefined;
}

export interface ConfigSources {
  env: Environment;
  /** Absolute. All relative paths start here, wherever they are written. */
  cwd: string;
  flags: { config?: string; dataDir?: string; overrides?: Overrides };
}

/** A checked value for every setting, by path. */
export type Values = Map<string, SettingValue>;

/**
 * The values, and where those that are not the default come from, as a message says it: `in /etc/fiscal/config.toml`. `file` is null when
 * no file was read. Throws ConfigurationError.
 */
export function gatherValues(given: ConfigSources) {
  const { env, cwd, flags } = given;
  const values: Values = new Map(Object.entries(SETTINGS).map(([path, setting]) => [path, setting.default]));
  const sources = new Map<string, Text>();

  function assign(path: string, value: unknown, where: Text): void {
    const setting = settingAt(path);
    if (setting === undefined)
      throw new ConfigurationError({
        en: `${path} ${where.en} is not a setting; config.example.toml lists them`,
        el: `το ${path} ${where.el} δεν είναι ρύθμιση· δείτε το config.example.toml`,
      });
    const { valid } = setting;
    if (!setting.fits(value))
      throw new ConfigurationError({
        en: `${path} ${where.en} must be ${valid.en}`,
        el: `το ${path} ${where.el} πρέπει να είναι ${valid.el}`,
      });
    values.set(path, value as SettingValue);
    sources.set(path, where);
  }

  /** `prefix` is that of the settings in the table: `server.`. */
  function assignTable(table: object, tree: SettingTree, prefix: string, where: Text): void {
    for (const [name, value] of Object.entries(table)) {
      const node = Object.hasOwn(tree, name) ? tree[name] : undefined;
      const path = `${prefix}${name}`;
      if (node !== undefined && !isSetting(node) && isTable(value))
        assignTable(value, node, `${path}.`, where);
      else assign(path, value, where);
    }
  }

  const file = findFile(given);
  if (file !== null) assignTable(readFile(file), SETTINGS_TREE, "", { en: `in ${file}`, el: `στο ${file}` });
  for (const [name, path, value] of settingsOfEnvironment(env))
    assign(path, value, {
      en: `(environment variable ${name})`,
      el: `(μεταβλητή περιβάλλοντος ${name})`,
    });
  if (flags.dataDir !== undefined) values.set("data_dir", resolve(cwd, flags.dataDir));
  for (const [path, value] of Object.entries(flags.overrides?.values ?? {})) {
    if (value === undefined) continue;
    const { [path]: flag } = flags.overrides?.flags ?? {};
    const [en, el] = flag === undefined ? ["the command", "την εντολή"] : [flag, `το ${flag}`];
    assign(path, value, { en: `(from ${en})`, el: `(από ${el})` });
  }
  return { values, sources, file };
}

function settingAt(path: string): Setting | undefined {
  return Object.hasOwn(SETTINGS, path) ? SETTINGS[path] : undefined;
}

function isTable(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/**
 * A file that was named must exist; the default places may be empty. The working directory is not one of them, because a
 * configuration can run code (docs/contract.md#configuration-places).
 */
function findFile({ env, cwd, flags }: ConfigSources): string | null {
  const named = flags.config ?? variable(env, "FISCAL_CONFIG");
  if (named !== undefined) {
    const path = resolve(cwd, named);
    if (!existsSync(path)) {
      throw new ConfigurationError({
        en: `The configuration file ${path} does not exist`,
        el: `Το αρχείο ρυθμίσεων ${path} δεν υπάρχει`,
      });
    }
    return path;
  }
  // A command's own data directory (`quickstart`) may be in the working directory, so overrides do not count here.
  const dataDir = flags.dataDir ?? variable(env, "FISCAL_DATA_DIR");
  const folder = dataDir === undefined ? userDirectory(env, "data") : resolve(cwd, expandHome(dataDir, env));
  const places = [join(folder, "config.toml"), join(userDirectory(env, "config"), "config.toml")];
  return places.find((path) => existsSync(path)) ?? null;
}

function readFile(file: string): Record<string, unknown> {
  return orUnusable(
    () => parse(readTrustedFile(file)),
    (error) => {
      const reason = reasonOfToml(error);
      return {
        en: `The configuration file ${file} cannot be read: ${reason.en}`,
        el: `Το αρχείο ρυθμίσεων ${file} δεν διαβάζεται: ${reason.el}`,
      };
    },
  );
}

function readTrustedFile(file: string): string {
  const descriptor = openSync(file, "r");
  try {
    const name = { en: `The configuration file ${file}`, el: `Το αρχείο ρυθμίσεων ${file}` };
    requireTrustedFile(file, name, descriptor);
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

const PREFIX = "FISCAL_";
/** FISCAL_ variables that are not settings. */
const NO_SETTINGS: ReadonlySet<string> = new Set([
  "FISCAL_CONFIG",
  ...Object.values(ENVIRONMENT_SECRETS).map(({ variable: name }) => name),
]);

function* settingsOfEnvironment(env: Environment): Generator<[name: string, path: string, value: unknown]> {
  for (const [name, given] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || NO_SETTINGS.has(name) || given === undefined) continue;
    const path = name.slice(PREFIX.length).toLowerCase().replaceAll("__", ".");
    const setting = settingAt(path);
    // May belong to another program: Kubernetes sets FISCAL_PORT for a service named fiscal.
    if (setting !== undefined || name.includes("__")) yield [name, path, setting?.read?.(given) ?? given];
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined when the variable is not set or empty. */
export function variable(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === "" ? undefined : value;
}

/**
 * The user's directory for configuration or data: the XDG directories, or their counterparts on macOS and Windows. Unlike the
 * env-paths package, it reads the given environment, not the process's.
 */
export function userDirectory(env: Environment, kind: "config" | "data"): string {
  const home = homeDirectory(env);
  const isConfig = kind === "config";
  if (process.platform === "darwin") {
    return join(home, "Library", isConfig ? "Preferences" : "Application Support", "fiscal");
  }
  if (process.platform === "win32") {
    const roaming = variable(env, "APPDATA") ?? join(home, "AppData", "Roaming");
    const local = variable(env, "LOCALAPPDATA") ?? join(home, "AppData", "Local");
    return isConfig ? join(roaming, "fiscal", "Config") : join(local, "fiscal", "Data");
  }
  if (isConfig) return join(variable(env, "XDG_CONFIG_HOME") ?? join(home, ".config"), "fiscal");
  return join(variable(env, "XDG_DATA_HOME") ?? join(home, ".local", "share"), "fiscal");
}

/** Expands `~` and `~/…`, which no shell has expanded in a configuration file or a systemd unit. */
export function expandHome(path: string, env: Environment): string {
  return path === "~" || path.startsWith("~/") ? join(homeDirectory(env), path.slice(1)) : path;
}

/** Throws ConfigurationError for a user without one, such as a numeric user id in a container. */
function homeDirectory(env: Environment): string {
  const named = variable(env, "HOME");
  if (named !== undefined) return named;
  return orUnusable(homedir, () => ({
    en: "This user has no home directory; HOME names the folder to use as one",
    el: "Αυτός ο χρήστης δεν έχει προσωπικό φάκελο· ορίστε έναν στη μεταβλητή HOME",
  }));
}
