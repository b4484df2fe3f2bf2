/** The statement of a customer for people, in the terminal and the console. */
import { numberOf, STATEMENT_HEADS, type StatementRow } from "../books/statement.ts";
import { amountText, type Column, dayText, LABELS } from "./view.ts";

export const STATEMENT_COLUMNS: readonly Column<StatementRow>[] = [
  { head: STATEMENT_HEADS.date, value: ({ issue_date: day }) => dayText(day) },
  { head: LABELS.type, value: ({ type }) => type },
  { head: STATEMENT_HEADS.number, isName: true, value: numberOf },
  { head: STATEMENT_HEADS.mark, leaveOut: 1, value: ({ mark }) => mark ?? "-" },
  { head: STATEMENT_HEADS.amount, align: "right", value: ({ amount }) => amountText(amount) },
  { head: STATEMENT_HEADS.sum, align: "right", value: ({ sum }) => amountText(sum) },
];

export const EMPTY_STATEMENT = {
  en: "No issued documents for this customer in this period.",
  el: "Δεν υπάρχουν παραστατικά που εκδόθηκαν για αυτόν τον πελάτη σε αυτό το διάστημα.",
};

export const STATEMENT_NOTE = {
  en: "In euro, by issue date: what is payable. Credit notes are negative; cancelled documents are not included.",
  el: "Σε ευρώ, κατά ημερομηνία έκδοσης: το πληρωτέο. Τα πιστωτικά είναι αρνητικά, τα ακυρωμένα δεν μετρούν.",
};
