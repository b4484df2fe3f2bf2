/** Reads a byte stream line by line. */
import { TextDecoder } from "node:util";
import type { Text } from "../../../src/foundation/text.ts";
import { UsageError } from "../../exit.ts";

/** The API's largest body: docs/contract.md#body-size. */
const LINE_CHARACTERS_MAX = 4_194_304;

/**
 * Yields the lines that are not blank, with their number from 1. Drops a byte order mark and accepts `\r\n`. Throws a usage
 * error that names `name` if the text is not UTF-8 or a line is too long.
 */
export async function* linesOf(
  bytes: AsyncIterable<Buffer>,
  name: Text,
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
    if (rest.length > LINE_CHARACTERS_MAX)
      throw new UsageError({
        en: `${name.en}, line ${line + 1} is longer than ${LINE_CHARACTERS_MAX} characters`,
        el: `${name.el}: η γραμμή ${line + 1} ξεπερνά τους ${LINE_CHARACTERS_MAX} χαρακτήρες`,
      });
  }
  rest += decode(decoder, undefined, name, line);
  if (rest.trim() !== "") yield { text: rest, line: line + 1 };
}

function decode(decoder: TextDecoder, chunk: Buffer | undefined, name: Text, line: number): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (error) {
    throw new UsageError(
      {
        en: `${name.en} is not UTF-8 after line ${line}; save it as UTF-8 and try again`,
        el: `${name.el}: δεν είναι UTF-8 μετά τη γραμμή ${line}· αποθηκεύστε το ως UTF-8 και δοκιμάστε ξανά`,
      },
      { cause: error },
    );
  }
}
