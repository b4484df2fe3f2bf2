/** Answers lookups with test keys by the number alone (docs/contract.md#sandbox-lookups). All names and places are invented. */
import { isValidAfm } from "../domain/tax-number.ts";
import type { RegistryAnswer } from "./registry-answer.ts";
import type { TaxQuestion } from "./question.ts";

/** Greek numbers need a valid check digit, so two of them replace the codes used for other countries. */
const NOT_VALID_AFM = "099999999";
const UNAVAILABLE_AFM = "876543210";

/** The numbers of the EU registry's test service (docs/eu-registry.md#test-numbers). */
const NOT_VALID_CODE = "200";
const UNAVAILABLE_CODES: Readonly<Record<string, string>> = {
  "300": "SERVICE_UNAVAILABLE",
  "301": "MS_UNAVAILABLE",
};

/** Never returns `invalid_input`. */
export function answerFromSandbox({ country, code }: TaxQuestion): RegistryAnswer {
  const isGreek = country === "GR";
  const failure = Object.hasOwn(UNAVAILABLE_CODES, code)
    ? UNAVAILABLE_CODES[code]
    : isGreek && code === UNAVAILABLE_AFM && "MS_UNAVAILABLE";
  if (failure) return { kind: "no_answer", reason: "unavailable", code: failure };
  const isNotValid = isGreek ? code === NOT_VALID_AFM || !isValidAfm(code) : code === NOT_VALID_CODE;
  if (isNotValid) return { kind: "found", finding: { valid: false, name: null, address: null } };
  return { kind: "found", finding: { valid: true, ...(isGreek ? GREEK : FOREIGN) } };
}

/** In the format of the registry for Greece: legal name and title, street and place. */
const GREEK = { name: "ΥΠΟΔΕΙΓΜΑ ΕΜΠΟΡΙΚΗ ΑΕ||ΥΠΟΔΕΙΓΜΑ", address: "ΟΔΟΣ ΔΟΚΙΜΩΝ 1 10431 - ΑΘΗΝΑ" };
const FOREIGN = { name: "EXAMPLE TRADING COMPANY", address: "1 SAMPLE STREET, 10000 EXAMPLE TOWN" };
