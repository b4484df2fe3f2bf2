/** Tax numbers: their normal form, the Greek check digit, and which countries are in the EU. */

const SEPARATORS = /[\s.\-‐‑–]/gu;

/** spec, Party: spaces, hyphens and dots are removed and letters upper-cased before a number is checked. */
export function normaliseTaxCode(code: string): string {
  return code.replace(SEPARATORS, "").toUpperCase();
}

const AFM_FORM = /^[0-9]{9}$/;
/** Passes the sum, and belongs to nobody. */
const AFM_OF_NOBODY = "000000000";

/**
 * Whether `code` is a Greek tax number (ΑΦΜ): nine ASCII digits, of which the ninth is the sum of the first eight with
 * the weights 256, 128 … 2, modulo 11, modulo 10.
 */
export function isValidAfm(code: string): boolean {
  if (!AFM_FORM.test(code) || code === AFM_OF_NOBODY) return false;
  let sum = 0;
  for (let index = 0; index < 8; index += 1) sum = (sum + (code.charCodeAt(index) - 48)) * 2;
  return (sum % 11) % 10 === code.charCodeAt(8) - 48;
}

const EU_COUNTRIES = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
);

/** Whether the country is a member state. Northern Ireland (XI) is not one: it counts as one for goods only. */
export function isEuCountry(alpha2: string): boolean {
  return EU_COUNTRIES.has(alpha2);
}

/** Northern Ireland, in VAT numbers: inside the EU for goods, outside it for services. */
export const NORTHERN_IRELAND = "XI";

/** ISO 3166-1 alpha-2, officially assigned. */
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

/** Whether a customer may be of this country: officially assigned, or Northern Ireland. EL is a VAT prefix, not a country. */
export function isCountryCode(alpha2: string): boolean {
  return COUNTRIES.has(alpha2) || alpha2 === NORTHERN_IRELAND;
}
