/** Removes characters that control the terminal from foreign text: names, provider messages, file contents. */

import { blankControlCharacters } from "../../src/foundation/characters.ts";

/** Replaces control characters, including line breaks, and characters that change the text direction by spaces. */
export function printable(text: string): string {
  return blankControlCharacters(text);
}

/** The same, keeping line breaks. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}
