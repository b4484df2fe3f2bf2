/** Recognises the words that fiscal prints for codes, in either language, without regard to case and accents. */
import { fold } from "../../ui/fold.ts";
import type { Text } from "../../../src/foundation/text.ts";

/** The code that `text` names, by itself or by its printed word. */
export function codeNamed<Code extends string>(
  words: Readonly<Record<Code, Text>>,
  text: string,
): Code | undefined {
  const wanted = comparable(text);
  const codes = Object.keys(words) as Code[];
  return codes.find((code) =>
    [code, words[code].en, words[code].el].some((word) => comparable(word) === wanted),
  );
}

function comparable(text: string): string {
  return fold(text.replace(/[\s_.]+/gu, " "));
}
