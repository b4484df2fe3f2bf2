/** `fiscal completion`: the script that makes a shell complete what is typed after `fiscal`. */
import type { Command } from "commander";
import { SHELLS, scriptOf, type Shell } from "./scripts.ts";
import type { CommandContext } from "../context.ts";
import { write } from "../io.ts";
import { choice, withExample } from "../options.ts";
import { printJson } from "../ui/json.ts";

const NOTES = `
The script says how it is installed. It completes nouns, verbs, flags and their values, files, and merchants, documents
and ids as the database has them; it reads only, and honours --data-dir, --config and --live on the line.`;

export function defineCompletion(command: Command, context: CommandContext): void {
  withExample(
    command
      .argument("<bash|zsh|fish>", "the shell", choice("the shell", SHELLS))
      .addHelpText("after", NOTES)
      .action((shell: Shell) => context.end(runCompletion(context, shell))),
    "fiscal completion bash > fiscal-completion.bash",
  );
}

async function runCompletion(context: CommandContext, shell: Shell): Promise<void> {
  const { io } = context;
  const script = scriptOf(shell);
  if (context.options.json === true) return printJson(io.stdout, { shell, script });
  await write(io.stdout, script);
}
