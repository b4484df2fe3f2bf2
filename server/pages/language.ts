/** Which language a page speaks: what its address asks for, else what the browser does. */
import type { H3Event } from "h3";

export const LANGUAGES = ["el", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** What a language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { el: "Ελληνικά", en: "English" };

/** A sentence in both. */
export type Sentence = Readonly<Record<Language, string>>;

/** `sentence` in one language, each `{name}` in it filled from `values`. */
export function say(
  sentence: Sentence,
  language: Language,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return sentence[language].replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export function isLanguage(text: string | null | undefined): text is Language {
  return text === "el" || text === "en";
}

/** `?lang=en` beats Accept-Language. */
export function languageOf(event: H3Event): Language {
  const chosen = event.url.searchParams.get("lang");
  return isLanguage(chosen) ? chosen : preferredLanguage(event.req.headers.get("accept-language"));
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
