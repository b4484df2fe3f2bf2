/**
 * Looks texts up in a catalogue. A key is an English text as a command prints it, with `{name}` where the command puts a
 * value; the translation says where the value goes. `{name*}` is translated in its turn: only for what commands say
 * themselves, never for data.
 */
import type { Catalogue as Lookup } from "./language.ts";

export interface Catalogue {
  /** Whole texts: lines, help, heads, questions. */
  readonly texts: Readonly<Record<string, string>>;
  /** Single words that stand as values: statuses, `yes` and `no`. */
  readonly words: Readonly<Record<string, string>>;
  /** Under these heads the values are words of the program's own. Everywhere else a value may be anybody's data. */
  readonly heads: ReadonlySet<string>;
  /** Under these heads the values are sentences of the program's own. */
  readonly sentenceHeads: ReadonlySet<string>;
}

interface Pattern {
  form: RegExp;
  names: readonly string[];
  translation: string;
  /** Characters that stand fast: of two that fit, the one with more says it better. */
  weight: number;
}

/** What may stand in a place by its name; elsewhere anything on one line. It keeps short texts from fitting by chance. */
const FORMS: Readonly<Record<string, string>> = {
  number: "\\d+",
  line: "\\d+",
  min: "-?\\d+",
  max: "\\d+",
  more: "\\d+",
  id: "\\S+",
  flag: "[a-z-]+",
  mode: "test|live",
  run: "\\S*fiscal .*?",
  after: "\\S*fiscal .*?",
  code: "\\d+\\.\\d+",
  size: "[\\d.]+ [GM]B",
  used: "[\\d.]+ [GM]B",
};

const PLACE = /\{([a-z]+)(\*?)\}/g;

export function createLanguage({ texts, words, heads, sentenceHeads }: Catalogue): Lookup {
  const exact = new Map(Object.entries(texts));
  const known = new Map(Object.entries(words));
  const patterns = Object.entries(texts)
    .filter(([english]) => english.search(PLACE) !== -1)
    .map(([english, translation]) => patternOf(english, translation))
    .sort((left, right) => right.weight - left.weight);

  function text(english: string): string {
    const translation = exact.get(english);
    if (translation !== undefined) return translation;
    for (const pattern of patterns) {
      const match = pattern.form.exec(english);
      if (match !== null) return fill(pattern, match.slice(1), text);
    }
    return english;
  }

  function value(head: string, english: string): string {
    if (sentenceHeads.has(head)) return text(english);
    return heads.has(head) ? english.replace(/[a-z_]+/g, (word) => known.get(word) ?? word) : english;
  }

  return { text, value };
}

function patternOf(english: string, translation: string): Pattern {
  const names = [...english.matchAll(PLACE)].map(([, name = "", mark = ""]) => name + mark);
  const parts = english.split(/\{[a-z]+\*?\}/);
  const literal = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const form = literal.reduce((left, right, at) => {
    const place = FORMS[names[at - 1] ?? ""] ?? ".*?";
    return `${left}(${place})${right}`;
  });
  return { form: new RegExp(`^${form}$`), names, translation, weight: parts.join("").length };
}

function fill(
  { names, translation }: Pattern,
  values: readonly string[],
  text: (value: string) => string,
): string {
  return translation.replace(PLACE, (place, name: string) => {
    const at = names.findIndex((known) => known === name || known === `${name}*`);
    const value = values[at];
    if (value === undefined) return place;
    return names[at]?.endsWith("*") === true ? text(value) : value;
  });
}
