/** Prints `--json` output: the API's own objects and lists, indented by two spaces. */
import { escapeHiddenCharacters } from "../../src/foundation/control-characters.ts";
import { type OutputStream, write } from "../io.ts";

/** `value` as JSON text, with invisible control characters escaped: they could steer the terminal. */
export function toJson(value: unknown, indent?: number): string {
  return escapeHiddenCharacters(JSON.stringify(value, null, indent));
}

export function printJson(stdout: OutputStream, value: unknown): Promise<void> {
  return write(stdout, `${toJson(value, 2)}\n`);
}

/** One object per line, for programs that read while it is written. */
export function printJsonLine(stdout: OutputStream, value: unknown): Promise<void> {
  return write(stdout, `${toJson(value)}\n`);
}

/**
 * Prints a list object item by item: the same text as `printJson` of the whole list, without holding the list in memory.
 * `hasMore` is called at the end.
 */
export async function printJsonList(
  stdout: OutputStream,
  items: AsyncIterable<unknown>,
  hasMore: () => boolean,
): Promise<void> {
  let isEmpty = true;
  await write(stdout, '{\n  "object": "list",\n  "data": [');
  for await (const item of items) {
    await write(stdout, `${isEmpty ? "" : ","}\n    ${toJson(item, 2).replaceAll("\n", "\n    ")}`);
    isEmpty = false;
  }
  await write(stdout, `${isEmpty ? "" : "\n  "}],\n  "has_more": ${hasMore()}\n}\n`);
}
