/** The console's words in the language of a visitor. */
import { type Language, LANGUAGES } from "../language.ts";
import { type Word, WORDS } from "./words.ts";

/** The words of one language; `{name}` in them is filled from `values`. */
export type Say = (word: Word, values?: Readonly<Record<string, string | number>>) => string;

export function speak(language: Language): Say {
  const index = LANGUAGES.indexOf(language);
  return (word, values = {}) => {
    const text = WORDS[word][index] ?? "";
    return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  };
}
