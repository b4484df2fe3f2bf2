/** Runs one command line and returns its exit code. */
import { escapeHiddenCharacters } from "../src/foundation/characters.ts";
import { sameInBoth } from "../src/foundation/text.ts";
import { createContext, type GlobalOptions } from "./context.ts";
import { errorObjectOf, errorTextOf, EXIT, exitCodeOf, InterruptedError, UsageError } from "./exit.ts";
import {
  chooseLanguage,
  isBrokenPipe,
  type OutputSettings,
  type ProgramIo,
  write,
  writeToStderr,
} from "./io.ts";
import type { Language } from "../src/foundation/text.ts";
import type { Command } from "commander";
import { NOUNS } from "./nouns.ts";

export type { ProgramIo } from "./io.ts";

/**
 * Runs one command line (`args` without the names of runtime and script) and returns the exit code
 * (docs/contract.md#exit-codes). Never ends the process. The result goes to stdout, everything else to stderr.
 */
export async function runProgram(args: string[], io: ProgramIo): Promise<number> {
  let language: Language = "en";
  let listed: string | undefined;
  try {
    language = chooseLanguage(args, io.env, io.systemLocale);
    return await runCommand(withHelpFlag(args), io, language, (noun) => {
      listed = noun;
    });
  } catch (error) {
    // The reader of stdout stopped reading (`| head`), which is not a failure.
    if (isBrokenPipe(error)) return EXIT.done;
    return reportError(error, asksForJson(args), io, (failure) => errorTextOf(failure, language, listed));
  }
}

/** Also where a flag before it lacks its value: the error then is what is printed as JSON. */
function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end === -1 ? args.length : end).some((word) => /^--json(=|$)/.test(word));
}

/** Rewrites `help documents issue` as `documents issue --help`, so that the command is loaded before its help is shown. */
function withHelpFlag(args: readonly string[]): string[] {
  let at = 0;
  // Global flags may precede it, some with their value as the next word.
  while (args[at]?.startsWith("--") === true) at += VALUED_FLAGS.has(args[at] ?? "") ? 2 : 1;
  if (args[at] !== "help") return [...args];
  const rest = args.toSpliced(at, 1);
  // The parser reports an unknown noun, and suggests a similar one.
  const noun = rest[at];
  const isKnown = noun === undefined || Object.hasOwn(NOUNS, noun);
  return isKnown ? [...rest, "--help"] : rest;
}

const VALUED_FLAGS: ReadonlySet<string> = new Set(["--color", "--config", "--data-dir", "--lang"]);

/** Calls `onListed` with the noun of the command line, if it has a verb `list`. */
async function runCommand(
  args: string[],
  world: ProgramIo,
  language: Language,
  onListed: (noun: string) => void,
): Promise<number> {
  const { createRoot } = await import("./root-command.ts");
  let root: Command | undefined;
  const options = () => root?.opts<GlobalOptions>() ?? {};
  // Inherited, not copied, because the process creates each stream when it is first used.
  const io: ProgramIo = Object.create(world, {
    outputSettings: { get: () => settingsOf(language, options()) },
  });
  const context = createContext(io, options);
  let help = "";
  root = createRoot(context, (text) => {
    help += text;
  });
  root.hook("preSubcommand", (_root, noun) => {
    if (noun.commands.some((verb) => verb.name() === "list")) onListed(noun.name());
  });
  const { CommanderError } = await import("commander");
  try {
    await root.parseAsync(args, { from: "user" });
    return context.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (SHOWN_ON_REQUEST.has(error.code)) {
      await write(io.stdout, help);
      return EXIT.done;
    }
    // A noun without a verb: commander has printed its help.
    if (error.code === "commander.help") return EXIT.usage;
    throw new UsageError(sameInBoth(error.message), { cause: error });
  }
}

function settingsOf(
  language: Language,
  { quiet = false, color = "auto", jsonFields: fields = [] }: GlobalOptions,
): OutputSettings {
  return { language, quiet, colour: color === false ? "never" : color, fields };
}

const SHOWN_ON_REQUEST: ReadonlySet<string> = new Set(["commander.helpDisplayed", "commander.version"]);

async function reportError(
  error: unknown,
  asJson: boolean,
  io: ProgramIo,
  textOf: (error: unknown) => string,
): Promise<number> {
  const code = exitCodeOf(error);
  const isObject = asJson && !(error instanceof InterruptedError);
  let text = isObject
    ? `${escapeHiddenCharacters(JSON.stringify(errorObjectOf(error), null, 2))}\n`
    : textOf(error);
  if (isDebugging(io) && error instanceof Error && code === EXIT.failure) text += `${error.stack ?? ""}\n`;
  await writeToStderr(io, text);
  return code;
}

/** `NODE_DEBUG=fiscal` prints the stack of unexpected errors. */
function isDebugging(io: ProgramIo): boolean {
  return (io.env["NODE_DEBUG"] ?? "").split(",").includes("fiscal");
}
