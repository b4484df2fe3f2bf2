/** The context of every command: streams, global options, language, configuration and appliance. */
import { statSync } from "node:fs";
import type { Appliance, ApplianceOptions } from "../src/appliance.ts";
import type { Config } from "../src/config/config.ts";
import type { Cause, Log } from "../src/journal/context.ts";
import { ConfigurationError } from "../src/foundation/errors.ts";
import type { Mode } from "../src/domain/vocabulary.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { isSystemError } from "./file-errors.ts";
import type { Text } from "../src/foundation/text.ts";
import {
  inLanguage,
  interruptible,
  type OutputSettings,
  outputSettingsOf,
  printNote,
  type ProgramIo,
} from "./io.ts";
import { createTerminalLog } from "./ui/log.ts";

/** Options of every command. */
export interface GlobalOptions {
  config?: string;
  dataDir?: string;
  live?: boolean;
  json?: boolean;
  /** Of `--json FIELDS`. */
  jsonFields?: readonly string[];
  quiet?: boolean;
  /** False with `--no-color`. */
  color?: OutputSettings["colour"] | false;
}

/** The flags of `loadConfig`. A verb's own flags take precedence over the global options. */
type ConfigFlags = Parameters<typeof import("../src/config/config.ts").loadConfig>[0]["flags"];

export interface CommandContext {
  readonly io: ProgramIo;
  readonly options: GlobalOptions;
  /** The exit code of the program unless something is thrown: 0, or the result of `end`. */
  readonly exitCode: ExitCode;
  /** Waits for the verb's work and records its exit code; undefined means success. */
  end(work: Promise<ExitCode | void>): Promise<void>;
  /** Loaded once, with the flags of the first call. Throws ConfigurationError. */
  configuration(flags?: ConfigFlags): Promise<Config>;
  /** Test, unless `--live` or `default_mode` of the configuration selects live. */
  mode(): Promise<Mode>;
  /** Whether the verb that runs makes a missing database. */
  makesDatabase: boolean;
  /**
   * Opens the appliance for `use` and always closes it afterwards. Only a command that creates something creates a missing
   * database, and says so. Without a `log`, warnings and errors are printed to stderr.
   */
  withAppliance<T>(use: (appliance: Appliance, mode: Mode) => Promise<T>, log?: Log): Promise<T>;
  /** The same with a signal that the first SIGINT or SIGTERM aborts: see `interruptible`. */
  interruptible<T>(use: (appliance: Appliance, mode: Mode, signal: AbortSignal) => Promise<T>): Promise<T>;
  /** `text` in the language of the person at the terminal. */
  inLanguage(text: Text): string;
}

/** The cause of a command's changes, which have no API request; `idempotencyKey` is the one given for a creation. */
export function causeOf(mode: Mode, idempotencyKey: string | null = null): Cause {
  return { mode, requestId: null, idempotencyKey };
}

/** `options` is a function because commander fills the options while it parses. */
export function createContext(io: ProgramIo, options: () => GlobalOptions): CommandContext {
  let exitCode: ExitCode = EXIT.done;
  let config: Config | undefined;
  const context: CommandContext = {
    io,
    makesDatabase: false,
    get options() {
      return options();
    },
    get exitCode() {
      return exitCode;
    },
    async end(work) {
      exitCode = (await work) ?? EXIT.done;
    },
    async configuration(flags) {
      config ??= await readConfiguration(io, options(), flags);
      return config;
    },
    async mode() {
      return options().live === true ? "live" : (await context.configuration()).defaultMode;
    },
    withAppliance: (use, log) => withAppliance(context, use, log),
    interruptible: (use) =>
      interruptible(io, (signal) => context.withAppliance((appliance, mode) => use(appliance, mode, signal))),
    inLanguage: (text) => inLanguage(io, text),
  };
  return context;
}

async function readConfiguration(
  io: ProgramIo,
  options: GlobalOptions,
  flags: ConfigFlags = {},
): Promise<Config> {
  const { loadConfig } = await import("../src/config/config.ts");
  const { config, dataDir } = options;
  return loadConfig({
    env: io.env,
    cwd: io.cwd,
    flags: {
      ...(config === undefined ? {} : { config }),
      ...(dataDir === undefined ? {} : { dataDir }),
      ...flags,
    },
  });
}

async function withAppliance<T>(
  context: CommandContext,
  use: (appliance: Appliance, mode: Mode) => Promise<T>,
  log: Log | undefined,
): Promise<T> {
  const { io } = context;
  const config = await context.configuration();
  const mode = await context.mode();
  const isMissing = await isWithoutDatabase(config);
  if (isMissing && !context.makesDatabase) throw noDatabase(config);
  const appliance = await open({
    config,
    log: log ?? createTerminalLog(io.stderr, outputSettingsOf(io).quiet),
  });
  if (isMissing) {
    const folder = config.dataDir;
    if (log !== undefined) log.info({ folder }, "created the data directory");
    else
      await printNote(io, {
        en: `Created the data directory ${folder}.`,
        el: `Δημιουργήθηκε ο φάκελος δεδομένων ${folder}.`,
      });
  }
  try {
    return await use(appliance, mode);
  } finally {
    await appliance.stop(config.server.shutdownSeconds * 1000);
  }
}

/** Throws ConfigurationError where the database file is missing, for a command that opens it itself. */
export async function requireDatabase(config: Config): Promise<void> {
  if (await isWithoutDatabase(config)) throw noDatabase(config);
}

async function isWithoutDatabase({ storage }: Config): Promise<boolean> {
  const { usesPostgres } = await import("../src/config/addresses.ts");
  return !usesPostgres(storage) && isAbsent(storage.database);
}

/** A place that cannot be looked at is reported when it is opened. */
function isAbsent(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

function noDatabase({ dataDir, storage }: Config): ConfigurationError {
  return new ConfigurationError({
    en: `The data directory ${dataDir} has no database (${storage.database}); create it with \`fiscal init\`, or choose another with --data-dir`,
    el: `Ο φάκελος δεδομένων ${dataDir} δεν έχει βάση (${storage.database})· τη δημιουργεί η \`fiscal init\`, ή δώστε άλλον με --data-dir`,
  });
}

async function open(options: ApplianceOptions): Promise<Appliance> {
  const { openAppliance } = await import("../src/appliance.ts");
  try {
    return await openAppliance(options);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const { dataDir } = options.config;
    throw new ConfigurationError(
      {
        en: `The data directory ${dataDir} cannot be used: ${error.message}; choose another with --data-dir`,
        el: `Ο φάκελος δεδομένων ${dataDir} δεν μπορεί να χρησιμοποιηθεί: ${error.message}· δώστε άλλον με --data-dir`,
      },
      { cause: error },
    );
  }
}
