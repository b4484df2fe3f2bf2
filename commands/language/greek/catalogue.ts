/** Greek. A text is translated where it belongs: with the command that says it, or with the program as a whole. */
import type { Catalogue } from "../translator.ts";
import { DOCTOR } from "./doctor.ts";
import { DOCUMENTS } from "./documents.ts";
import { HEADS, SENTENCE_HEADS, WORD_HEADS, WORDS } from "./heads.ts";
import { KEEPING } from "./keeping.ts";
import { MERCHANTS } from "./merchants.ts";
import { PAPERS } from "./papers.ts";
import { PROGRAM } from "./program.ts";
import { RECORDS } from "./records.ts";
import { TABLES } from "./tables.ts";
import { WARNINGS } from "./warnings.ts";
import { WEBHOOKS } from "./webhooks.ts";

export const GREEK: Catalogue = {
  texts: {
    ...PROGRAM,
    ...DOCUMENTS,
    ...PAPERS,
    ...TABLES,
    ...MERCHANTS,
    ...RECORDS,
    ...WEBHOOKS,
    ...DOCTOR,
    ...KEEPING,
    ...WARNINGS,
    ...HEADS,
  },
  words: WORDS,
  heads: new Set(WORD_HEADS),
  sentenceHeads: new Set(SENTENCE_HEADS),
};
