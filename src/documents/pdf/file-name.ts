/** The name of a document's file: what every file system and every header takes, and what people recognise. */

/** Greek capitals as passports have them, one letter for one or two. */
const LATIN: Readonly<Record<string, string>> = {
  ...{ Α: "A", Β: "V", Γ: "G", Δ: "D", Ε: "E", Ζ: "Z", Η: "I", Θ: "TH", Ι: "I", Κ: "K", Λ: "L", Μ: "M" },
  ...{ Ν: "N", Ξ: "X", Ο: "O", Π: "P", Ρ: "R", Σ: "S", Τ: "T", Υ: "Y", Φ: "F", Χ: "CH", Ψ: "PS", Ω: "O" },
};

function latinOf(character: string): string {
  const bare = character.normalize("NFD").replaceAll(/\p{M}/gu, "");
  const upper = bare.toUpperCase();
  const latin = LATIN[upper];
  if (latin === undefined) return bare;
  return bare === upper ? latin : latin.toLowerCase();
}

/** `TIM-17.pdf`, ASCII: Greek letters of the series in Latin ones, and `-` for what means something in a path. */
export function pdfFileName(series: string, number: number): string {
  const latin = [...series].map(latinOf).join("");
  const safe = latin.replaceAll(/[^A-Za-z0-9._-]/g, "-").replace(/^\.+/, "-");
  return `${safe}-${number}.pdf`;
}
