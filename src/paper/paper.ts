/** Collects everything that drawing the PDF of a document needs, and names its file (docs/contract.md#pdf-files). */
import type { DocumentInputRow, DocumentRow } from "../../storage/documents/documents.ts";
import { readJson } from "../foundation/json.ts";
import type { Text } from "../foundation/text.ts";
import { typeInfo } from "../domain/document-types.ts";
import type { CanonicalDocument, Party, Payment } from "../domain/canonical-document.ts";
import type { Decided } from "../issuing/outgoing.ts";
import type { Tax } from "../domain/taxes.ts";
import type { VatCategory } from "../domain/document-codes.ts";
import type { Letterhead } from "../merchants/settings.ts";
import type { BankAccount } from "../merchants/paper-input.ts";
import type { Language } from "./labels.ts";
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

export interface Paper {
  format: PaperFormat;
  /** The type that was sent: 1.1 may have become 1.2. */
  sentType: string;
  isTest: boolean;
  isCreditNote: boolean;
  /** Its lines have prices with VAT. */
  isRetail: boolean;
  /** How it reached the authority. */
  issuedThrough: Text;
  series: string;
  number: number;
  issueDate: string;
  mark: string;
  uid: string | null;
  qrUrl: string | null;
  /** The licensed provider's; null if the document has none. */
  authenticationCode: string | null;
  reference: string | null;
  cancellation: { mark: string | null; day: string } | undefined;
  supplier: Party & { name: string };
  customer: Party | undefined;
  originals: readonly PaperOriginal[];
  lines: readonly PaperLine[];
  payments: readonly Payment[];
  vatRows: readonly VatRow[];
  vatPaymentSuspension: boolean;
  totals: { net: number; vat: number; gross: number };
  taxes?: readonly Tax[] | undefined;
  notes: string | undefined;
  dueDate: string | undefined;
  deliveryDate: string | undefined;
  stationery: Stationery;
  /** When the document got its MARK; used as the file's date so that its bytes depend on the document alone. */
  issuedAt: Date;
}

export interface PaperSources {
  format: PaperFormat;
  row: DocumentRow;
  input: DocumentInputRow;
  merchantName: string;
  stationery: Stationery;
  originals: readonly PaperOriginal[];
  issuedThrough: Text;
  /** ISO instant. */
  issuedAt: string;
  /** The day of the cancellation in Athens; undefined if not cancelled. */
  cancelledOn: string | undefined;
}

/** Builds the paper of an issued document. Throws without MARK, series or number, which every issued document has. */
export function buildPaper(sources: PaperSources): Paper {
  const { format, row, stationery, originals, issuedThrough, issuedAt, cancelledOn } = sources;
  const { mark, series, number } = row;
  if (mark === null || series === null || number === null)
    throw new Error(`The issued document ${row.id} has no MARK, series or number`);
  const document = readJson<CanonicalDocument>(sources.input.input_json);
  const decided = readJson<Decided>(sources.input.decided_json);
  const { isCreditNote, isRetail } = typeInfo(document.type);
  const lines = pricedLines(document.lines);
  return {
    format,
    sentType: decided.sentType,
    isTest: row.mode === "test",
    isCreditNote,
    isRetail,
    issuedThrough,
    series,
    number,
    issueDate: row.issue_date,
    mark,
    uid: row.uid,
    qrUrl: row.qr_url,
    authenticationCode: row.authentication_code,
    reference: row.external_reference,
    cancellation: cancelledOn === undefined ? undefined : { mark: row.cancellation_mark, day: cancelledOn },
    supplier: { ...document.supplier, name: document.supplier.name ?? sources.merchantName },
    customer: document.customer,
    originals,
    lines: isRetail ? retailLines(lines) : lines,
    payments: decided.payments,
    vatRows: analyseVat(lines),
    vatPaymentSuspension: decided.vatPaymentSuspension === true,
    totals: { net: row.net, vat: row.vat, gross: row.gross },
    taxes: document.taxes,
    notes: document.notes,
    dueDate: document.due_date,
    deliveryDate: document.delivery_date,
    stationery,
    issuedAt: new Date(issuedAt),
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

/** The merchant's stationery, from its settings. */
export interface Stationery {
  address: string | undefined;
  /** The head office's address, on the paper of a branch that has its own. */
  headOffice: string | undefined;
  activity: string | undefined;
  gemi: string | undefined;
  taxOffice: string | undefined;
  phone: string | undefined;
  email: string | undefined;
  website: string | undefined;
  /** A PNG or JPEG file that pdfkit can embed. */
  logo: Buffer | undefined;
  /** `#1a2b3c`. */
  color: string | undefined;
  language: Language;
  bankAccounts: readonly BankAccount[];
}

/** The stationery of `branch`; 0 is the head office. A branch has the head office's fields where it has none of its own. */
export function buildStationery(paper: Letterhead["paper"], branch: number): Stationery {
  const own = paper.branches?.[String(branch)] ?? {};
  return {
    address: own.address ?? paper.address,
    headOffice: own.address === undefined ? undefined : paper.address,
    activity: own.activity ?? paper.activity,
    gemi: paper.gemi,
    taxOffice: paper.tax_office,
    phone: own.phone ?? paper.phone,
    email: own.email ?? paper.email,
    website: own.website ?? paper.website,
    logo: paper.logo === undefined ? undefined : Buffer.from(paper.logo, "base64"),
    color: paper.color,
    language: paper.language,
    bankAccounts: paper.bank_accounts ?? [],
  };
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
