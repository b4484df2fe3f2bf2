/** A difference between the documents here and at the provider (docs/contract.md#reconcile), with its explanation. */
import { euroText } from "../foundation/money.ts";
import { joinTexts, SEMICOLON, type Text } from "../foundation/text.ts";
import type { ListedDocument } from "./provider-documents.ts";

export type DifferenceKind =
  | "missing_here"
  | "missing_there"
  | "doubled"
  | "cancelled_there"
  | "cancelled_here"
  | "differs";

export interface Difference {
  kind: DifferenceKind;
  /** `doc_...`; null if it is not about one document here. */
  document: string | null;
  mark: string | null;
  uid: string | null;
  detail: Text;
}

const TYPE = { en: "type", el: "τύπος" } as const;

function dayIn(language: "en" | "el", day: string): string {
  return language === "en" ? day : day.split("-").reverse().join("/");
}

export const DETAILS = {
  missingThere: {
    en: "issued here, but the provider does not list it under this MARK",
    el: "εκδόθηκε εδώ, αλλά ο πάροχος δεν το δείχνει με αυτό το ΜΑΡΚ",
  },
  cancelledThere: {
    en: "cancelled at the provider, but not here; cancelling it here records that",
    el: "ακυρώθηκε στον πάροχο αλλά όχι εδώ· η ακύρωσή του και εδώ την καταγράφει",
    next: { operation: "cancelDocument" },
  },
  cancelledHere: {
    en: "cancelled here, but not at the provider; cancel it there",
    el: "ακυρώθηκε εδώ αλλά όχι στον πάροχο· ακυρώστε το εκεί",
  },
  adoptable: {
    en: "the provider has it, but here it has no MARK; take this MARK over",
    el: "ο πάροχος το έχει, αλλά εδώ δεν έχει ΜΑΡΚ· πάρτε αυτό το ΜΑΡΚ",
    next: { operation: "adoptMarks" },
  },
  underWay: {
    en: "the provider has it, and here it is still being sent; run this again later",
    el: "ο πάροχος το έχει και εδώ στέλνεται ακόμη· δοκιμάστε ξανά αργότερα",
  },
  rejectedHere: {
    en: "the provider has it, but here it is rejected; check it there, and cancel it there if it should not exist",
    el: "ο πάροχος το έχει, αλλά εδώ έχει απορριφθεί· ελέγξτε το εκεί και ακυρώστε το αν δεν πρέπει να υπάρχει",
  },
  otherTotals: {
    en: "the provider has another document with its series and number, and other totals; find out which program uses the series",
    el: "ο πάροχος έχει άλλο παραστατικό με την ίδια σειρά και αριθμό και άλλα σύνολα· βρείτε ποιο πρόγραμμα χρησιμοποιεί τη σειρά",
  },
  lowerMark: {
    en: "registered twice: a higher MARK counts, and this one is not cancelled; cancel it",
    el: "καταχωρίστηκε δύο φορές: μετρά το μεγαλύτερο ΜΑΡΚ και αυτό δεν έχει ακυρωθεί· ακυρώστε το",
    next: { operation: "cancelSurplusMarks" },
  },
  leftAfterCancellation: {
    en: "the document is cancelled, but it was registered twice and this MARK is not cancelled; cancel it at the provider",
    el: "το παραστατικό ακυρώθηκε, αλλά είχε καταχωριστεί δύο φορές και αυτό το ΜΑΡΚ δεν έχει ακυρωθεί· ακυρώστε το στον πάροχο",
  },
  unknownTwice: {
    en: "registered twice by another program, and neither MARK is cancelled; decide there which one is right",
    el: "καταχωρίστηκε δύο φορές από άλλο πρόγραμμα και κανένα ΜΑΡΚ δεν έχει ακυρωθεί· αποφασίστε εκεί ποιο ισχύει",
  },
} as const satisfies Record<string, Text>;

/** `own` stays the document's MARK; the one that counts at the authority is the higher one. */
export function describeLaterMark(own: string, isOwnCancelled: boolean): Text {
  return isOwnCancelled
    ? {
        en: `registered again later: the authority counts this MARK, and ${own} on the document is cancelled there. The document keeps ${own}; give the customer this MARK, or issue it again and cancel the document, which cancels both`,
        el: `καταχωρίστηκε ξανά αργότερα: για την ΑΑΔΕ μετρά αυτό το ΜΑΡΚ, και το ${own} του παραστατικού είναι ακυρωμένο εκεί. Το παραστατικό κρατά το ${own}· δώστε στον πελάτη αυτό το ΜΑΡΚ, ή εκδώστε το ξανά και ακυρώστε το παραστατικό, οπότε ακυρώνονται και τα δύο`,
        next: { operation: "cancelDocument" },
      }
    : {
        en: `registered again later: the authority counts this higher MARK, and ${own} on the document may count too. Either cancel the document, which cancels both, and issue it again, or cancel only ${own} there, which the document keeps`,
        el: `καταχωρίστηκε ξανά αργότερα: για την ΑΑΔΕ μετρά αυτό το μεγαλύτερο ΜΑΡΚ, και ίσως μετρά και το ${own} του παραστατικού. Ή ακυρώστε το παραστατικό, οπότε ακυρώνονται και τα δύο, και εκδώστε ξανά, ή ακυρώστε εκεί μόνο το ${own}, που το παραστατικό κρατά`,
        next: { operation: "cancelSurplusMarks" },
      };
}

/** `TIM 12 (2026-10-03): ` before what is said about a document here, which people know by this name. */
export function withName(
  { series, number, issueDate }: { series: string | null; number: string | null; issueDate: string },
  detail: Text,
): Text {
  const name = nameOf(series, number);
  const named = (language: "en" | "el") => `${name} (${dayIn(language, issueDate)})`.trim();
  return joinTexts([{ en: named("en"), el: named("el") }, detail], ": ");
}

/** `not issued here: type 1.1, TIM 12, 2026-10-03, 10.33 EUR`, as far as the provider shows it. */
export function describeMissingHere({ type, series, number, issueDate, totals }: ListedDocument): Text {
  const gross = totals.gross === null ? undefined : euroText(totals.gross);
  const parts = (language: "en" | "el") =>
    [
      type === null ? "" : `${TYPE[language]} ${type}`,
      nameOf(series, number),
      issueDate === null ? "" : dayIn(language, issueDate),
      gross === undefined ? "" : `${gross[language]} EUR`,
    ]
      .filter((part) => part !== "")
      .join(", ");
  return { en: `not issued here: ${parts("en")}`, el: `δεν εκδόθηκε εδώ: ${parts("el")}` };
}

function nameOf(series: string | null, number: string | null): string {
  return [series, number].filter((part) => part !== null).join(" ");
}

export interface Unequal {
  name: Text;
  here: Text;
  there: Text;
}

/** `net: here 10.00, there 12.00`. */
export function describeUnequal(unequal: readonly Unequal[]): Text {
  const parts = unequal.map(({ name, here, there }) => ({
    en: `${name.en}: here ${here.en}, there ${there.en}`,
    el: `${name.el}: εδώ ${here.el}, εκεί ${there.el}`,
  }));
  return joinTexts(parts, SEMICOLON);
}

export function describeRefusal(kind: "rejected" | "deviates", refusalMark: string | null): Text {
  const named = refusalMark === null ? "" : ` (${refusalMark})`;
  return kind === "rejected"
    ? {
        en: `the customer rejected it at the authority${named}; agree with the customer, and credit or cancel it`,
        el: `ο πελάτης το απέρριψε στην ΑΑΔΕ${named}· συνεννοηθείτε μαζί του και εκδώστε πιστωτικό ή ακυρώστε το`,
      }
    : {
        en: `the customer declared other amounts for it at the authority${named}; compare them with the customer`,
        el: `ο πελάτης δήλωσε γι' αυτό άλλα ποσά στην ΑΑΔΕ (απόκλιση)${named}· συγκρίνετέ τα μαζί του`,
      };
}
