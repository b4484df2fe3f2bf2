/** Prints `--json` output: the API's own objects and lists, indented by two spaces, or the fields that were asked for. */
import { escapeHiddenCharacters } from "../../src/foundation/characters.ts";
import { outputSettingsOf, type ProgramIo, write } from "../io.ts";

type Output = Pick<ProgramIo, "stdout" | "outputSettings">;

/** TypeScript's library for ES2024 does not have it. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/**
 * `value` as JSON text, with a bigint as a number of any length, and invisible control characters escaped: they could steer the
 * terminal.
 */
export function toJson(value: unknown, indent?: number): string {
  const exactly = (_key: string, part: unknown) => (typeof part === "bigint" ? rawJSON(String(part)) : part);
  return escapeHiddenCharacters(JSON.stringify(value, exactly, indent));
}

export function printJson(io: Output, value: unknown): Promise<void> {
  return write(io.stdout, `${toJson(selectFields(value, outputSettingsOf(io).fields), 2)}\n`);
}

/** One object per line, for programs that read while it is written. */
export function printJsonLine(io: Output, value: unknown): Promise<void> {
  return write(io.stdout, `${toJson(selectFields(value, outputSettingsOf(io).fields))}\n`);
}

/**
 * Prints a list object item by item: the same text as `printJson` of the whole list, without holding the list in memory.
 * `hasMore` is called at the end.
 */
export async function printJsonList(
  io: Output,
  items: AsyncIterable<unknown>,
  hasMore: () => boolean,
): Promise<void> {
  const { stdout } = io;
  const { fields } = outputSettingsOf(io);
  let isEmpty = true;
  await write(stdout, '{\n  "object": "list",\n  "data": [');
  for await (const item of items) {
    const text = toJson(selectFields(item, fields), 2).replaceAll("\n", "\n    ");
    await write(stdout, `${isEmpty ? "" : ","}\n    ${text}`);
    isEmpty = false;
  }
  await write(stdout, `${isEmpty ? "" : "\n  "}],\n  "has_more": ${hasMore()}\n}\n`);
}

/**
 * The object with only `fields`, in their order; of a list object, the same for each item. Without `fields` the value itself. A field
 * that this object lacks is left out: some commands print two kinds of objects.
 */
function selectFields(value: unknown, fields: readonly string[]): unknown {
  if (fields.length === 0 || typeof value !== "object" || value === null) return value;
  if ("object" in value && value.object === "list" && "data" in value && Array.isArray(value.data))
    return { ...value, data: value.data.map((item) => selectFields(item, fields)) };
  const entries = new Map(Object.entries(value));
  return Object.fromEntries(
    fields.flatMap((field) => (entries.has(field) ? [[field, entries.get(field)]] : [])),
  );
}
