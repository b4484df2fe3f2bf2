/** A byte stream as lines of text, one at a time. */
import { TextDecoder } from "node:util";
import { UsageError } from "../../exit.ts";

/** As long as the longest body that the API takes: decisions 2.3. */
const LINE_CHARACTERS_MAX = 4_194_304;

/**
 * The lines of UTF-8 text that are not blank, with their number from 1. A byte order mark is dropped, `\r\n` ends a line
 * as `\n` does. Text that is not UTF-8, or a line that never ends, is a usage error that names `name`.
 */
export async function* linesOf(
  bytes: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<{ text: string; line: number }> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 0;
  let rest = "";
  for await (const chunk of bytes) {
    const parts = (rest + decode(decoder, chunk, name, line)).split("\n");
    rest = parts.pop() ?? "";
    for (const text of parts) {
      line += 1;
      if (text.trim() !== "") yield { text, line };
    }
    if (rest.length > LINE_CHARACTERS_MAX) {
      throw new UsageError(`${name}, line ${line + 1} is longer than ${LINE_CHARACTERS_MAX} characters`);
    }
  }
  rest += decode(decoder, undefined, name, line);
  if (rest.trim() !== "") yield { text: rest, line: line + 1 };
}

function decode(decoder: TextDecoder, chunk: Buffer | undefined, name: string, line: number): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (error) {
    throw new UsageError(`${name} is not UTF-8 after line ${line}; save it as UTF-8 and try again`, {
      cause: error,
    });
  }
}
