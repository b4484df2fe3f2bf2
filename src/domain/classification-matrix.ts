/**
 * The income classifications that the authority allows for each type of document (docs/authority.md#classification-matrix).
 * Types are written without `E3_`, categories without `category`.
 */

import { type AuthorityType, authorityTypesOf, DOCUMENT_TYPES, isInvoice } from "./document-types.ts";

type Row = Partial<Record<string, string>>;

const GOODS_TO_BUSINESS = "561_001 561_002 561_007";
const OTHER_DOMESTIC = "561_007 562 563 564 565 566 567 568 570";
const ON_BEHALF_WHOLESALE = "881_001 881_003 881_004";
const ANY_CUSTOMER = "561_001 561_002 561_003 561_004 561_005 561_006 561_007";
const RETAIL_GOODS = "561_003 561_004 561_005 561_006 561_007";
const ANY_PARTY = "561_001 561_002 561_005 561_006 561_007";

/** Whatever any invoice allows: the credited document, and so its type, is not always known here. */
const AS_CREDITED = "as credited";

/** `-` in `1_95` means that the category needs no type. */
const MATRIX: Readonly<Record<AuthorityType, Row | typeof AS_CREDITED>> = {
  "1.1": {
    "1_1": GOODS_TO_BUSINESS,
    "1_2": GOODS_TO_BUSINESS,
    "1_3": `${GOODS_TO_BUSINESS} 563`,
    "1_4": "880_001",
    "1_5": `561_002 ${OTHER_DOMESTIC}`,
    "1_7": ON_BEHALF_WHOLESALE,
    "1_95": "- 596 597",
  },
  "1.2": {
    "1_1": "561_005 561_007",
    "1_2": "561_005 561_007",
    "1_3": "561_005 561_007",
    "1_4": "880_003",
    "1_5": "561_005 561_007 562 570",
    "1_7": "881_003",
    "1_95": "-",
  },
  "1.3": {
    "1_1": "561_006 561_007",
    "1_2": "561_006 561_007",
    "1_3": "561_006 561_007",
    "1_4": "880_004",
    "1_5": "561_006 561_007 562 570",
    "1_7": "881_004",
    "1_95": "-",
  },
  "2.1": { "1_3": `${GOODS_TO_BUSINESS} 563`, "1_5": OTHER_DOMESTIC, "1_95": "-" },
  "2.2": { "1_3": "561_005 561_007 563", "1_5": "561_005 561_007 562 570", "1_95": "-" },
  "2.3": { "1_3": "561_006 561_007 563", "1_5": "561_006 561_007 562 570", "1_95": "-" },
  "5.1": AS_CREDITED,
  "5.2": {
    "1_1": ANY_PARTY,
    "1_2": ANY_PARTY,
    "1_3": `${ANY_PARTY} 563`,
    "1_4": "880_001 880_003 880_004",
    "1_5": `561_002 561_005 561_006 ${OTHER_DOMESTIC}`,
    "1_7": ON_BEHALF_WHOLESALE,
    "1_95": "- 596 597",
  },
  "11.1": {
    "1_1": RETAIL_GOODS,
    "1_2": RETAIL_GOODS,
    "1_3": `${RETAIL_GOODS} 563`,
    "1_4": "880_002 880_003 880_004 561_007",
    "1_5": "561_007 562 563 570",
    "1_6": "595",
    "1_7": "881_002 881_003 881_004",
    "1_95": "-",
  },
  "11.2": {
    "1_3": "561_003 561_005 561_006 561_007 563",
    "1_5": "561_007 562 563 570",
    "1_6": "595",
    "1_95": "-",
  },
  "11.4": {
    "1_1": ANY_CUSTOMER,
    "1_2": ANY_CUSTOMER,
    "1_3": `${ANY_CUSTOMER} 563`,
    "1_4": "880_001 880_002 880_003 880_004 561_007",
    "1_5": `561_002 ${OTHER_DOMESTIC}`,
    "1_6": "595",
    "1_7": "881_001 881_002 881_003 881_004",
    "1_95": "-",
  },
};

/** The categories for earlier and later years allow every type of their row. */
const OF_OTHER_YEARS = ["1_8", "1_9"];

function pairsOf(row: Row): Set<string> {
  const pairs = new Set<string>();
  for (const [category, types] of Object.entries(row)) {
    for (const type of (types ?? "").split(" ")) {
      pairs.add(`${category} ${type}`);
      if (category !== "1_95") for (const year of OF_OTHER_YEARS) pairs.add(`${year} ${type}`);
    }
  }
  return pairs;
}

const INVOICE_TYPES = DOCUMENT_TYPES.filter(isInvoice).flatMap(authorityTypesOf);

function allowedPairs(row: Row | typeof AS_CREDITED): Set<string> {
  if (row !== AS_CREDITED) return pairsOf(row);
  return new Set(INVOICE_TYPES.flatMap((type) => [...allowedPairs(MATRIX[type])]));
}

const ALLOWED = new Map(Object.entries(MATRIX).map(([type, row]) => [type, allowedPairs(row)]));

const ALL_PAIRS = new Set([...ALLOWED.values()].flatMap((pairs) => [...pairs]));
const ALL_TYPES = new Set([...ALL_PAIRS].map((pair) => pair.split(" ")[1]!));

/**
 * Why the authority rejects a pair (docs/authority.md#matrix-codes):
 *
 * - `category`: the document type does not have the category (308)
 * - `unknown_type`: no document type has the income type (331)
 * - `type`: no document type has the income type in this category (307)
 * - `combination`: other document types have the pair (313)
 */
export type PairMisfit = "category" | "unknown_type" | "type" | "combination";

/**
 * Why a document that is sent as one of `sentTypes` cannot have the pair; undefined if it can. `type` is null when the category
 * has none. Several types are those of the documents that a credit note refers to: one of them must allow the pair.
 */
export function findPairMisfit(
  sentTypes: readonly string[],
  category: string,
  type: string | null,
): PairMisfit | undefined {
  const rows = sentTypes.map((sentType) => ALLOWED.get(sentType) ?? new Set<string>());
  const [shortCategory, shortType] = [category.replace("category", ""), type?.replace("E3_", "") ?? "-"];
  const pair = `${shortCategory} ${shortType}`;
  if (rows.some((pairs) => pairs.has(pair))) return undefined;
  const hasCategory = rows.some((pairs) => [...pairs].some((other) => other.startsWith(`${shortCategory} `)));
  if (!hasCategory) return "category";
  if (!ALL_TYPES.has(shortType)) return "unknown_type";
  return ALL_PAIRS.has(pair) ? "combination" : "type";
}
