/** `fiscal tax-id lookup`: whether a VAT number is registered, and to whom. */
import { normaliseTaxCode } from "../../src/domain/tax-number.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { printNote } from "../io.ts";
import { printObject } from "../results.ts";
import { instantText } from "../../src/operations/values.ts";
import { yesOrNo } from "../../src/operations/words.ts";
import { verb } from "../define.ts";

export const defineLookup = verb({
  examples: ["fiscal tax-id lookup GR 123456783", "fiscal --live tax-id lookup EL123456783 --json"],
  run: lookUp,
});

/** Greece is EL in VAT numbers and GR everywhere else. */
const GREEK_PREFIX = "EL";

/** Reads `GR 123456783`, `EL123456783` or `el 123 456 783`. */
function readNumber(parts: readonly string[]): { country: string; code: string } {
  const whole = normaliseTaxCode(parts.join(""));
  const [, prefix, code] = /^([A-Z]{2})(.+)$/.exec(whole) ?? [];
  if (prefix === undefined || code === undefined)
    throw new UsageError({
      en: "the number must start with the two letters of its country: GR 123456783 or EL123456783",
      el: "ο αριθμός αρχίζει με τα δύο γράμματα της χώρας του: GR 123456783 ή EL123456783",
    });
  return { country: prefix === GREEK_PREFIX ? "GR" : prefix, code };
}

/** Ends with 0 even if the number is invalid, because the lookup itself succeeded. */
async function lookUp(context: CommandContext, parts: readonly string[]): Promise<void> {
  const number = readNumber(parts);
  const result = await context.withAppliance((appliance, mode) => appliance.taxIds.lookup(mode, number));
  if (result.source === "sandbox")
    await printNote(context.io, {
      en: "This is the sandbox's result. Add --live to ask the EU registry.",
      el: "Το αποτέλεσμα είναι του περιβάλλοντος δοκιμών. Με --live ερωτάται το μητρώο της ΕΕ.",
    });
  await printObject(context, result, [
    [{ en: "country", el: "χώρα" }, result.country],
    [{ en: "number", el: "αριθμός" }, result.code],
    [{ en: "valid", el: "έγκυρος" }, yesOrNo(result.valid)],
    [{ en: "name", el: "επωνυμία" }, result.name],
    [{ en: "address", el: "διεύθυνση" }, result.address],
    [{ en: "source", el: "πηγή" }, result.source],
    [{ en: "checked", el: "ελέγχθηκε στις" }, instantText(result.checked_at)],
  ]);
}
