/** The template as a workbook. */
import type { Cell, Row } from "write-excel-file/node";
import { COLUMNS, type ColumnName } from "../../src/intake/column-name.ts";
import { type TemplateLanguage, type TemplateOptions, templateRows } from "../../src/intake/template.ts";

/** Excel would read 1.1 as a date, drop leading zeros and round MARKs: these columns are text, also where they are blank. */
const TEXT_COLUMNS: ReadonlySet<ColumnName> = new Set([
  ...(["reference", "type", "series", "customer_tax_id", "customer_postal_code"] as const),
  ...(["customer_street_number", "vat_category", "income_category", "original_marks"] as const),
]);
const NUMBER_COLUMNS: ReadonlySet<ColumnName> = new Set(["quantity", "unit_price"]);
const TEXT_FORMAT = "@";
const DAY_FORMAT = "dd/mm/yyyy";
/** Rows in which a person may type. */
const BLANK_ROWS = 200;
/** Characters. */
const WIDTHS: Partial<Record<ColumnName, number>> = { description: 30, customer_name: 30, type: 26 };
const WIDTH = 18;

export async function buildTemplateWorkbook(
  options: TemplateOptions,
  language: TemplateLanguage,
): Promise<Uint8Array> {
  // Words are in the reader's language; days and numbers are those of a spreadsheet.
  const [heads = []] = templateRows(options, language);
  const words = templateRows(options, language).slice(1);
  const values = templateRows(options, "en").slice(1);
  const data: Row[] = [
    heads.map((value) => ({ value, type: String, fontWeight: "bold" as const })),
    ...words.map((cells, row) =>
      cells.map((word, index) => cellOf(COLUMNS[index]!, word, values[row]![index]!)),
    ),
    ...Array.from({ length: BLANK_ROWS }, () => COLUMNS.map((column) => blankCell(column))),
  ];
  const { default: writeExcelFile } = await import("write-excel-file/node");
  const columns = COLUMNS.map((column) => ({ width: WIDTHS[column] ?? WIDTH }));
  const sheet = language === "el" ? "παραστατικά" : "documents";
  const workbook = writeExcelFile([{ data, sheet, columns, stickyRowsCount: 1 }]);
  return workbook.toBuffer();
}

function cellOf(column: ColumnName, word: string, value: string): Cell {
  if (value === "") return blankCell(column);
  if (NUMBER_COLUMNS.has(column)) return { value: Number(value), type: Number };
  if (column === "issue_date")
    return { value: new Date(`${value}T00:00:00Z`), type: Date, format: DAY_FORMAT };
  return { value: word, type: String, format: TEXT_FORMAT };
}

function blankCell(column: ColumnName): Cell {
  return TEXT_COLUMNS.has(column) ? { value: undefined, type: String, format: TEXT_FORMAT } : null;
}
