/**
 * Warns about exemption causes that contradict the type of the document or the customer's country
 * (docs/contract.md#exemption-causes-that-do-not-fit). Only clear contradictions are reported. Pure.
 */
import type { Text } from "../foundation/text.ts";
import { type DocumentType, isInvoice, type Market, typeInfo } from "./document-types.ts";

export interface ExemptLine {
  cause: number;
  type: DocumentType;
  /** Retail documents have no customer and count as Greece. */
  market: Market;
  /** The income category that the line is sent with. */
  category: string;
}

const GOODS_ABROAD = 3;
const SERVICES_ABROAD = 4;
const EXPORT = 8;
const EU_GOODS = 14;
const DOMESTIC_REVERSE_CHARGE = 16;
const TAX_FREE = 28;

const FOR_GOODS: ReadonlySet<number> = new Set([GOODS_ABROAD, EU_GOODS, TAX_FREE]);
const EXPORTS: ReadonlySet<number> = new Set([EXPORT, TAX_FREE]);

/** Merchandise, products and fixed assets. An invoice of goods may also have lines of services. */
const GOODS_CATEGORIES: ReadonlySet<string> = new Set(["category1_1", "category1_2", "category1_4"]);

/** Why the cause does not fit; undefined when it may. */
function findContradiction({ cause, type, market, category }: ExemptLine): Text | undefined {
  const { sells, isRetail } = typeInfo(type);
  if (FOR_GOODS.has(cause) && sells === "services")
    return {
      en: `is for goods, but a ${type} is for services`,
      el: `αφορά αγαθά, αλλά το ${type} είναι για υπηρεσίες`,
    };
  if (cause === SERVICES_ABROAD && GOODS_CATEGORIES.has(category))
    return {
      en: `is for services, but the line is classified as goods (${category})`,
      el: `αφορά υπηρεσίες, αλλά η γραμμή χαρακτηρίζεται ως αγαθά (${category})`,
    };
  if (cause === EU_GOODS && market !== "eu")
    return {
      en: "is for supplies within the EU, but the customer is not in another EU country",
      el: "αφορά ενδοκοινοτικές παραδόσεις, αλλά ο πελάτης δεν είναι σε άλλη χώρα της ΕΕ",
    };
  // Services for exports may have a Greek customer, and so may credit notes about them. Retail has no customer.
  const isExportToGreece = market === "greece" && isInvoice(type) && sells === "goods" && cause === EXPORT;
  if (isExportToGreece || (EXPORTS.has(cause) && market === "eu" && !isRetail))
    return {
      en: "is for exports, but the customer is within the EU",
      el: "αφορά εξαγωγές, αλλά ο πελάτης είναι εντός ΕΕ",
    };
  if (cause === DOMESTIC_REVERSE_CHARGE && market !== "greece")
    return {
      en: "is for reverse charge within Greece, but the customer is abroad",
      el: "αφορά αντίστροφη επιβάρυνση εντός Ελλάδας, αλλά ο πελάτης είναι στο εξωτερικό",
    };
  return undefined;
}

/** The warning about line number `line`; undefined when its cause fits. */
export function exemptionWarning(line: number, exempt: ExemptLine): Text | undefined {
  const contradiction = findContradiction(exempt);
  return contradiction === undefined
    ? undefined
    : {
        en: `line ${line}: exemption cause ${exempt.cause} ${contradiction.en}`,
        el: `γραμμή ${line}: η αιτία εξαίρεσης ${exempt.cause} ${contradiction.el}`,
      };
}
