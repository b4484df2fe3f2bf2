/** Operations on the counters that number documents. */
import * as v from "valibot";
import { MODES, NUMBER_FATES } from "../../storage/stored-values.ts";
import { TYPE_WORDS } from "../domain/document-codes.ts";
import { DOCUMENT_TYPES } from "../domain/document-types.ts";
import { NUMBER_MAX, SeriesSchema } from "../domain/series.ts";
import { integerBetween } from "../foundation/field-schemas.ts";
import type { Text } from "../foundation/text.ts";
import { parseWith } from "../foundation/validation.ts";
import type { AuditedCounter } from "../numbering/audit-numbers.ts";
import { type CounterObject, listCounters as listAll, setCounter as set } from "../numbering/counters.ts";
import { field, idField, wordField } from "./field.ts";
import { data, localOperation, wholeList } from "./operation.ts";
import { type Column, countText, LABELS, rowsFrom, wordText } from "./view.ts";

const FIELDS = ["supplier", "branch", "type", "mode", "series", "next_number", "released"];

const SUPPLIER = { en: "supplier", el: "εκδότης" };
const SERIES = { en: "series", el: "σειρά" };
const NEXT_NUMBER = { en: "next number", el: "επόμενος αριθμός" };

const COLUMNS: readonly Column<CounterObject>[] = [
  { head: SUPPLIER, value: ({ supplier }) => supplier },
  { head: LABELS.branch, leaveOut: 1, align: "right", value: ({ branch }) => String(branch) },
  { head: LABELS.type, value: ({ type }) => type },
  { head: SERIES, value: ({ series }) => series },
  { head: NEXT_NUMBER, align: "right", value: (counter) => String(counter.next_number) },
  { head: { en: "released", el: "αποδεσμευμένοι" }, value: ({ released }) => released.join(", ") || "-" },
];

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
  fields: FIELDS,
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
    columns: COLUMNS,
  },
  handle: async ({ context, mode, query: { merchant: merchantId } }) =>
    wholeList(await listAll(context, { mode, merchantId })),
});

const SetSchema = v.strictObject({
  type: v.picklist(DOCUMENT_TYPES),
  series: v.optional(SeriesSchema),
  next: integerBetween(1, NUMBER_MAX),
});

export const setCounter = localOperation({
  id: "setCounter",
  body: SetSchema,
  fields: FIELDS,
  verb: {
    merchant: "required",
    summary: {
      en: "continue from a higher number, for example that of another program",
      el: "συνεχίζει από μεγαλύτερο αριθμό, για παράδειγμα άλλου προγράμματος",
    },
    flags: {
      type: {
        name: "type <type>",
        words: DOCUMENT_TYPES,
        meanings: TYPE_WORDS,
        help: { en: "document type, for example 1.1", el: "τύπος παραστατικού, για παράδειγμα 1.1" },
        ask: { en: "Document type", el: "Τύπος παραστατικού" },
      },
      series: {
        name: "series <series>",
        help: { en: "series (default: that of the type)", el: "η σειρά (αν λείπει: εκείνη του τύπου)" },
      },
      next: {
        name: "next <number>",
        kind: "integer",
        help: {
          en: "number of the next document; it can only increase",
          el: "ο αριθμός του επόμενου παραστατικού· μόνο αυξάνεται",
        },
        ask: { en: "Next number", el: "Επόμενος αριθμός" },
      },
    },
    examples: ["fiscal --live numbering set --merchant shop --type 1.1 --next 1043"],
  },
  rows: rowsFrom(COLUMNS, ({ mode }) => [[LABELS.mode, wordText(mode)]]),
  async handle({ context, mode, id, body }) {
    const { next, ...counter } = parseWith(SetSchema, body, "");
    return data(await set(context, { mode, merchantId: id, nextNumber: next, ...counter }));
  },
});

export const auditNumbers = localOperation({
  id: "auditNumbers",
  query: { mode: wordField(MODES, "Only the numbers of this mode.") },
  fields: ["counters", "holes", "backwards"],
  verb: {
    summary: {
      en: "account for every number of both modes, or of live mode with --live; exit 1 if one is missing",
      el: "εξηγεί κάθε αριθμό και των δύο λειτουργιών ή, με --live, της παραγωγικής· κωδικός 1 όταν λείπει κάποιος",
    },
    examples: ["fiscal numbering audit --json"],
  },
  async handle({ context, query }) {
    const { auditNumbering } = await import("../numbering/audit-numbers.ts");
    return data(await auditNumbering(context, query));
  },
});

/** How many numbers of a counter are in one of these states. */
function countOf({ numbers }: AuditedCounter, ...states: AuditedCounter["numbers"][number]["state"][]): Text {
  const found = numbers.filter(({ state }) => states.includes(state));
  return countText(found.reduce((sum, { number, through }) => sum + (through ?? number) - number + 1, 0));
}

export const AUDIT_COLUMNS: readonly Column<AuditedCounter>[] = [
  { head: SUPPLIER, value: ({ supplier }) => supplier },
  { head: LABELS.mode, value: ({ mode }) => wordText(mode) },
  { head: LABELS.type, value: ({ type }) => type },
  { head: SERIES, value: ({ series }) => series },
  {
    head: { en: "issued", el: "εκδόθηκαν" },
    align: "right",
    value: (counter) => countOf(counter, "issued"),
  },
  {
    head: { en: "reserved", el: "δεσμευμένοι" },
    align: "right",
    value: (counter) => countOf(counter, "reserved"),
  },
  {
    head: { en: "released, abandoned, skipped", el: "αποδεσμευμένοι, εγκαταλειμμένοι, παρακαμφθέντες" },
    align: "right",
    value: (counter) => countOf(counter, ...NUMBER_FATES),
  },
];
