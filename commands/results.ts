/** Prints results that need no paging: one object, or a short list. */
import type { Text } from "../src/foundation/text.ts";
import type { CommandContext } from "./context.ts";
import { printNote } from "./io.ts";
import { printJson } from "./ui/json.ts";
import type { Column, Row } from "../src/operations/view.ts";
import { printFields, printTable } from "./ui/table.ts";

/** Prints `object` as JSON with `--json`, otherwise its `fields`. */
export async function printObject(
  context: CommandContext,
  object: unknown,
  fields: readonly Row[],
): Promise<void> {
  if (context.options.json === true) return printJson(context.io, object);
  await printFields(context.io, fields);
}

/** Prints every item as a list object with `--json`, otherwise as a table, or `none` if there are none. */
export async function printShortList<T>(
  context: CommandContext,
  items: readonly T[],
  { columns, none }: { columns: readonly Column<T>[]; none: Text },
): Promise<void> {
  const { io } = context;
  if (context.options.json === true) return printJson(io, { object: "list", data: items, has_more: false });
  if (items.length === 0) return printNote(io, none);
  await printTable(io, columns, items);
}
