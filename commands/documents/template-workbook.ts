/** The template as a workbook. */
import type { Cell, Row } from "write-excel-file/node";
import { COLUMNS, type ColumnName, fieldOf } from "../../src/intake/table-fields.ts";
import { type TemplateLanguage, type TemplateOptions, templateRows } from "../../src/intake/template.ts";

const TEXT_FORMAT = "@";
const DAY_FORMAT = "dd/mm/yyyy";
/** Rows in which a person may type. */
const BLANK_ROWS = 200;
/** Characters. */
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
  const columns = COLUMNS.map((column) => ({ width: fieldOf(column).width ?? WIDTH }));
  const sheet = language === "el" ? "παραστατικά" : "documents";
  const workbook = writeExcelFile([{ data, sheet, columns, stickyRowsCount: 1 }]);
  return workbook.toBuffer();
}

function cellOf(column: ColumnName, word: string, value: string): Cell {
  if (value === "") return blankCell(column);
  const { sheet } = fieldOf(column);
  if (sheet === "decimal") return { value: Number(value), type: Number };
  if (sheet === "day") return { value: new Date(`${value}T00:00:00Z`), type: Date, format: DAY_FORMAT };
  return { value: word, type: String, format: TEXT_FORMAT };
}

/** Excel would read 1.1 as a date, drop leading zeros and round MARKs: such columns are text, also where they are blank. */
function blankCell(column: ColumnName): Cell {
  return fieldOf(column).sheet === "text" ? { value: undefined, type: String, format: TEXT_FORMAT } : null;
}
