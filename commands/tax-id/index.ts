/** `fiscal tax-id`: checks VAT numbers. An invalid number is a result as well: the lookup itself succeeded. */
import { normaliseTaxCode } from "../../src/domain/tax-number.ts";
import { lookupTaxId } from "../../src/operations/tax-ids.ts";
import { noun } from "../define.ts";
import { UsageError } from "../exit.ts";
import { verbOf } from "../verb.ts";

export const defineTaxId = noun(
  {
    lookup: verbOf(lookupTaxId, {
      queryOf: readNumber,
      notes: ({ source }) =>
        source === "sandbox"
          ? [
              {
                en: "This is the sandbox's result. Add --live to ask the EU registry.",
                el: "Το αποτέλεσμα είναι του περιβάλλοντος δοκιμών. Με --live ερωτάται το μητρώο της ΕΕ.",
              },
            ]
          : [],
    }),
  },
  "fiscal tax-id lookup GR 123456783",
);

/** Reads `GR 123456783`, `EL123456783` or `el 123 456 783`. Greece is EL in VAT numbers and GR everywhere else. */
function readNumber(text: string): { country: string; code: string } {
  const [, prefix, code] = /^([A-Z]{2})(.+)$/.exec(normaliseTaxCode(text)) ?? [];
  if (prefix === undefined || code === undefined)
    throw new UsageError({
      en: "the number must start with the two letters of its country: GR 123456783 or EL123456783",
      el: "ο αριθμός αρχίζει με τα δύο γράμματα της χώρας του: GR 123456783 ή EL123456783",
    });
  return { country: prefix === "EL" ? "GR" : prefix, code };
}
