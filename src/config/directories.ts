/** The user's directories, and paths that start with `~`. */
import { homedir } from "node:os";
import { join } from "node:path";
import { ConfigurationError } from "../foundation/errors.ts";

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
  try {
    return homedir();
  } catch (cause) {
    throw new ConfigurationError(
      {
        en: "This user has no home directory; HOME names the folder to use as one",
        el: "Αυτός ο χρήστης δεν έχει προσωπικό φάκελο· ορίστε έναν στη μεταβλητή HOME",
      },
      { cause },
    );
  }
}
