/** Recognises the words that fiscal prints for codes, in either language, without regard to case and accents. */
import type { Text } from "../../../src/foundation/text.ts";

/** The code that `text` names, by itself or by its printed word. */
export function wordsOf<Code extends string>(
  words: Readonly<Record<Code, Text>>,
  text: string,
): Code | undefined {
  const wanted = fold(text);
  const codes = Object.keys(words) as Code[];
  return codes.find((code) => [code, words[code].en, words[code].el].some((word) => fold(word) === wanted));
}

function fold(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replace(/[\s_.]+/gu, " ")
    .trim();
}
