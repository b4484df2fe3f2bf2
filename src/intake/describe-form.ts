/** Says in words which form of CSV was detected. */
import { joinTexts, sameInBoth, type Text } from "../foundation/text.ts";
import type { CsvFormat } from "./csv.ts";
import type { Delimiter } from "./csv-dialect.ts";
import type { DecimalSign } from "./csv-number.ts";

const DELIMITER_NAMES: Record<Delimiter, Text> = {
  ";": { en: "semicolons", el: "ελληνικό ερωτηματικό (;)" },
  ",": { en: "commas", el: "κόμμα (,)" },
  "\t": { en: "tabs", el: "στηλοθέτης" },
};

const MARKED_UTF_8: Text = { en: "UTF-8 with a byte order mark", el: "UTF-8 με BOM" };

const DECIMAL_NAMES: Record<DecimalSign, Text> = {
  ",": { en: "decimal comma", el: "υποδιαστολή κόμμα" },
  ".": { en: "decimal point", el: "υποδιαστολή τελεία" },
};

/** `Windows-1253, separated by semicolons, decimal comma`. A file of ASCII only counts as UTF-8. */
export function describeForm({ encoding, delimiter, decimalSign }: CsvFormat): Text {
  const parts: Text[] = [
    encoding === "UTF-8 with a byte order mark" ? MARKED_UTF_8 : sameInBoth(encoding ?? "UTF-8"),
  ];
  if (delimiter !== undefined) {
    const { en, el } = DELIMITER_NAMES[delimiter];
    parts.push({ en: `separated by ${en}`, el: `διαχωριστικό ${el}` });
  }
  if (decimalSign !== undefined) parts.push(DECIMAL_NAMES[decimalSign]);
  return joinTexts(parts, ", ");
}
