/** The program: global options, nouns loaded only when named, errors to exit codes. */
import type { Command } from "commander";
import { createContext, type GlobalOptions } from "./context.ts";
import { errorObjectOf, errorTextOf, EXIT, exitCodeOf, InterruptedError, UsageError } from "./exit.ts";
import { type ProgramIo, write } from "./io.ts";
import { NOUNS } from "./nouns.ts";

export type { ProgramIo } from "./io.ts";

/**
 * Runs one command line (`args` without the names of runtime and script) and returns the exit code of decisions 13.
 * Never ends the process. The result is on stdout, everything else on stderr.
 */
export async function runProgram(args: string[], io: ProgramIo): Promise<number> {
  try {
    if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
      await write(io.stdout, `${io.version}\n`);
      return EXIT.done;
    }
    return await runCommand(withHelpFlag(args), io);
  } catch (error) {
    // Who reads stdout has seen enough (`| head`): nothing failed.
    if (isBrokenPipe(error)) return EXIT.done;
    return reportError(error, wantsJson(args), io);
  }
}

function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}

/** `fiscal help documents issue` means `fiscal documents issue --help`: the noun is loaded before its help is shown. */
function withHelpFlag(args: readonly string[]): string[] {
  return args[0] === "help" ? [...args.slice(1), "--help"] : [...args];
}

async function runCommand(args: string[], io: ProgramIo): Promise<number> {
  const { Command, CommanderError } = await import("commander");
  const root = new Command("fiscal");
  describeRoot(root, io);
  const context = createContext(io, () => root.opts<GlobalOptions>());
  const loaders = new Map(NOUNS.map((noun) => [noun.name, noun.load]));
  for (const noun of NOUNS) root.command(noun.name).description(noun.description);
  root.hook("preSubcommand", async (_root, noun) => {
    const define = await loaders.get(noun.name())?.();
    define?.(noun.helpCommand(false), context);
  });
  try {
    await root.parseAsync(args, { from: "user" });
    return context.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (SHOWN_ON_REQUEST.has(error.code)) return EXIT.done;
    // Commander has shown the help of a noun that was named without a verb.
    if (error.code === "commander.help") return EXIT.usage;
    throw new UsageError(usageMessage(error.code, error.message), { cause: error });
  }
}

/** Before the first noun is added: what stands here goes on to the nouns and their verbs. */
function describeRoot(root: Command, io: ProgramIo): void {
  root
    .description("Issues Greek fiscal documents, and keeps account of every one.")
    .usage("[--config F] [--data-dir D] [--live] [--json] <noun> <verb>")
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // Errors are printed once, by reportError.
      outputError: () => {},
      getOutHelpWidth: () => io.stdout.columns ?? HELP_WIDTH,
      getErrHelpWidth: () => io.stderr.columns ?? HELP_WIDTH,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .helpCommand(false)
    .version(io.version, "-V, --version", "print the version")
    .option("--config <file>", "configuration file")
    .option("--data-dir <folder>", "where the database and the master key lie")
    .option("--live", "live mode instead of test mode")
    .option("--json", "print the API's own object or list");
}

/** Columns of the help where the stream is no terminal. */
const HELP_WIDTH = 100;
const SHOWN_ON_REQUEST: ReadonlySet<string> = new Set(["commander.helpDisplayed", "commander.version"]);

/** Commander's sentence without its prefix, and without values that stood where none belong: one may be a secret. */
function usageMessage(code: string, message: string): string {
  const text = message.replace(/^error: /, "").replace(/\n\((.*)\)$/, ". $1");
  if (code === "commander.excessArguments") return text.replace(/(but got \d+): .*$/s, "$1");
  if (code === "commander.unknownOption") return text.replace(/'(--?[^'=]*)=.*?'(?=$|\. )/s, "'$1'");
  return text;
}

function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end === -1 ? args : args.slice(0, end)).includes("--json");
}

async function reportError(error: unknown, asJson: boolean, io: ProgramIo): Promise<number> {
  const code = exitCodeOf(error);
  const isObject = asJson && !(error instanceof InterruptedError);
  let text = isObject ? `${JSON.stringify(errorObjectOf(error), null, 2)}\n` : errorTextOf(error);
  if (isDebugging(io) && error instanceof Error && code === EXIT.failure) text += `${error.stack ?? ""}\n`;
  try {
    await write(io.stderr, text);
  } catch (failure) {
    // With stderr gone there is nobody left to tell; the exit code still says it.
    if (!isBrokenPipe(failure)) throw failure;
  }
  return code;
}

/** `NODE_DEBUG=fiscal` shows where an unexpected error came from. */
function isDebugging(io: ProgramIo): boolean {
  return (io.env["NODE_DEBUG"] ?? "").split(",").includes("fiscal");
}
