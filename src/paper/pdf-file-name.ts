/** The name of a document's file: what every file system and every header takes, and what people recognise. */

/** Greek capitals and the Latin letters for them, near those of passports. */
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
 * `TIM-17.pdf`, ASCII: Greek letters of the series in Latin ones, and `-` for what means something in a path. It neither
 * hides the file nor looks like a flag.
 */
export function pdfFileName(series: string, number: number): string {
  const latin = [...series].map(latinOf).join("");
  const safe = latin.replaceAll(/[^A-Za-z0-9._-]/g, "-").replace(/^[.-]+/, "_");
  return `${safe}-${number}.pdf`;
}
