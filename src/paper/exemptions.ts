/**
 * Names the VAT exemption causes in the PDF. The authority's list names articles: those of the VAT code of 2024 (L. 5144/2024),
 * with the older ones (L. 2859/2000) in brackets where they differ. The subject is added where it is certain.
 */
import type { Text } from "../foundation/text.ts";

const LATIN: Readonly<Record<string, string>> = { α: "a", β: "b", γ: "c", δ: "d", και: "and" };

function article(now: string, before: string, el = "", en = ""): Text {
  const isRenumbered = now !== before;
  const greek = `Άρθρο ${now}${isRenumbered ? ` (πρώην ${before})` : ""} Κώδικα ΦΠΑ`;
  const english = `Article ${now}${isRenumbered ? ` (formerly ${before})` : ""} of the VAT code`;
  return {
    el: el === "" ? greek : `${greek}: ${el}`,
    en: `${english.replaceAll(/και|[αβγδ]/g, (part) => LATIN[part] ?? part)}${en === "" ? "" : `: ${en}`}`,
  };
}

function circular(number: string): Text {
  return { el: `ΠΟΛ. ${number}`, en: `Circular POL. ${number}` };
}

const EXEMPTIONS: Readonly<Record<number, Text>> = {
  1: article("2 και 3", "2 και 3", "εκτός πεδίου εφαρμογής", "outside the scope of VAT"),
  2: article("5", "5", "μεταβίβαση επιχείρησης", "transfer of a business"),
  3: article("17", "13", "τόπος παράδοσης εκτός Ελλάδας", "place of supply of goods abroad"),
  4: article("18", "14", "τόπος παροχής εκτός Ελλάδας", "place of supply of services abroad"),
  5: article("21", "16"),
  6: article("24", "19"),
  7: article("27", "22", "απαλλαγές στο εσωτερικό", "exempt domestic activities"),
  8: article("29", "24", "εξαγωγές", "exports"),
  9: article("30", "25"),
  10: article("31", "26"),
  11: article("32", "27", "ειδικές απαλλαγές", "special exemptions"),
  12: article("32", "27", "πλοία ανοικτής θαλάσσης", "sea-going ships"),
  13: article("32 §1γ", "27 §1γ", "πλοία ανοικτής θαλάσσης", "sea-going ships"),
  14: article("33", "28", "ενδοκοινοτική παράδοση αγαθών", "intra-Community supply of goods"),
  15: article("44", "39", "μικρές επιχειρήσεις", "small businesses"),
  16: article("45", "39α", "αντίστροφη επιβάρυνση", "domestic reverse charge"),
  17: article("47", "40"),
  18: article("48", "41", "αγρότες", "farmers' scheme"),
  19: article("54", "47", "επενδυτικός χρυσός", "investment gold"),
  20: article("50", "43", "ΦΠΑ εμπεριεχόμενος, πρακτορεία ταξιδίων", "VAT included, travel agents"),
  21: article("51", "44", "ΦΠΑ εμπεριεχόμενος, καπνά", "VAT included, tobacco"),
  22: article("52", "45", "ΦΠΑ εμπεριεχόμενος, μεταχειρισμένα αγαθά", "VAT included, second-hand goods"),
  23: article("53", "46", "ΦΠΑ εμπεριεχόμενος, δημοπρασίες", "VAT included, auctions"),
  24: article("8", "6"),
  25: circular("1029/1995"),
  26: circular("1167/2015"),
  27: { el: "Λοιπές εξαιρέσεις ΦΠΑ", en: "Other VAT exemption" },
  28: article("29 §1β", "24 §1β", "Tax Free ταξιδιωτών", "Tax Free for travellers"),
  29: article("56", "47β", "OSS, μη ενωσιακό καθεστώς", "OSS, non-Union scheme"),
  30: article("57", "47γ", "OSS, ενωσιακό καθεστώς", "OSS, Union scheme"),
  31: article("58", "47δ", "IOSS", "IOSS"),
};

/** The name of the authority's exemption cause `cause`, 1 to 31; throws a RangeError for any other number. */
export function describeExemption(cause: number): Text {
  const name = EXEMPTIONS[cause];
  if (name === undefined) throw new RangeError("No exemption cause has this number");
  return name;
}
