/** Text that a person reads, in both languages side by side. The API sends the English one. */

/** One message, finished in both languages: the values in it are already inserted. */
export interface Text {
  readonly en: string;
  readonly el: string;
}

/** A text that is the same in both languages: a name, a number, the words of a provider. */
export function sameInBoth(value: string): Text {
  return { en: value, el: value };
}

/** English text that has no Greek yet counts as both. Goes once every caller passes both languages. */
export function textOf(value: string | Text): Text {
  return typeof value === "string" ? sameInBoth(value) : value;
}

/** `texts` in their order with `separator` between them, in each language. */
export function joinTexts(texts: readonly Text[], separator: string): Text {
  return {
    en: texts.map(({ en }) => en).join(separator),
    el: texts.map(({ el }) => el).join(separator),
  };
}
