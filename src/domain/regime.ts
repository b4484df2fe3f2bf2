/**
 * Checks what the law prescribes for a document: its date (docs/contract.md#issue-dates-and-closed-periods), its channel and its payments
 * (docs/contract.md#regime, docs/authority.md#regime). Pure.
 */
import { AppError, validationError } from "../foundation/errors.ts";
import { joinTexts, type Text } from "../foundation/text.ts";
import type { CanonicalDocument, Payment } from "./canonical-document.ts";
import { regionOf } from "./classification.ts";
import { typeInfo } from "./document-types.ts";
import type { ProviderDescription } from "./provider-adapter.ts";
import { dayBefore, dayText } from "../foundation/days.ts";

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

/** Empty: as the law says for the document's date. */
type Regime = "" | "warn" | "refuse" | "off";

export interface RegimeCheck {
  /** Undefined when the document may be issued. */
  refusal: Text | undefined;
  /** A preview shows them also when issuing is refused. */
  warnings: Text[];
}

const LICENSED_ONLY_FROM = "2026-10-01";
/** The end of the transition (Α.1128/2025). */
const REFUSED_FROM = "2027-01-01";

/** Gross cents of a document of which a part is paid in cash. */
const CASH_LIMIT = 50_000;

const MUST_USE_LICENSED_PROVIDER: Text = {
  en:
    "channel: since 1 October 2026 invoices and credit notes to customers in Greece or outside the EU must be issued through a " +
    "licensed provider or with the authority's own applications (timologio, myDATAapp), and this one goes straight to the " +
    "registry; until 31 December 2026 that is allowed only alongside a declared start",
  el:
    "κανάλι: από 1 Οκτωβρίου 2026 τα τιμολόγια και τα πιστωτικά προς πελάτες στην Ελλάδα ή εκτός ΕΕ εκδίδονται μέσω " +
    "αδειοδοτημένου παρόχου ή με τις εφαρμογές της ΑΑΔΕ (timologio, myDATAapp), ενώ αυτό πηγαίνει κατευθείαν στην ΑΑΔΕ· έως " +
    "31 Δεκεμβρίου 2026 αυτό επιτρέπεται μόνο παράλληλα με δηλωμένη έναρξη",
};

const AFTER_TRANSITION: Text = {
  en: "; documents dated 2027 or later are refused, unless the setting providers.registry_direct.regime says otherwise",
  el: "· όσα έχουν ημερομηνία από το 2027 και μετά δεν γίνονται δεκτά, εκτός αν η ρύθμιση providers.registry_direct.regime ορίζει αλλιώς",
};

const BY_CONFIGURATION: Text = {
  en: `; the configuration refuses it with regime = "refuse"`,
  el: `· το απορρίπτουν οι ρυθμίσεις με regime = "refuse"`,
};

const WOULD_BE_REFUSED: Text = {
  en: "; issuing it would be refused",
  el: "· η έκδοσή του δεν θα επιτραπεί",
};

const RETAIL_OVER_REGISTRY: Text = {
  en: "channel: retail receipts are issued by a fiscal device or through a licensed provider; this one goes straight to the registry",
  el: "κανάλι: οι αποδείξεις λιανικής εκδίδονται από φορολογικό μηχανισμό ή μέσω αδειοδοτημένου παρόχου· αυτή πηγαίνει κατευθείαν στην ΑΑΔΕ",
};

const UNSIGNED_CARD_PAYMENT: Text = {
  en: "payments: the card payment (pos) is sent without the signature of the terminal, which retail receipts must carry",
  el: "πληρωμές: η πληρωμή με κάρτα (pos) στέλνεται χωρίς την υπογραφή του τερματικού, που απαιτείται στις αποδείξεις λιανικής",
};

const LARGE_CASH_PAYMENT: Text = {
  en: "payments: a part is paid in cash, although the document is of 500 euros or more; such documents must be paid in full by card or through a bank",
  el: "πληρωμές: ένα μέρος πληρώνεται με μετρητά, ενώ το παραστατικό είναι 500 ευρώ ή περισσότερα· τέτοια παραστατικά εξοφλούνται ολόκληρα με κάρτα ή μέσω τράπεζας",
};

/** `payments` are those that are sent, so they include a payment in cash that is only assumed. */
export function checkRegime(
  document: CanonicalDocument,
  payments: readonly Payment[],
  provider: Pick<ProviderDescription, "isAuthority">,
  regime: Regime,
): RegimeCheck {
  const hasCash = payments.some(({ method, amount }) => method === "cash" && amount > 0);
  const cashWarnings = hasCash && document.totals.gross >= CASH_LIMIT ? [LARGE_CASH_PAYMENT] : [];
  if (provider.isAuthority !== true || regime === "off")
    return { refusal: undefined, warnings: cashWarnings };
  if (typeInfo(document.type).isRetail) {
    const hasCard = payments.some(({ method }) => method === "pos");
    const ofCard = hasCard ? [UNSIGNED_CARD_PAYMENT] : [];
    return { refusal: undefined, warnings: [RETAIL_OVER_REGISTRY, ...ofCard, ...cashWarnings] };
  }
  if (document.issue_date < LICENSED_ONLY_FROM || regionOf(document) === "eu")
    return { refusal: undefined, warnings: cashWarnings };
  const isRefused = regime === "refuse" || (regime === "" && document.issue_date >= REFUSED_FROM);
  if (!isRefused) return { refusal: undefined, warnings: [MUST_USE_LICENSED_PROVIDER, ...cashWarnings] };
  const reason = regime === "" ? AFTER_TRANSITION : BY_CONFIGURATION;
  const refusal = joinTexts([MUST_USE_LICENSED_PROVIDER, reason], "");
  return { refusal, warnings: [joinTexts([refusal, WOULD_BE_REFUSED], ""), ...cashWarnings] };
}

/** Throws `regime_mismatch` when the document may not be issued. */
export function refuseByRegime({ refusal }: RegimeCheck): void {
  if (refusal !== undefined) throw new AppError("regime_mismatch", refusal);
}
