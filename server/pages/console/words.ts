/** Every word of the console, Greek and English. `{name}` stands for what is filled in. */
import { CODE_WORDS } from "./words/codes.ts";
import { DOCUMENT_WORDS } from "./words/documents.ts";
import { FRAME_WORDS } from "./words/frame.ts";
import { THING_WORDS } from "./words/things.ts";

export const WORDS = {
  ...FRAME_WORDS,
  ...DOCUMENT_WORDS,
  ...THING_WORDS,
  ...CODE_WORDS,
} as const satisfies Record<string, readonly [string, string]>;

export type Word = keyof typeof WORDS;
