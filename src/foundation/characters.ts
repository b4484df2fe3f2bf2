/** Invisible characters that control a terminal or the direction of text; and words as people type them, compared without case and accents. */

/** DEL and the C1 controls, one of which starts terminal sequences like ESC does. */
const C1 = String.raw`\u007f-\u009f`;
/** Unicode's Bidi_Control: they make text read in another order than it is stored. */
const BIDI = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;

const HIDDEN = new RegExp(`[${C1}${BIDI}]`);
const EVERY_HIDDEN = new RegExp(HIDDEN, "g");
const CONTROLLING = new RegExp(String.raw`[\u0000-\u001f${C1}${BIDI}]+`, "g");

/** Marks of right-to-left text that are pasted with it unseen. Alone they reorder nothing that matters, so names lose them. */
const MARKS = /[\u061c\u200e\u200f]/g;

export function removeDirectionMarks(text: string): string {
  return text.replace(MARKS, "");
}

export function hasHiddenCharacters(text: string): boolean {
  return HIDDEN.test(text);
}

/** Writes them as `\u202e`, which in JSON is the same text. */
export function escapeHiddenCharacters(text: string): string {
  if (!HIDDEN.test(text)) return text;
  return text.replace(EVERY_HIDDEN, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Replaces control characters, including line breaks, and characters that change the text direction by spaces. */
export function printable(text: string): string {
  return text.replace(CONTROLLING, " ");
}

/** The same, keeping line breaks. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** Removes case and accents, which few people type. */
export function fold(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll("ς", "σ")
    .trim();
}

/** Greek letters, folded, and the Latin ones that their capitals look like. */
const LOOK_ALIKE = new Map([..."αβεζηικμνορτυχ"].map((greek, at) => [greek, "abezhikmnoptyx"[at]!]));

/** Also takes Greek letters for the Latin ones that look alike: `ΤΙΜ`, `tim` and `TIM` are the same. */
export function foldLookAlikes(text: string): string {
  return fold(text).replaceAll(/[α-ω]/g, (letter) => LOOK_ALIKE.get(letter) ?? letter);
}
