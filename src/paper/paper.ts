/** Collects everything that drawing the PDF of a document needs, and names its file (docs/contract.md#pdf-files). */
import type { Text } from "../foundation/text.ts";
import { typeInfo } from "../domain/document-types.ts";
import type { CanonicalDocument, Party, Payment } from "../domain/canonical-document.ts";
import type { VatCategory } from "../domain/document-codes.ts";
import type { Letterhead } from "../merchants/settings.ts";
import { type PaperLine, pricedLines, retailLines } from "../domain/gross-price.ts";

/** A document that a credit note corrects; series, number and date are null unless it was issued here. */
export interface PaperOriginal {
  mark: string;
  seriesAndNumber: string | null;
  issueDate: string | null;
}

/** The sums (cents) of one rate, or of one exemption cause. */
export interface VatRow {
  category: VatCategory;
  exemption: number | undefined;
  net: number;
  vat: number;
}

/** A4, or a roll of 80 mm for retail documents. */
export const PAPER_FORMATS = ["a4", "receipt"] as const;
export type PaperFormat = (typeof PAPER_FORMATS)[number];

/** What a paper is made from. */
interface PaperContents {
  format: PaperFormat;
  document: CanonicalDocument;
  /** The type that was sent: 1.1 may have become 1.2. */
  sentType: string;
  isTest: boolean;
  /** How it reached the authority. */
  issuedThrough: Text;
  series: string;
  number: number;
  mark: string;
  uid: string | null;
  qrUrl: string | null;
  /** The licensed provider's; null if the document has none. */
  authenticationCode: string | null;
  reference: string | null;
  cancellation: { mark: string | null; day: string } | undefined;
  merchantName: string;
  originals: readonly PaperOriginal[];
  payments: readonly Payment[];
  vatPaymentSuspension: boolean;
  stationery: Stationery;
  /** When the document got its MARK; used as the file's date so that its bytes depend on the document alone. */
  issuedAt: Date;
}

export interface Paper extends PaperContents {
  supplier: Party & { name: string };
  isCreditNote: boolean;
  /** Its lines have prices with VAT. */
  isRetail: boolean;
  lines: readonly PaperLine[];
  vatRows: readonly VatRow[];
}

export function buildPaper(contents: PaperContents): Paper {
  const { supplier, type, lines } = contents.document;
  const { isCreditNote, isRetail } = typeInfo(type);
  const priced = pricedLines(lines);
  return {
    ...contents,
    supplier: { ...supplier, name: supplier.name ?? contents.merchantName },
    isCreditNote,
    isRetail,
    lines: isRetail ? retailLines(priced) : priced,
    vatRows: analyseVat(priced),
  };
}

/** In the order in which rates and causes first occur. Sums stay within the totals, so they are exact. */
function analyseVat(lines: readonly PaperLine[]): VatRow[] {
  const rows = new Map<string, VatRow>();
  for (const { vat_category: category, vat_exemption: exemption, net, vat } of lines) {
    const key = `${category} ${exemption ?? ""}`;
    const row = rows.get(key) ?? { category, exemption, net: 0, vat: 0 };
    row.net += net;
    row.vat += vat;
    rows.set(key, row);
  }
  return [...rows.values()];
}

/** What the paper of one branch shows of the merchant. */
export type Stationery = Omit<Letterhead["paper"], "branches" | "receipt"> & {
  /** The head office's address, on the paper of a branch that has its own. */
  head_office?: string | undefined;
};

/** The stationery of `branch`; 0 is the head office. A branch has the head office's fields where it has none of its own. */
export function buildStationery({ branches, ...paper }: Letterhead["paper"], branch: number): Stationery {
  const own = branches?.[String(branch)] ?? {};
  return { ...paper, ...own, ...(own.address === undefined ? {} : { head_office: paper.address }) };
}

/** Greek capitals and their Latin letters, similar to those in passports. */
const LATIN: ReadonlyMap<string, string> = new Map(
  "ΑA ΒV ΓG ΔD ΕE ΖZ ΗI ΘTH ΙI ΚK ΛL ΜM ΝN ΞX ΟO ΠP ΡR ΣS ΤT ΥY ΦF ΧCH ΨPS ΩO"
    .split(" ")
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

function latinOf(character: string): string {
  const bare = character.normalize("NFD").replaceAll(/\p{M}/gu, "");
  const upper = bare.toUpperCase();
  const latin = LATIN.get(upper);
  if (latin === undefined) return bare;
  return bare === upper ? latin : latin.toLowerCase();
}

/** Names that Windows reserves for devices, whatever their ending. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;
const NAME_CHARACTERS_MAX = 120;

/** `text` as one ASCII name that every file system accepts: Greek letters become Latin, and others `-`. Never empty. */
export function safeName(text: string): string {
  const latin = Array.from(text, latinOf).join("").slice(0, NAME_CHARACTERS_MAX);
  const safe = latin
    .replaceAll(/[^A-Za-z0-9._-]/g, "-")
    .replace(/^[.-]+/, "_")
    .replace(/\.+$/, "_");
  return safe === "" || RESERVED.test(safe) ? `_${safe}` : safe;
}

/** Returns a name such as `TIM-17.pdf`, which is never hidden and never looks like a flag. */
export function pdfFileName(series: string, number: number): string {
  return `${safeName(series)}-${number}.pdf`;
}
