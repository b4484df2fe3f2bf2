/** Prints one object. */
import type { CommandContext } from "./context.ts";
import { printJson } from "./ui/json.ts";
import type { Row } from "../src/operations/view.ts";
import { printFields } from "./ui/table.ts";

/** Prints `object` as JSON with `--json`, otherwise its `fields`. */
export async function printObject(
  context: CommandContext,
  object: unknown,
  fields: readonly Row[],
): Promise<void> {
  if (context.options.json === true) return printJson(context.io, object);
  await printFields(context.io, fields);
}
