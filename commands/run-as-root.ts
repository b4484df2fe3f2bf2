/** The root of the command line: the global options and how help is shown. Its nouns are empty until they are named. */
import { Command } from "commander";
import type { Manners, ProgramIo } from "./io.ts";
import { LANGUAGES } from "./language/choice.ts";
import { helpIn, translatePiece } from "./language/help.ts";
import { HIDDEN_NOUNS, NOUNS } from "./nouns.ts";
import { choice } from "./options.ts";
import { columnsOf } from "./ui/screen.ts";

/** Help is set in lines no longer than this: longer ones are hard to follow on a wide screen. */
const HELP_WIDTH_MAX = 120;

/** `manners` is asked late: commander fills the options while it parses. */
export function createRoot(io: ProgramIo, manners: Manners): Command {
  const root = new Command("fiscal");
  const helpWidth = (stream: ProgramIo["stdout"]) => Math.min(columnsOf(io, stream), HELP_WIDTH_MAX);
  // Before the first noun is added: what stands here goes on to the nouns and their verbs.
  root
    .description("Issues Greek fiscal documents, and keeps account of every one.")
    .usage("[--config F] [--data-dir D] [--live] [--json] <noun> <verb>")
    .exitOverride()
    .configureHelp(helpIn(manners.language))
    .configureOutput({
      writeOut: (text) => io.stdout.write(translatePiece(text, manners.language)),
      writeErr: (text) => io.stderr.write(translatePiece(text, manners.language)),
      // Errors are printed once, by the program.
      outputError: () => {},
      getOutHelpWidth: () => helpWidth(io.stdout),
      getErrHelpWidth: () => helpWidth(io.stderr),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .helpCommand(false)
    .version(io.version, "-V, --version", "print the version")
    .option("--config <file>", "configuration file")
    .option("--data-dir <folder>", "where the database and the master key lie")
    .option("--live", "live mode instead of test mode")
    .option("--json", "print the API's own object or list")
    .option("--quiet", "only the result and errors: no progress, no notes")
    .option("--no-color", "no colours; NO_COLOR and FORCE_COLOR are heeded too")
    .option("--lang <el|en>", "the language of what a person reads", choice("--lang", LANGUAGES));
  for (const noun of NOUNS) root.command(noun.name).description(noun.description);
  for (const noun of HIDDEN_NOUNS) root.command(noun.name, { hidden: true });
  return root;
}
