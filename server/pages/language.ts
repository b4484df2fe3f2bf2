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

/**
 * The supported language that comes first in an Accept-Language header, in which browsers list the preferred one first; Greek without a
 * header, English if it names neither.
 */
export function preferredLanguage(header: string | null): Language {
  if (header === null || header.trim() === "") return "el";
  const tags = header.split(",").map((part) => part.trim().slice(0, 2).toLowerCase());
  return tags.find(isLanguage) ?? "en";
}
