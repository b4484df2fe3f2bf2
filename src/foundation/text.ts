/** Text that people read, in English and Greek. The API sends the English. */

/** A finished message, with its values inserted. */
export interface Text {
  readonly en: string;
  readonly el: string;
}

/** For text without a translation: a name, a number, a provider's own message. */
export function sameInBoth(value: string): Text {
  return { en: value, el: value };
}

/** Accepts a plain string for both languages, as in the labels of adapters. */
export function toText(value: string | Text): Text {
  return typeof value === "string" ? sameInBoth(value) : value;
}

/** Joins `texts` in each language. */
export function joinTexts(texts: readonly Text[], separator: string): Text {
  return {
    en: texts.map(({ en }) => en).join(separator),
    el: texts.map(({ el }) => el).join(separator),
  };
}
