/** Builds workbooks in memory: with a library, or from XML that no spreadsheet would write. */
import writeXlsxFile from "write-excel-file/node";
import type { TableDocument } from "../../src/intake/table-draft.ts";
import { readTableDocuments } from "../../src/intake/open-table.ts";
import { packWorkbook } from "../../src/intake/workbook-cells.ts";
import { chunksOf, SUPPLIER, TODAY } from "./csv.ts";

export type Cell = string | number | Date | boolean | null;

/** A workbook with one sheet and dates shown day first. */
export async function workbookOf(rows: readonly (readonly Cell[])[], sheet = "Φύλλο1"): Promise<Buffer> {
  const data = rows.map((row) => row.map(cellOf));
  const written = await writeXlsxFile(data, { sheet }).toBuffer();
  return Buffer.from(written);
}

function cellOf(value: Cell) {
  if (value === null) return null;
  return value instanceof Date ? { value, format: "dd/mm/yyyy" } : { value };
}

/** A workbook whose only sheet has `rows` as XML, such as `<row r="1"><c r="A1" t="str"><v>x</v></c></row>`. */
export function workbookOfXml(rows: string, styles = ""): Buffer {
  const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const files: Record<string, string> = {
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/styles.xml": `<styleSheet xmlns="${main}">${styles}</styleSheet>`,
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
  };
  return packWorkbook(new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])));
}

/** The XML of a row of text cells, followed by `last` unchanged. */
export function xmlRow(number: number, cells: readonly string[], last = ""): string {
  const texts = cells.map(
    (text, index) => `<c r="${String.fromCharCode(65 + index)}${number}" t="str"><v>${text}</v></c>`,
  );
  return `<row r="${number}">${texts.join("")}${last}</row>`;
}

export function readWorkbook(bytes: Buffer, sheet?: string): Promise<TableDocument[]> {
  const options = { supplier: SUPPLIER, today: TODAY, sheet };
  return Array.fromAsync(readTableDocuments(chunksOf(bytes), "xlsx", options));
}
