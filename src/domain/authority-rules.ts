/**
 * The authority's rules that a valid document can still break, with the authority's codes (docs/authority.md#error-codes,
 * docs/contract.md#strict-sandbox). What the canonical document and the payload rule out is not repeated here. Pure.
 */
import type { Text } from "../foundation/text.ts";
import type { CanonicalDocument } from "./canonical-schema.ts";
import type { Pair } from "./classification.ts";
import { findPairMisfit, type PairMisfit } from "./classification-matrix.ts";
import { typeInfo } from "./document-types.ts";
import { NORTHERN_IRELAND } from "./tax-number.ts";
import { computeTotals } from "./totals.ts";

export interface Finding {
  code: string;
  /** Where and what, without the code: `line 2: the net amount is 0`. */
  message: Text;
  authorityMessage: string;
}

export interface SentContent {
  document: CanonicalDocument;
  sentType: string;
  /** One for each line. */
  pairs: readonly Pair[];
  /** The authority's types of the documents that a credit note credits; empty unless all are known. */
  creditedTypes: readonly string[];
}

interface DocumentRule {
  code: string;
  isBroken(sent: SentContent): boolean;
  message: Text;
  authorityMessage: string;
}

/** The authority's types of invoices to customers outside Greece. */
const ABROAD = /^[12]\.[23]$/;

const DOCUMENT_RULES: readonly DocumentRule[] = [
  {
    // docs/authority.md#counterpart-country
    code: "243",
    isBroken: ({ document, sentType }) =>
      sentType === "1.2" && document.customer?.tax_id.country === NORTHERN_IRELAND,
    message: {
      en: "customer: the authority has no code for Northern Ireland, and GB, which is sent instead, is outside the EU",
      el: "πελάτης: η ΑΑΔΕ δεν έχει κωδικό για τη Βόρεια Ιρλανδία, και το GB που στέλνεται στη θέση του είναι εκτός ΕΕ",
    },
    authorityMessage: "Counterpart's country for this invoice type must be in Europe but not Greece",
  },
  {
    // docs/authority.md#line-vat
    code: "215",
    isBroken: ({ document, sentType }) =>
      ABROAD.test(sentType) && document.lines.some((line) => line.vat_category !== "exempt"),
    message: {
      en: "customer: abroad, but lines carry VAT instead of an exemption and its cause",
      el: "πελάτης: εξωτερικού, αλλά υπάρχουν γραμμές με ΦΠΑ αντί για εξαίρεση με την αιτία της",
    },
    authorityMessage: "Vat category must have value 7 for this invoice type",
  },
  // docs/authority.md#tax-limits, for the three below
  {
    code: "237",
    isBroken: ({ document: { taxes = [], totals } }) => taxes.some(({ base = 0 }) => base > totals.net),
    message: {
      en: "taxes: a base is greater than the net total",
      el: "φόροι: μια υποκείμενη αξία είναι μεγαλύτερη από τη συνολική καθαρή αξία",
    },
    authorityMessage: "Underlying Value(s) of taxes cannot be greater than the total net value of invoice",
  },
  {
    code: "239",
    isBroken: ({ document: { taxes = [], totals } }) => taxes.some(({ amount }) => amount > totals.net),
    message: {
      en: "taxes: an amount is greater than the net total",
      el: "φόροι: ένα ποσό φόρου είναι μεγαλύτερο από τη συνολική καθαρή αξία",
    },
    authorityMessage: "Taxamount(s) of taxes cannot be greater than the total net value of invoice",
  },
  {
    code: "240",
    isBroken: ({ document: { taxes = [] } }) => taxes.some(({ base, amount }) => amount > (base ?? amount)),
    message: {
      en: "taxes: an amount is greater than its base",
      el: "φόροι: ένα ποσό φόρου είναι μεγαλύτερο από την υποκείμενη αξία του",
    },
    authorityMessage: "Taxamount of taxline cannot be greater than the corresponding underlying value",
  },
];

/** Every rule that the document breaks: first those about the whole document, then line by line. */
export function findBrokenRules(sent: SentContent): Finding[] {
  const { document, sentType, pairs, creditedTypes } = sent;
  const ofDocument = DOCUMENT_RULES.filter((rule) => rule.isBroken(sent)).map(
    ({ code, message, authorityMessage }) => ({ code, message, authorityMessage }),
  );
  // Credit notes with a document that they credit have its row of the matrix; other credit notes have a row of their own.
  const isCredit = creditedTypes.length > 0 && typeInfo(document.type).originalMarks === "required";
  const rows = isCredit ? [...new Set(creditedTypes)] : [sentType];
  const rowName = {
    en: isCredit ? `a credit note about type ${rows.join(", ")}` : `type ${sentType}`,
    el: isCredit ? `πιστωτικό που αφορά τύπο ${rows.join(", ")}` : `τον τύπο ${sentType}`,
  };
  const ofLines = computeTotals(document.lines).lines.flatMap(({ net }, index) => {
    const pair = pairs[index]!;
    const misfit = findPairMisfit(rows, pair.category, pair.type);
    const found = [
      ...(net === 0 ? [ZERO_LINE] : []),
      ...(misfit === undefined ? [] : [describeMisfit(misfit, pair, { sentType, rowName })]),
    ];
    return found.map(({ message: { en, el }, ...finding }) => ({
      ...finding,
      message: { en: `line ${index + 1}: ${en}`, el: `γραμμή ${index + 1}: ${el}` },
    }));
  });
  return [...ofDocument, ...ofLines];
}

/** docs/authority.md#zero-lines */
const ZERO_LINE: Finding = {
  code: "222",
  message: { en: "the net amount is 0", el: "η καθαρή αξία είναι 0" },
  authorityMessage: "NetValue must have value greater than 0 for this invoice type",
};

/** The finding about a pair (docs/authority.md#matrix-codes). `rowName` is the document type whose row of the matrix applies. */
function describeMisfit(
  misfit: PairMisfit,
  { category, type }: Pair,
  { sentType, rowName }: { sentType: string; rowName: Text },
): Finding {
  switch (misfit) {
    case "type":
      return {
        code: "307",
        message: {
          en: `${type} does not go with ${category}`,
          el: `ο τύπος εσόδου ${type} δεν συνδυάζεται με την κατηγορία ${category}`,
        },
        authorityMessage: `Classification type ${type} is forbidden for Classification category ${category}`,
      };
    case "category":
      return {
        code: "308",
        message: {
          en: `${category} is not allowed for ${rowName.en}`,
          el: `η κατηγορία ${category} δεν επιτρέπεται για ${rowName.el}`,
        },
        authorityMessage: `Classification category ${category} is forbidden for Invoice type ${sentType}`,
      };
    case "combination":
      return {
        code: "313",
        message: {
          en: `${category} ${type === null ? "without a type" : `with ${type}`} is not allowed for ${rowName.en}`,
          el: `η κατηγορία ${category} ${type === null ? "χωρίς τύπο εσόδου" : `με τύπο εσόδου ${type}`} δεν επιτρέπεται για ${rowName.el}`,
        },
        authorityMessage: `Classification type ${type ?? ""} is forbidden for Classification category ${category} combined with invoice type ${sentType}`,
      };
    case "unknown_type":
      return {
        code: "331",
        message: {
          en: `no document type may have ${type}`,
          el: `ο τύπος εσόδου ${type} δεν προβλέπεται για κανέναν τύπο παραστατικού`,
        },
        authorityMessage: `Could not load/found valid validation doc for classification with category ${category} and type ${type}`,
      };
  }
}

export type Rejecter = "authority" | "strict sandbox";

const CONSEQUENCES: Readonly<Record<Rejecter, Text>> = {
  authority: { en: "the authority would reject the document", el: "η ΑΑΔΕ θα απέρριπτε το παραστατικό" },
  "strict sandbox": {
    en: "the sandbox rejects the document, as the authority would",
    el: "το sandbox απορρίπτει το παραστατικό, όπως θα έκανε η ΑΑΔΕ",
  },
};

/** `line 2: the net amount is 0; the authority would reject the document (222)`. */
export function warningOf({ code, message }: Finding, rejecter: Rejecter): Text {
  const { en, el } = CONSEQUENCES[rejecter];
  return { en: `${message.en}; ${en} (${code})`, el: `${message.el}· ${el} (${code})` };
}
