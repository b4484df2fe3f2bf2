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
