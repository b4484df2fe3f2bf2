/**
 * The language that a person is spoken to in. Commands are written in English; what they print is looked up where it
 * reaches the person (tables, notes, questions, help, errors), so that no command knows of it. Machine output stays English.
 */

export interface Language {
  /** The text in this language; a text that is not in the catalogue stays as it is. */
  text(english: string): string;
  /** A value that stands under `head` in a table, or behind it: what the program itself says is translated, data never is. */
  value(head: string, value: string): string;
}

export const ENGLISH: Language = { text: (english) => english, value: (_head, value) => value };
