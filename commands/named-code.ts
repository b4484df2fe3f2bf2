/** Flags that take a code or the words for it. */
import type { WordTable } from "../src/domain/document-codes.ts";
import { readWord } from "../src/intake/cell-values.ts";
import { UsageError } from "./exit.ts";
import { choice, type Words } from "./options.ts";

/** The code that `value` means, or `value` itself if it is none of the words. Throws UsageError for a word with several meanings. */
export function codeMeant(meanings: WordTable<string>, value: string, flag: string): string {
  const reading = Object.hasOwn(meanings, value) ? undefined : readWord(meanings, value);
  if (reading === undefined) return value;
  if ("value" in reading) return reading.value;
  const { en, el } = reading.problem;
  throw new UsageError({ en: `${flag} ${en}`, el: `η ${flag} ${el}` });
}

/** Reads one of `codes` or their words. */
export const named =
  <Code extends string>(codes: readonly Code[], words: WordTable<Code>) =>
  (flag: string): ((value: string) => Code) & Words => {
    const readCode = choice(codes)(flag);
    return Object.assign((value: string) => readCode(codeMeant(words, value, flag)), { words: codes });
  };
