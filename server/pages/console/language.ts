/** Which language a page speaks: what was chosen, else what the browser asks for. */
import { type Word, WORDS } from "./words.ts";

export const LANGUAGES = ["el", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The words of one language; `{name}` in them is filled from `values`. */
export type Say = (word: Word, values?: Readonly<Record<string, string | number>>) => string;

export function isLanguage(text: string | undefined): text is Language {
  return text === "el" || text === "en";
}

/** The one of ours that an Accept-Language header likes best; Greek where there is none, English where it names neither. */
export function preferredLanguage(header: string | null): Language {
  if (header === null || header.trim() === "") return "el";
  let best: { language: Language; weight: number } | undefined;
  for (const part of header.split(",")) {
    const [tag = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const language = tag.split("-")[0];
    const weight = Number(parameters.find((piece) => piece.startsWith("q="))?.slice(2) ?? "1");
    if (isLanguage(language) && weight > (best?.weight ?? 0)) best = { language, weight };
  }
  return best?.language ?? "en";
}

export function speak(language: Language): Say {
  const index = LANGUAGES.indexOf(language);
  return (word, values = {}) => {
    const text = WORDS[word][index] ?? "";
    return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  };
}
