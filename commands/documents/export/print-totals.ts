/** The totals of an export: a line for each type, one for all, and one for each VAT category. */
import { CREDIT_NOTE_TYPES } from "../../../src/domain/document-types.ts";
import type { ExportTotals } from "../../../src/books/export-documents.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { outputSettingsOf, type ProgramIo, printNote } from "../../io.ts";
import { amountText, type Column, countText } from "../../../src/operations/view.ts";
import { printTable } from "../../ui/table.ts";

/** In cents. Documents are counted only by type. */
export interface TotalLine {
  name: Text;
  documents: number | null;
  cancelled: number | null;
  net: bigint;
  vat: bigint;
  gross: bigint;
}

export function totalLines(totals: ExportTotals): TotalLine[] {
  const ofTypes = totals.by_type.map(({ type, ...sums }) => ({
    name: { en: `type ${type}`, el: `τύπος ${type}` },
    ...sums,
  }));
  const ofVat = totals.by_vat.map(({ category, rate_percent, net, vat }) => ({
    name: { en: `VAT ${rate_percent}% (${category})`, el: `ΦΠΑ ${rate_percent}% (${category})` },
    documents: null,
    cancelled: null,
    net,
    vat,
    gross: net + vat,
  }));
  return [...ofTypes, sumOf(ofTypes), ...ofVat];
}

const ALL: Text = { en: "all", el: "όλα" };

function sumOf(lines: readonly TotalLine[]): TotalLine {
  const sum: TotalLine = { name: ALL, documents: 0, cancelled: 0, net: 0n, vat: 0n, gross: 0n };
  for (const line of lines) {
    sum.documents = (sum.documents ?? 0) + (line.documents ?? 0);
    sum.cancelled = (sum.cancelled ?? 0) + (line.cancelled ?? 0);
    sum.net += line.net;
    sum.vat += line.vat;
    sum.gross += line.gross;
  }
  return sum;
}

export const TOTALS_NOTE: Text = {
  en: `In euro. Credit notes (${CREDIT_NOTE_TYPES.join(", ")}) are subtracted; cancelled documents are not included.`,
  el: `Σε ευρώ. Τα πιστωτικά (${CREDIT_NOTE_TYPES.join(", ")}) αφαιρούνται, όσα ακυρώθηκαν δεν μετρούν.`,
};

const COLUMNS: readonly Column<TotalLine>[] = [
  { head: { en: "total", el: "σύνολο" }, value: ({ name }) => name },
  {
    head: { en: "documents", el: "παραστατικά" },
    leaveOut: 2,
    align: "right",
    value: ({ documents }) => (documents === null ? "" : countText(documents)),
  },
  {
    head: { en: "cancelled", el: "ακυρώθηκαν" },
    leaveOut: 1,
    align: "right",
    value: ({ cancelled }) => (cancelled === null ? "" : countText(cancelled)),
  },
  { head: { en: "net", el: "καθαρή αξία" }, align: "right", value: ({ net }) => amountText(net) },
  { head: { en: "vat", el: "ΦΠΑ" }, align: "right", value: ({ vat }) => amountText(vat) },
  { head: { en: "gross", el: "σύνολο" }, align: "right", value: ({ gross }) => amountText(gross) },
];

/** Prints the totals to stderr, because stdout carries the documents. */
export async function printTotals(io: ProgramIo, totals: ExportTotals): Promise<void> {
  if (outputSettingsOf(io).quiet) return;
  await printTable(io, COLUMNS, totalLines(totals), { stream: io.stderr });
  await printNote(io, TOTALS_NOTE);
}
