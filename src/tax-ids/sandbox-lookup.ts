/** The answers to test keys (decisions 8): by the number alone, without a network. Every name and place is invented. */
import type { RegistryAnswer } from "./registry-answer.ts";
import type { TaxQuestion } from "./question.ts";

/** Greek numbers must have their check digit, so that two of them stand for the codes of the other countries. */
const NOT_VALID_AFM = "099999999";
const UNAVAILABLE_AFM = "876543210";

/** As the EU registry's own test service numbers its scenes (providers facts D). */
const NOT_VALID_CODE = "200";
const UNAVAILABLE_CODES: Readonly<Record<string, string>> = {
  "300": "SERVICE_UNAVAILABLE",
  "301": "MS_UNAVAILABLE",
};

/** The sandbox's answer to a question; never `invalid_input`. */
export function answerFromSandbox({ country, code }: TaxQuestion): RegistryAnswer {
  const isGreek = country === "GR";
  if (code === (isGreek ? NOT_VALID_AFM : NOT_VALID_CODE))
    return { kind: "found", finding: { valid: false, name: null, address: null } };
  const failure = isGreek
    ? code === UNAVAILABLE_AFM && "MS_UNAVAILABLE"
    : Object.hasOwn(UNAVAILABLE_CODES, code) && UNAVAILABLE_CODES[code];
  if (failure) return { kind: "no_answer", reason: "unavailable", code: failure };
  return { kind: "found", finding: { valid: true, ...(isGreek ? GREEK : FOREIGN) } };
}

/** Legal name and title, street and place, parted as the registry parts them for Greece. */
const GREEK = { name: "ΥΠΟΔΕΙΓΜΑ ΕΜΠΟΡΙΚΗ ΑΕ||ΥΠΟΔΕΙΓΜΑ", address: "ΟΔΟΣ ΔΟΚΙΜΩΝ 1 10431 - ΑΘΗΝΑ" };
const FOREIGN = { name: "EXAMPLE TRADING COMPANY", address: "1 SAMPLE STREET, 10000 EXAMPLE TOWN" };
