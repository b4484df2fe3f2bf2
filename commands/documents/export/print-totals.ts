/** The totals of an export as lines: one for each type, one for all, one for each VAT category. */
import type { ExportTotals } from "../../../src/books/export-documents.ts";
import { amountText } from "../../ui/values.ts";
import { mannersOf, type ProgramIo, tell, write } from "../../io.ts";
import { isColoured, tableWidth } from "../../ui/screen.ts";
import { type Column, renderTable } from "../../ui/table.ts";

/** Cents. Documents are counted by type only. */
export interface TotalLine {
  name: string;
  documents: number | null;
  cancelled: number | null;
  net: bigint;
  vat: bigint;
  gross: bigint;
}

export function totalLines(totals: ExportTotals): TotalLine[] {
  const ofTypes = totals.by_type.map(({ type, ...sums }) => ({ name: `type ${type}`, ...sums }));
  const ofVat = totals.by_vat.map(({ category, rate_percent, net, vat }) => ({
    name: `VAT ${rate_percent}% (${category})`,
    documents: null,
    cancelled: null,
    net,
    vat,
    gross: net + vat,
  }));
  return [...ofTypes, sumOf(ofTypes), ...ofVat];
}

function sumOf(lines: readonly TotalLine[]): TotalLine {
  const sum: TotalLine = { name: "all", documents: 0, cancelled: 0, net: 0n, vat: 0n, gross: 0n };
  for (const line of lines) {
    sum.documents = (sum.documents ?? 0) + (line.documents ?? 0);
    sum.cancelled = (sum.cancelled ?? 0) + (line.cancelled ?? 0);
    sum.net += line.net;
    sum.vat += line.vat;
    sum.gross += line.gross;
  }
  return sum;
}

const COLUMNS: readonly Column<TotalLine>[] = [
  { head: "total", value: ({ name }) => name },
  { head: "documents", align: "right", value: ({ documents }) => String(documents ?? "") },
  { head: "cancelled", align: "right", value: ({ cancelled }) => String(cancelled ?? "") },
  { head: "net", align: "right", value: ({ net }) => amountText(net) },
  { head: "vat", align: "right", value: ({ vat }) => amountText(vat) },
  { head: "gross", align: "right", value: ({ gross }) => amountText(gross) },
];

/** For the person at the terminal, on stderr, as a note: the documents have stdout to themselves. */
export async function tellTotals(io: ProgramIo, totals: ExportTotals): Promise<void> {
  const reader = mannersOf(io);
  if (reader.quiet) return;
  const style = { coloured: isColoured(io, io.stderr), width: tableWidth(io, io.stderr), reader };
  await write(io.stderr, await renderTable(COLUMNS, totalLines(totals), style));
  await tell(io, "In euro. Credit notes (5.1, 5.2) count negative, cancelled documents not at all.");
}
