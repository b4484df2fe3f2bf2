/** The outcome of a verb, and printing it: an object for programs, or the same for people. */
import type { Text } from "../src/foundation/text.ts";
import type { Row } from "../src/operations/view.ts";
import type { CommandContext } from "./context.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { printLine, printNote } from "./io.ts";
import { printJson } from "./ui/json.ts";
import { printFields } from "./ui/table.ts";

export interface Outcome {
  /** Printed with `--json`. */
  object: unknown;
  /** For people: fields, a line, or a function that prints. */
  shown: readonly Row[] | Text | (() => Promise<void>);
  /** Printed on stderr afterwards, with `--json` too. */
  notes?: readonly Text[];
  /** If it is not 0. */
  exitCode?: ExitCode;
}

export async function present(
  { io, options }: CommandContext,
  { object, shown, notes = [], exitCode = EXIT.done }: Outcome,
): Promise<ExitCode> {
  if (options.json === true) await printJson(io, object);
  else if (typeof shown === "function") await shown();
  else await ("en" in shown ? printLine(io, shown) : printFields(io, shown));
  for (const note of notes) await printNote(io, note);
  return exitCode;
}
