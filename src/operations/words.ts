/** The words that tables show for values of fixed sets: statuses, outcomes, yes and no. */
import type { Text } from "../foundation/text.ts";
import type { ValueText } from "./view.ts";

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
