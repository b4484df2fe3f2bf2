/** Operations on the counters that number documents. */
import { type CounterObject, listCounters as listAll } from "../numbering/counters.ts";
import { field, idField } from "./field.ts";
import { LABELS } from "./labels.ts";
import { localOperation, wholeList } from "./operation.ts";

export const COUNTER_FIELDS = ["supplier", "branch", "type", "mode", "series", "next_number", "released"];

export const listCounters = localOperation({
  id: "listCounters",
  query: {
    merchant: field(
      idField("mer", "Only the counters of this merchant's tax number."),
      LABELS.merchant,
      "merchant <merchant>",
      {
        en: "only for this merchant's tax number: id or external id",
        el: "μόνο του ΑΦΜ αυτής της επιχείρησης: id ή εξωτερικό id",
      },
    ),
  },
  answers: "all",
  fields: COUNTER_FIELDS,
  verb: {
    summary: {
      en: "show the counters in use and the next number of each",
      el: "οι μετρητές σε χρήση και ο επόμενος αριθμός καθενός",
    },
    examples: ["fiscal numbering show --merchant shop"],
  },
  table: {
    none: {
      en: "No counters yet: the first document of a series creates one.",
      el: "Δεν υπάρχουν ακόμη μετρητές: τον δημιουργεί το πρώτο παραστατικό μιας σειράς.",
    },
    columns: [
      { head: { en: "supplier", el: "εκδότης" }, value: ({ supplier }: CounterObject) => supplier },
      { head: LABELS.branch, leaveOut: 1, align: "right", value: ({ branch }) => String(branch) },
      { head: LABELS.type, value: ({ type }) => type },
      { head: { en: "series", el: "σειρά" }, value: ({ series }) => series },
      {
        head: { en: "next number", el: "επόμενος αριθμός" },
        align: "right",
        value: (counter) => String(counter.next_number),
      },
      { head: { en: "released", el: "αποδεσμευμένοι" }, value: ({ released }) => released.join(", ") || "-" },
    ],
  },
  handle: async ({ context, mode, query: { merchant: merchantId } }) =>
    wholeList(await listAll(context, { mode, merchantId })),
});
