/** Greek. A text is translated where it belongs: with the command that says it, or with the program as a whole. */
import type { Catalogue } from "../translator.ts";
import { DOCUMENTS } from "./documents.ts";
import { HEADS, WORD_HEADS, WORDS } from "./heads.ts";
import { MERCHANTS } from "./merchants.ts";
import { PROGRAM } from "./program.ts";
import { RECORDS } from "./records.ts";
import { WARNINGS } from "./warnings.ts";

export const GREEK: Catalogue = {
  texts: { ...PROGRAM, ...DOCUMENTS, ...MERCHANTS, ...RECORDS, ...WARNINGS, ...HEADS },
  words: WORDS,
  heads: new Set(WORD_HEADS),
};
