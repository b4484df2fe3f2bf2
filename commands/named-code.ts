/** Flags that take a code or the words for it. */
import type { WordTable } from "../src/domain/code-words.ts";
import { readWord } from "../src/intake/cell-values.ts";
import { UsageError } from "./exit.ts";
import { choice, type Words } from "./options.ts";

/** A parser that accepts one of `codes` and their words. A word with several meanings is a usage error. */
export function named<Code extends string>(
  flag: string,
  codes: readonly Code[],
  words: WordTable<Code>,
): ((value: string) => Code) & Words {
  const readCode = choice(flag, codes);
  const read = (value: string): Code => {
    const reading = codes.some((code) => code === value) ? undefined : readWord(words, value);
    if (reading === undefined) return readCode(value);
    if ("value" in reading) return readCode(reading.value);
    const { en, el } = reading.problem;
    throw new UsageError({ en: `${flag} ${en}`, el: `η ${flag} ${el}` });
  };
  return Object.assign(read, { words: codes });
}
