/** Compares words as people type them. */

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
