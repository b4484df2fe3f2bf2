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

/** Names that Windows reserves for devices, whatever their ending. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;
const NAME_CHARACTERS_MAX = 120;

/** `text` as one ASCII name that every file system accepts: Greek letters become Latin, and others `-`. Never empty. */
export function safeName(text: string): string {
  const latin = Array.from(text, latinOf).join("").slice(0, NAME_CHARACTERS_MAX);
  const safe = latin
    .replaceAll(/[^A-Za-z0-9._-]/g, "-")
    .replace(/^[.-]+/, "_")
    .replace(/\.+$/, "_");
  return safe === "" || RESERVED.test(safe) ? `_${safe}` : safe;
}

/** Returns a name such as `TIM-17.pdf`, which is never hidden and never looks like a flag. */
export function pdfFileName(series: string, number: number): string {
  return `${safeName(series)}-${number}.pdf`;
}
