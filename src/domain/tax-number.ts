/** Tax numbers: their normal form, the Greek check digit, and the countries of the EU. */

const SEPARATORS = /[\s.\-‐‑–]/gu;

/** Removes spaces, hyphens and dots and converts to upper case, before a number is checked (docs/contract.md#tax-numbers). */
export function normaliseTaxCode(code: string): string {
  return code.replace(SEPARATORS, "").toUpperCase();
}

/** Greece is EL in VAT numbers and GR everywhere else. */
const GREEK_PREFIX = "EL";

/** Reads `DE129273398`, `EL094012834` or, for a Greek number, `094012834`. */
export function readCustomerNumber(text: string): { country: string; code: string } {
  const whole = normaliseTaxCode(text);
  const [, prefix = "GR", code = whole] = /^([A-Z]{2})(.+)$/.exec(whole) ?? [];
  return { country: prefix === GREEK_PREFIX ? "GR" : prefix, code };
}

/** Reads a number to search for: `DE129273398` is one of Germany, `094012834` one of any country. */
export function readSearchedNumber(text: string): { country: string | undefined; code: string } {
  const { country, code } = readCustomerNumber(text);
  const whole = normaliseTaxCode(text);
  return whole !== code && isCountryCode(country) ? { country, code } : { country: undefined, code: whole };
}

const AFM_FORM = /^[0-9]{9}$/;
/** Has a valid check digit but is not assigned. */
const AFM_OF_NOBODY = "000000000";

/**
 * Whether `code` is a Greek tax number (ΑΦΜ): nine ASCII digits, where the ninth is the sum of the first eight weighted 256,
 * 128 … 2, modulo 11, modulo 10 (docs/eu-registry.md#check-digit).
 */
export function isValidAfm(code: string): boolean {
  if (!AFM_FORM.test(code) || code === AFM_OF_NOBODY) return false;
  let sum = 0;
  for (let index = 0; index < 8; index += 1) sum = (sum + (code.charCodeAt(index) - 48)) * 2;
  return (sum % 11) % 10 === code.charCodeAt(8) - 48;
}

/** Nine digits, with or without separators. */
const POSSIBLE_AFM = /(?<![0-9])[0-9](?:[._:-]?[0-9]){8}(?![0-9])/g;

/** The text with asterisks for each Greek tax number in it. */
export function maskTaxNumbers(text: string): string {
  return text.replace(POSSIBLE_AFM, (digits) =>
    isValidAfm(digits.replaceAll(/[^0-9]/g, "")) ? "*".repeat(9) : digits,
  );
}

const EU_COUNTRIES = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
);

/** Whether the country is a member state. Northern Ireland (XI) is not, though it counts as one for goods. */
export function isEuCountry(alpha2: string): boolean {
  return EU_COUNTRIES.has(alpha2);
}

/** The VAT prefix of Northern Ireland, which is in the EU for goods and outside it for services. */
export const NORTHERN_IRELAND = "XI";

/** The officially assigned codes of ISO 3166-1 alpha-2. */
const COUNTRIES = new Set(
  (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
    "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR " +
    "GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP " +
    "KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ " +
    "NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW " +
    "SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ " +
    "UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"
  ).split(" "),
);

/** Whether a customer's country may have this code. XI is accepted; EL is not, because it is only a VAT prefix. */
export function isCountryCode(alpha2: string): boolean {
  return COUNTRIES.has(alpha2) || alpha2 === NORTHERN_IRELAND;
}
