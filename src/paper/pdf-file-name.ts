/** Builds PDF file names that people recognise and that every file system and HTTP header accepts. */

/** Greek capitals and their Latin letters, similar to those in passports. */
const LATIN: ReadonlyMap<string, string> = new Map(
  "ΑA ΒV ΓG ΔD ΕE ΖZ ΗI ΘTH ΙI ΚK ΛL ΜM ΝN ΞX ΟO ΠP ΡR ΣS ΤT ΥY ΦF ΧCH ΨPS ΩO"
    .split(" ")
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

function latinOf(character: string): string {
  const bare = character.normalize("NFD").replaceAll(/\p{M}/gu, "");
  const upper = bare.toUpperCase();
  const latin = LATIN.get(upper);
  if (latin === undefined) return bare;
  return bare === upper ? latin : latin.toLowerCase();
}

/**
 * Returns an ASCII name such as `TIM-17.pdf`: Greek letters become Latin, and characters with a meaning in paths become `-`.
 * The name never makes the file hidden or looks like a flag.
 */
export function pdfFileName(series: string, number: number): string {
  const latin = [...series].map(latinOf).join("");
  const safe = latin.replaceAll(/[^A-Za-z0-9._-]/g, "-").replace(/^[.-]+/, "_");
  return `${safe}-${number}.pdf`;
}
