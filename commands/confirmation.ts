/** The `--yes` flag, and the question that it answers. */
import type { Text } from "../src/foundation/text.ts";
import type { CommandContext } from "./context.ts";
import { printNote } from "./io.ts";
import { confirmed } from "./ui/prompt.ts";
import type { Flags } from "./define.ts";

export interface YesOption {
  yes?: boolean;
}

export const YES: Flags = {
  "--yes": { en: "do not ask for confirmation", el: "χωρίς ερώτηση" },
};

/** Asks `question` before a change that cannot be undone. Returns whether to continue; if not, says that nothing changed. */
export async function confirmChange(
  { io }: CommandContext,
  { yes }: YesOption,
  question: Text,
): Promise<boolean> {
  if (await confirmed(io, yes, question)) return true;
  await printNote(io, { en: "Nothing was changed.", el: "Δεν άλλαξε τίποτα." });
  return false;
}
