/** Chooses the language of a page: from its address, otherwise from the browser. */
import type { H3Event } from "h3";

export const LANGUAGES = ["el", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { el: "Ελληνικά", en: "English" };

export function isLanguage(text: string | null | undefined): text is Language {
  return text === "el" || text === "en";
}

/** `?lang=en` overrides Accept-Language. */
export function languageOf(event: H3Event): Language {
  const chosen = event.url.searchParams.get("lang");
  return isLanguage(chosen) ? chosen : preferredLanguage(event.req.headers.get("accept-language"));
}

/** The supported language that an Accept-Language header prefers; Greek without a header, English if it names neither. */
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
