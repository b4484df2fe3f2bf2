/** Looks up tax numbers. */
import { LOOKUP_COUNTRIES, TaxIdLookupObjectSchema } from "../domain/tax-number.ts";
import { instantText, LABELS, yesOrNo } from "./view.ts";
import { data, operationsOf } from "./operation.ts";
import { requiredField, textField, wordField } from "./field.ts";

const CODE_LENGTH_MAX = 60;

export const lookupTaxId = operationsOf("tax numbers")({
  id: "lookupTaxId",
  method: "GET",
  path: "/tax_ids/lookup",
  summary: "Look up a tax number",
  description:
    "Checks a tax number of the EU, for example before invoicing it. A live key asks the EU registry, whose answers are reused for up to a day. A test key asks the sandbox, where GR 099999999, code 200 of any country and a Greek code that is no tax number are not valid, GR 876543210 and codes 300 and 301 of any country respond 503, and everything else is valid with an invented name. Nine Greek digits with a wrong check digit are refused without asking anyone.",
  query: {
    country: requiredField(
      wordField(LOOKUP_COUNTRIES, "The member state, GR for Greece, or XI for Northern Ireland."),
    ),
    code: requiredField(
      textField(
        CODE_LENGTH_MAX,
        "The number without its country prefix; spaces, hyphens and dots are removed.",
      ),
    ),
  },
  response: TaxIdLookupObjectSchema,
  errors: ["service_unavailable"],
  verb: {
    argument: "number...",
    summary: {
      en: "check whether a VAT number is valid: in the EU registry with --live, otherwise in the sandbox",
      el: "ελέγχει αν ένας αριθμός ΦΠΑ ισχύει: με --live στο μητρώο της ΕΕ, αλλιώς στο περιβάλλον δοκιμών",
    },
    examples: ["fiscal tax-id lookup GR 123456783", "fiscal --live tax-id lookup EL123456783 --json"],
  },
  rows: (result) => [
    [LABELS.country, result.country],
    [LABELS.number, result.code],
    [{ en: "valid", el: "έγκυρος" }, yesOrNo(result.valid)],
    [LABELS.name, result.name],
    [{ en: "address", el: "διεύθυνση" }, result.address],
    [{ en: "source", el: "πηγή" }, result.source],
    [{ en: "checked", el: "ελέγχθηκε στις" }, instantText(result.checked_at)],
  ],
  handle: async ({ context, mode, query, countLookup }) =>
    data(await context.taxIds.lookup(mode, query, countLookup)),
});
