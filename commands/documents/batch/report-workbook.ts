/** Writes the report as a workbook. MARKs and references are text, because a spreadsheet would round them as numbers. */
import { REPORT_COLUMNS, type ReportRow, type ReportSheet } from "./report-sheet.ts";

const HEAD = REPORT_COLUMNS.map((value) => ({ value, fontWeight: "bold" as const }));
/** Wide enough for a doc_ id and the start of an error. */
const WIDTHS: Record<(typeof REPORT_COLUMNS)[number], number> = {
  reference: 20,
  id: 30,
  status: 12,
  series: 10,
  number: 10,
  mark: 20,
  error: 100,
};

export function createWorkbookSheet(): ReportSheet {
  const rows: ReportRow[] = [];
  return {
    async add(row) {
      rows.push(row);
    },
    async end(file) {
      const { default: writeXlsxFile } = await import("write-excel-file/node");
      const data = rows.map((row) => REPORT_COLUMNS.map((column) => cellOf(row[column])));
      const columns = REPORT_COLUMNS.map((column) => ({ width: WIDTHS[column] }));
      const workbook = writeXlsxFile([HEAD, ...data], { columns, sheet: "report", stickyRowsCount: 1 });
      await file.write(await workbook.toBuffer());
    },
  };
}

function cellOf(value: string | number | null): { value: string | number } | null {
  return value === null ? null : { value };
}
