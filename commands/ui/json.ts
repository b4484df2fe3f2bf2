/** Prints `--json` output: the API's own objects and lists, indented by two spaces. */
import { type OutputStream, write } from "../io.ts";

export function printJson(stdout: OutputStream, value: unknown): Promise<void> {
  return write(stdout, `${JSON.stringify(value, null, 2)}\n`);
}

/** One object per line, for programs that read while it is written. */
export function printJsonLine(stdout: OutputStream, value: unknown): Promise<void> {
  return write(stdout, `${JSON.stringify(value)}\n`);
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
    await write(
      stdout,
      `${isEmpty ? "" : ","}\n    ${JSON.stringify(item, null, 2).replaceAll("\n", "\n    ")}`,
    );
    isEmpty = false;
  }
  await write(stdout, `${isEmpty ? "" : "\n  "}],\n  "has_more": ${hasMore()}\n}\n`);
}
