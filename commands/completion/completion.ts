/** `fiscal completion`: prints the script that completes `fiscal` command lines in a shell. */
import type { Command } from "commander";
import type { Text } from "../../src/foundation/text.ts";
import { SHELLS, scriptOf, type Shell } from "./scripts.ts";
import type { CommandContext } from "../context.ts";
import { write } from "../io.ts";
import { addExamples, addNotes, choice } from "../options.ts";
import { printJson } from "../ui/json.ts";

const NOTES: Text = {
  en: `The script starts with how to install it. It completes commands, flags and their values, files, and the merchants,
documents and ids in the database. It only reads, and respects --data-dir, --config and --live on the line.`,
  el: `Ο κώδικας λέει ο ίδιος πώς εγκαθίσταται. Συμπληρώνει εντολές, επιλογές και τιμές τους, αρχεία, και επιχειρήσεις,
παραστατικά και ids όπως τα έχει η βάση· μόνο διαβάζει, και ακολουθεί τα --data-dir, --config και --live της γραμμής.`,
};

export function defineCompletion(command: Command, context: CommandContext): void {
  command
    .argument(
      "<bash|zsh|fish>",
      context.inLanguage({ en: "the shell", el: "το κέλυφος" }),
      choice("the shell", SHELLS),
    )
    .action((shell: Shell) => context.end(runCompletion(context, shell)));
  addNotes(command, context, NOTES);
  addExamples(command, context, "fiscal completion bash > fiscal-completion.bash");
}

async function runCompletion(context: CommandContext, shell: Shell): Promise<void> {
  const { io } = context;
  const script = scriptOf(shell);
  if (context.options.json === true) return printJson(io, { shell, script });
  await write(io.stdout, script);
}
