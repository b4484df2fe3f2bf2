/** Checks the issue date of a document (docs/contract.md#issue-dates-and-closed-periods). Pure. */
import { dayBefore, dayText } from "../foundation/days.ts";
import { validationError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";

/** Throws `validation_failed` for a document of a closed period. `closedUntil` is its last day, or null. */
export function refuseClosedPeriod(issueDate: string, closedUntil: string | null, path: string): void {
  if (closedUntil === null || issueDate > closedUntil) return;
  const { en, el } = dayText(closedUntil);
  const message: Text = {
    en: `must be after ${en}, until which the merchant's books are closed (closed_until in its settings)`,
    el: `πρέπει να είναι μετά τις ${el}, έως τότε τα βιβλία της επιχείρησης έχουν κλείσει (closed_until στις ρυθμίσεις της)`,
    next: { operation: "updateMerchantSettings" },
  };
  throw validationError([{ path, message }]);
}

const LATE: Text = {
  en: "issue date: more than one day ago; the data of a sale are due at the tax authority by the next day",
  el: "ημερομηνία έκδοσης: πάνω από μία ημέρα πριν· τα στοιχεία μιας πώλησης διαβιβάζονται στην ΑΑΔΕ έως την επόμενη ημέρα",
};

/** `lastIssued` is the date of the document with the highest number that is issued in the counter, if known. */
export function warnAboutDate(issueDate: string, today: string, lastIssued: string | undefined): Text[] {
  const warnings = issueDate < dayBefore(today) ? [LATE] : [];
  if (lastIssued === undefined || issueDate >= lastIssued) return warnings;
  const { en, el } = dayText(lastIssued);
  const backwards = {
    en: `issue date: earlier than ${en}, the date of the last document issued in this series; numbers and dates should ascend together`,
    el: `ημερομηνία έκδοσης: πριν από τις ${el}, την ημερομηνία του τελευταίου παραστατικού της σειράς· αριθμοί και ημερομηνίες ανεβαίνουν μαζί`,
  };
  return [...warnings, backwards];
}
