/**
 * Finds what does not fit the authority's schema before a number is used. One such document fails its whole message, so
 * documents are checked on acceptance and again before sending. The authority's other rules are in
 * src/domain/authority-rules.ts. Pure.
 */
import type { Problem } from "../../foundation/errors.ts";
import type { CanonicalDocument } from "../../domain/canonical-document.ts";

/** Bonaire, Curaçao, South Sudan and Sint Maarten have no code in the schema (SimpleTypes 2.0.2, CountryType). */
const COUNTRIES_WITHOUT_CODE: ReadonlySet<string> = new Set(["BQ", "CW", "SS", "SX"]);

/** MARKs are xs:long in the schema. */
const MARK_MAX = 2n ** 63n - 1n;

export function checkForRegistry(document: CanonicalDocument) {
  return { problems: findProblems(document), warnings: [], code: "validation_failed" } as const;
}

/** Why the document cannot be sent; empty if it can. Paths are relative to the document. */
function findProblems(document: CanonicalDocument): Problem[] {
  const problems: Problem[] = [];
  if (COUNTRIES_WITHOUT_CODE.has(document.customer?.tax_id.country ?? "")) {
    const message = {
      en: "is a country without a code in the authority's schema; the authority would refuse the document (101)",
      el: "είναι χώρα χωρίς κωδικό στο σχήμα της ΑΑΔΕ· η ΑΑΔΕ θα απέρριπτε το παραστατικό (101)",
    };
    problems.push({ path: "customer.tax_id.country", message });
  }
  for (const [index, mark] of (document.original_marks ?? []).entries()) {
    if (BigInt(mark) > MARK_MAX) {
      const message = {
        en: `must be at most ${MARK_MAX}: the authority has no larger MARKs and refuses them (101)`,
        el: `πρέπει να είναι το πολύ ${MARK_MAX}: η ΑΑΔΕ δεν έχει μεγαλύτερα ΜΑΡΚ και τα απορρίπτει (101)`,
      };
      problems.push({ path: `original_marks[${index}]`, message });
    }
  }
  const { totals, payments = [] } = document;
  // All other amounts are at most 10^15, which fits.
  const amounts = [
    ...payments.map(({ amount }, index) => [`payments[${index}].amount`, amount] as const),
    ["totals.gross", totals.gross] as const,
  ];
  for (const [path, cents] of amounts) {
    if (fitsSchema(cents)) continue;
    const message = {
      en: `has more than the ${DIGITS_MAX} digits that the authority's schema allows (101); split the document`,
      el: `έχει περισσότερα από τα ${DIGITS_MAX} ψηφία που επιτρέπει το σχήμα της ΑΑΔΕ (101)· χωρίστε το παραστατικό`,
    };
    problems.push({ path, message });
  }
  return problems;
}

/**
 * SimpleTypes 2.0.2, AmountType: 15 digits, two of them cents. A trailing zero does not count, so an amount of 16
 * digits fits if its cents are a multiple of ten.
 */
const DIGITS_MAX = 15;

function fitsSchema(cents: number): boolean {
  return cents < 10 ** DIGITS_MAX || cents % 10 === 0;
}
