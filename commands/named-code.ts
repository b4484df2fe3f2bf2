/** Flags that take a code or the words for it. */
import type { WordTable } from "../src/domain/document-codes.ts";
import { readWord } from "../src/intake/cell-values.ts";
import { UsageError } from "./exit.ts";
import { choice, type Words } from "./options.ts";

/** Reads one of `codes` or their words. A word with several meanings is a usage error. */
export const named =
  <Code extends string>(codes: readonly Code[], words: WordTable<Code>) =>
  (flag: string): ((value: string) => Code) & Words => {
    const readCode = choice(codes)(flag);
    const read = (value: string): Code => {
      const reading = codes.some((code) => code === value) ? undefined : readWord(words, value);
      if (reading === undefined) return readCode(value);
      if ("value" in reading) return readCode(reading.value);
      const { en, el } = reading.problem;
      throw new UsageError({ en: `${flag} ${en}`, el: `η ${flag} ${el}` });
    };
    return Object.assign(read, { words: codes });
  };
