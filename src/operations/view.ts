/** How people see objects: the columns of a list and the rows of one object, with the labels, words, amounts and instants that they share. */
import type { ErrorObject } from "../foundation/errors.ts";
import { textOfError } from "../foundation/stored-texts.ts";
import { joinTexts, sameInBoth, type Text } from "../foundation/text.ts";
import { instantText as athensText } from "../foundation/clock.ts";
import { dayText as writtenDay } from "../foundation/days.ts";
import { euroText, greekDecimal } from "../foundation/money.ts";
import type { ChecklistItem } from "../upkeep/live-checklist.ts";

/** A text with the value that it was made of, which an interface may show in its own way. An amount is in cents. */
export interface ValueText extends Text {
  readonly of: {
    readonly kind: "instant" | "day" | "amount" | "number" | "word";
    readonly value: string;
    /** What the text has after the value. */
    readonly rest?: Text;
  };
}

/** Labels that read the same in both languages. */
export type SameWord = "id" | "uid" | "qr" | "url" | "ms" | "bytes" | "sha256" | "x-request-id";

export interface Column<T> {
  head: Text | SameWord;
  align?: "left" | "right";
  /** A status, shown in the colour of its meaning. */
  isStatus?: true;
  /** It names the item. Without such a column, the first one after the id does. */
  isName?: true;
  /** A long text for people, which wraps if the table is too wide. */
  wraps?: boolean;
  /** A text of which the beginning is enough, such as a name: it ends in `…` if the table is too wide. */
  shortens?: boolean;
  /** Columns are left out in this order, 1 first, if the table is still too wide. One without is always shown. */
  leaveOut?: number;
  /** A text is shown in the reader's language; a string is data and stays as it is. */
  value(item: T): Text | string;
}

/** A value of one object with its label. Null is shown as `-`. */
export type Row = readonly [label: Text | SameWord, value: Text | string | number | boolean | null];

/** The rows of an item: those of its columns, and more. */
export function rowsFrom<Item>(columns: readonly Column<Item>[], more: (item: Item) => Row[] = () => []) {
  return (item: Item): Row[] => [
    ...columns.map(({ head, value }): Row => [head, value(item)]),
    ...more(item),
  ];
}

/** The rows of an error; none if it is null. */
export function errorRows(
  error: Omit<ErrorObject, "retryable"> | null,
  label: Text = { en: "error", el: "σφάλμα" },
): Row[] {
  if (error === null) return [];
  return [
    [label, joinTexts([sameInBoth(error.code), textOfError(error)], ": ")],
    [{ en: "provider code", el: "κωδικός παρόχου" }, error.provider_code],
    [{ en: "provider message", el: "μήνυμα παρόχου" }, error.provider_message],
  ];
}

/** The labels that several objects share, in lists, details and filters. */
export const LABELS = {
  branch: { en: "branch", el: "εγκατάσταση" },
  country: { en: "country", el: "χώρα" },
  customer: { en: "customer", el: "πελάτης" },
  created: { en: "created", el: "δημιουργία" },
  document: { en: "document", el: "παραστατικό" },
  events: { en: "events", el: "συμβάντα" },
  externalId: { en: "external id", el: "εξωτερικό id" },
  mark: { en: "MARK", el: "ΜΑΡΚ" },
  gross: { en: "gross", el: "σύνολο" },
  merchant: { en: "merchant", el: "επιχείρηση" },
  mode: { en: "mode", el: "λειτουργία" },
  name: { en: "name", el: "επωνυμία" },
  number: { en: "number", el: "αριθμός" },
  operation: { en: "operation", el: "ενέργεια" },
  provider: { en: "provider", el: "πάροχος" },
  reference: { en: "reference", el: "αναφορά" },
  status: { en: "status", el: "κατάσταση" },
  taxNumber: { en: "tax number", el: "ΑΦΜ" },
  type: { en: "type", el: "τύπος" },
} as const satisfies Record<string, Text>;

const GREEK: Readonly<Record<string, string>> = {
  yes: "ναι",
  no: "όχι",
  never: "ποτέ",
  nothing: "τίποτα",
  mail: "email",
  valid: "έγκυρο",
  invalid: "δεν ισχύει",
  active: "ισχύει",
  disconnected: "αποσυνδεδεμένη",
  pending: "εκκρεμεί",
  issued: "εκδόθηκε",
  rejected: "απορρίφθηκε",
  refused: "απορρίφθηκε",
  failed: "απέτυχε",
  cancelled: "ακυρώθηκε",
  queued: "στη σειρά",
  submitting: "στέλνεται",
  awaiting_mark: "αναμένει ΜΑΡΚ",
  reconciling: "διασταυρώνεται",
  ok: "εντάξει",
  transient: "προσωρινή αποτυχία",
  unknown: "άγνωστη",
  not_supported: "δεν υποστηρίζεται",
  enabled: "ενεργό",
  disabled: "ανενεργό",
  failing: "όλα αποτυγχάνουν",
  delivered: "παραδόθηκε",
  held: "κρατείται",
  notice: "προσοχή",
  problem: "πρόβλημα",
  test: "δοκιμαστική",
  live: "παραγωγική",
};

/** A status, outcome or other value of a fixed set; one without a Greek word stays as it is. Never for data. */
export function wordText(value: string): ValueText {
  return { en: value, el: GREEK[value] ?? value, of: { kind: "word", value } };
}

export function yesOrNo(value: boolean): Text {
  return wordText(value ? "yes" : "no");
}

/** The words that a flag takes, with their Greek in brackets: `pending (εκκρεμεί), issued (εκδόθηκε)`. */
export function listWords(words: readonly string[]): Text {
  const inGreek = words.map((word) => `${word} (${wordText(word).el})`);
  return { en: words.join(", "), el: inGreek.join(", ") };
}

/** `2025-11-22`, in Greek `22/11/2025`. */
export function dayText(day: string): ValueText {
  return { ...writtenDay(day), of: { kind: "day", value: day } };
}

/** `1234.50 EUR`, in Greek `1.234,50 EUR`. */
export function moneyText(cents: number | bigint): ValueText {
  const { en, el, of } = amountText(cents);
  return { en: `${en} EUR`, el: `${el} EUR`, of };
}

/** The same without the currency. */
export function amountText(cents: number | bigint): ValueText {
  return { ...euroText(cents), of: { kind: "amount", value: String(cents) } };
}

/** A number of things: `1234`, in Greek `1.234`. Not for numbers that are names, such as those of documents. */
export function countText(count: number): ValueText {
  return decimalText(String(count));
}

/** A number with its decimals: `1234.5`, in Greek `1.234,5`. */
export function decimalText(number: string): ValueText {
  return { en: number, el: greekDecimal(number), of: { kind: "number", value: number } };
}

/** A value with what comes after it. */
export function followedBy(value: ValueText, rest: Text): ValueText {
  return { ...joinTexts([value, rest], ""), of: { ...value.of, rest } };
}

/** A time of Athens for people. */
export function instantText(instant: string): ValueText {
  return { ...athensText(instant), of: { kind: "instant", value: instant } };
}

/** The same, and `-` for null. */
export function optionalInstantText(instant: string | null): Text | string {
  return instant === null ? "-" : instantText(instant);
}

/** What is missing before a merchant may go live. */
export const CHECKLIST_COLUMNS: readonly Column<ChecklistItem>[] = [
  { head: { en: "ready", el: "έτοιμο" }, isStatus: true, value: ({ ok }) => yesOrNo(ok) },
  { head: { en: "what", el: "τι" }, value: ({ what }) => what, wraps: true },
];
