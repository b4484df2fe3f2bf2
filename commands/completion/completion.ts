/** `fiscal completion`: prints the script that completes `fiscal` command lines in a shell. */
import type { Text } from "../../src/foundation/text.ts";
import { SHELLS, scriptOf, type Shell } from "./scripts.ts";
import type { CommandContext } from "../context.ts";
import { write } from "../io.ts";
import { choice } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { verb } from "../define.ts";

const NOTES: Text = {
  en: `The script starts with how to install it. It completes commands, flags and their values, files, and the merchants,
documents and ids in the database. It only reads, and respects --data-dir, --config and --live on the line.`,
  el: `Ο κώδικας λέει ο ίδιος πώς εγκαθίσταται. Συμπληρώνει εντολές, επιλογές και τιμές τους, αρχεία, και επιχειρήσεις,
παραστατικά και ids όπως τα έχει η βάση· μόνο διαβάζει, και ακολουθεί τα --data-dir, --config και --live της γραμμής.`,
};

export const defineCompletion = verb({
  argument: [
    "<bash|zsh|fish>",
    { en: "the shell", el: "το κέλυφος", read: () => choice(SHELLS)("the shell") },
  ],
  notes: NOTES,
  examples: ["fiscal completion bash > fiscal-completion.bash"],
  run: runCompletion,
});

async function runCompletion(context: CommandContext, shell: Shell): Promise<void> {
  const { io } = context;
  const script = scriptOf(shell);
  if (context.options.json === true) return printJson(io, { shell, script });
  await write(io.stdout, script);
}
