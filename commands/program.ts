/** The program: from a command line to an exit code. Nouns are loaded only when named, errors are told once. */
import { codeOf } from "../storage/system-errors.ts";
import { createContext, type GlobalOptions } from "./context.ts";
import {
  type Asked,
  errorObjectOf,
  errorTextOf,
  EXIT,
  exitCodeOf,
  InterruptedError,
  UsageError,
} from "./exit.ts";
import { type Manners, type ProgramIo, write } from "./io.ts";
import { chooseLanguage, loadCatalogue } from "./language/choice.ts";
import { NOUNS } from "./nouns.ts";

export type { ProgramIo } from "./io.ts";

/**
 * Runs one command line (`args` without the names of runtime and script) and returns the exit code of decisions 13.
 * Never ends the process. The result is on stdout, everything else on stderr.
 */
export async function runProgram(args: string[], io: ProgramIo): Promise<number> {
  let speech: Pick<Manners, "language" | "catalogue"> = { language: "en" };
  const asked: Asked = {};
  try {
    if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
      await write(io.stdout, `${io.version}\n`);
      return EXIT.done;
    }
    const language = chooseLanguage(args, io.env);
    speech = { language, catalogue: await loadCatalogue(language) };
    return await runCommand(withHelpFlag(args), io, speech, asked);
  } catch (error) {
    // Who reads stdout has seen enough (`| head`): nothing failed.
    if (isBrokenPipe(error)) return EXIT.done;
    return reportError(error, wantsJson(args), io, (failure) => errorTextOf(failure, speech, asked));
  }
}

function isBrokenPipe(error: unknown): boolean {
  return codeOf(error) === "EPIPE";
}

/** `fiscal help documents issue` means `fiscal documents issue --help`: the noun is loaded before its help is shown. */
function withHelpFlag(args: readonly string[]): string[] {
  let at = 0;
  // Global flags may stand in front of it, some with their value as the next word.
  while (args[at]?.startsWith("--") === true) at += VALUED_FLAGS.has(args[at] ?? "") ? 2 : 1;
  if (args[at] !== "help") return [...args];
  const rest = args.toSpliced(at, 1);
  // A noun that there is not is left to the parser, which knows the nearest one.
  const isKnown = rest[at] === undefined || NOUNS.some(({ name }) => name === rest[at]);
  return isKnown ? [...rest, "--help"] : rest;
}

const VALUED_FLAGS: ReadonlySet<string> = new Set(["--config", "--data-dir", "--lang"]);

/** Notes in `asked` what an error will want to know. */
async function runCommand(
  args: string[],
  world: ProgramIo,
  speech: Pick<Manners, "language" | "catalogue">,
  asked: Asked,
): Promise<number> {
  const { createRoot } = await import("./root-command.ts");
  const options = () => root.opts<GlobalOptions>();
  const manners = {
    ...speech,
    get quiet() {
      return options().quiet === true;
    },
    get plain() {
      return options().color === false;
    },
  };
  // Inherited, not copied: the process makes each stream when it is first asked for.
  const io: ProgramIo = Object.create(world, { manners: { value: manners } });
  const context = createContext(io, options);
  const root = createRoot(context);
  root.hook("preSubcommand", (_root, noun) => {
    if (noun.commands.some((verb) => verb.name() === "list")) asked.listed = noun.name();
    asked.isLive = options().live === true;
  });
  const { CommanderError } = await import("commander");
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

const SHOWN_ON_REQUEST: ReadonlySet<string> = new Set(["commander.helpDisplayed", "commander.version"]);

/** Commander's sentence without its prefix, and without values that stood where none belong: one may be a secret. */
function usageMessage(code: string, message: string): string {
  const text = message.replace(/^error: /, "").replace(/\n\((.*)\)$/, ". $1");
  if (code === "commander.excessArguments") return text.replace(/(but got \d+): .*$/s, "$1");
  if (code === "commander.missingArgument") return text + whereToLook(text);
  if (code === "commander.unknownOption") return text.replace(/'(--?[^'=]*)=.*?'(?=$|\. )/s, "'$1'");
  return text;
}

/** For an argument that names something stored: how to list what there is. */
function whereToLook(text: string): string {
  const [, name = ""] = /'(\w+)'/.exec(text) ?? [];
  const noun = NOUNS.find((known) => known.name === `${name}s`);
  return noun === undefined ? "" : `; \`fiscal ${noun.name} list\` lists them`;
}

function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end === -1 ? args : args.slice(0, end)).includes("--json");
}

async function reportError(
  error: unknown,
  asJson: boolean,
  io: ProgramIo,
  textOf: (error: unknown) => string,
): Promise<number> {
  const code = exitCodeOf(error);
  const isObject = asJson && !(error instanceof InterruptedError);
  let text = isObject ? `${JSON.stringify(errorObjectOf(error), null, 2)}\n` : textOf(error);
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
