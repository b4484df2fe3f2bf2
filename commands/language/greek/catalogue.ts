import type { Catalogue } from "../translator.ts";
export const GREEK: Catalogue = { texts: {}, words: {}, heads: new Set() };
