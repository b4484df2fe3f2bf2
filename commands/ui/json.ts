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
function toJson(value: unknown, indent?: number): string {
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

/** Prints a list object item by item. `hasMore` is called at the end. */
export async function printJsonList(
  io: Output,
  items: AsyncIterable<unknown>,
  hasMore: () => boolean,
): Promise<void> {
  const { fields } = outputSettingsOf(io);
  async function* selected() {
    for await (const item of items) yield selectFields(item, fields);
  }
  const list = { object: "list", name: "data", items: selected(), rest: () => ({ has_more: hasMore() }) };
  await writeJsonItems((text) => write(io.stdout, text), list);
}

/**
 * Writes an object with `items` under `name`, and `rest` after them: the same text as `toJson` of the whole, without holding it in
 * memory. Nothing is written if the first item cannot be read.
 */
export async function writeJsonItems(
  writeText: (text: string) => Promise<void>,
  given: { object: string; name: string; items: AsyncIterable<unknown>; rest(): object },
): Promise<void> {
  const head = `{\n  "object": "${given.object}",\n  "${given.name}": [`;
  let isEmpty = true;
  for await (const item of given.items) {
    const text = toJson(item, 2).replaceAll("\n", "\n    ");
    await writeText(`${isEmpty ? head : ","}\n    ${text}`);
    isEmpty = false;
  }
  const rest = toJson(given.rest(), 2).replace(/^\{\n/, "");
  await writeText(`${isEmpty ? head : "\n  "}],\n${rest}\n`);
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
