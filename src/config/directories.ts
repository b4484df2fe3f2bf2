/** Where the user's own files lie, and paths as people write them. */
import { homedir } from "node:os";
import { join } from "node:path";
import { ConfigurationError } from "../foundation/errors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable's value; undefined where it is not set or empty. */
export function variable(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === "" ? undefined : value;
}

/**
 * The user's directory for configuration or data: the XDG ones, and what macOS and Windows have in their place. Read
 * from the environment that the program was given rather than from the process's own, as the env-paths package would.
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

/** `~` and `~/…` start from the home directory, also where no shell has replaced them: in a file, in a unit of systemd. */
export function expandHome(path: string, env: Environment): string {
  return path === "~" || path.startsWith("~/") ? join(homeDirectory(env), path.slice(1)) : path;
}

/** Throws ConfigurationError for a user that has none: one that is a number alone, as in containers. */
function homeDirectory(env: Environment): string {
  const named = variable(env, "HOME");
  if (named !== undefined) return named;
  try {
    return homedir();
  } catch (cause) {
    throw new ConfigurationError("This user has no home directory; HOME names the folder to use as one", {
      cause,
    });
  }
}
