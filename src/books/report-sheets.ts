/** The files of reports: sheets of a workbook, or sections of one CSV file for Greek Excel. */
import type { Row, Cell as WorkbookCell } from "write-excel-file/node";
import { BYTE_ORDER_MARK, csvRow, withoutFormula } from "../foundation/csv.ts";
import { athensDay } from "../foundation/clock.ts";
import { formatEuro } from "../foundation/money.ts";
import type { Overview } from "./overview.ts";
import type { IncomeReport, MerchantVat, VatReport } from "./period-reports.ts";

/** Amounts in cents are bigint; numbers are rates and causes. */
export type ReportCell = string | number | bigint | null;

export interface Sheet {
  /** Also the first column of its rows in CSV. */
  name: string;
  heads: readonly string[];
  rows: readonly (readonly ReportCell[])[];
}

/** In a workbook a day may be a date. The widths of the columns are in characters. */
interface WorkbookSheet extends Omit<Sheet, "rows"> {
  rows: readonly (readonly (ReportCell | Date)[])[];
  widths?: readonly number[];
}

/** A sheet of what each merchant has, with the values of a row under the heads of their names. */
function sheetOf<Merchant extends { merchant: string }, Part extends object>(
  name: string,
  merchants: readonly Merchant[],
  partsOf: (merchant: Merchant) => readonly Part[],
  heads: readonly (keyof Part & string)[],
): Sheet {
  const rows = merchants.flatMap((one) =>
    partsOf(one).map((part) => [one.merchant, ...heads.map((head) => part[head] as ReportCell)]),
  );
  return { name, heads: ["merchant", ...heads], rows };
}

export function vatSheets({ merchants }: VatReport): Sheet[] {
  const boxesOf = ({ boxes }: MerchantVat) => Object.entries(boxes).map(([box, amount]) => ({ box, amount }));
  const salesOf = ({ eu_sales }: MerchantVat) =>
    eu_sales.map(({ code, vies_invalid, ...sale }) => ({
      ...sale,
      tax_id: code,
      vies_invalid: yesOrNo(vies_invalid),
    }));
  return [
    sheetOf("rates", merchants, ({ rows }) => rows, [
      "rate",
      "vat_category",
      "exemption",
      "region",
      "net",
      "vat",
    ]),
    sheetOf("boxes", merchants, boxesOf, ["box", "amount"]),
    sheetOf("outside", merchants, ({ outside }) => outside, ["exemption", "net"]),
    sheetOf("eu_sales", merchants, salesOf, [
      "country",
      "tax_id",
      "goods",
      "services",
      "net",
      "vies_invalid",
    ]),
    sheetOf("vat_payment_suspension", merchants, (one) => [one.vat_payment_suspension ?? []].flat(), [
      "net",
      "vat",
    ]),
    sheetOf("taxes", merchants, ({ taxes }) => taxes, ["kind", "category", "amount"]),
  ];
}

const yesOrNo = (is: boolean) => (is ? "yes" : "no");

export function incomeSheets({ merchants }: IncomeReport): Sheet[] {
  return [sheetOf("income", merchants, ({ rows }) => rows, ["category", "type", "net"])];
}

export function overviewSheets({ deadlines, merchants }: Overview): Sheet[] {
  const due = (kind: "vat_return" | "vies") =>
    deadlines.find((deadline) => deadline.kind === kind)?.date ?? null;
  const rows = merchants.map(({ merchant, reconciled_at: reconciledAt, closed, ...month }) => [
    merchant.external_id,
    month.issued,
    month.waiting,
    month.rejected,
    month.vat,
    reconciledAt === null ? null : athensDay(Date.parse(reconciledAt)),
    yesOrNo(closed),
    due("vat_return"),
    due("vies"),
    month.vies_invalid,
  ]);
  const counts = ["issued", "waiting", "rejected"];
  const dates = ["vat_return_due", "vies_due"];
  const heads = ["merchant", ...counts, "vat", "reconciled", "closed", ...dates, "vies_invalid"];
  return [{ name: "overview", heads, rows }];
}

/** Semicolons and decimal commas, as a Greek Excel opens them; sections follow each other, each with its own heads. */
export function encodeCsv(sheets: readonly Sheet[], section = "section"): string {
  const lines = sheets.map(({ name, heads, rows }) =>
    [[section, ...heads], ...rows.map((row) => [name, ...row.map((cell) => csvCell(cell))])]
      .map((cells) => csvRow(cells, ";"))
      .join(""),
  );
  return BYTE_ORDER_MARK + lines.join("\r\n");
}

export function csvCell(cell: ReportCell, decimal: "." | "," = ","): string {
  if (cell === null) return "";
  if (typeof cell === "bigint") return formatEuro(cell, decimal);
  return typeof cell === "number" ? String(cell) : withoutFormula(cell);
}

const AMOUNT_FORMAT = "#,##0.00";
const DAY_FORMAT = "yyyy-mm-dd";
/** Characters. */
const COLUMN_WIDTH = 18;
/** Excel keeps fifteen digits of a number: a larger amount is written as text rather than rounded. */
const EXCEL_CENTS_MAX = 999_999_999_999_999n;

/** An XLSX file. Amounts are numbers. */
export async function encodeWorkbook(sheets: readonly WorkbookSheet[]): Promise<Uint8Array<ArrayBuffer>> {
  const { default: writeExcelFile } = await import("write-excel-file/node");
  const workbook = writeExcelFile(
    sheets.map(({ name, heads, rows, widths = [] }) => ({
      sheet: name,
      data: [
        heads.map((value): WorkbookCell => ({ value, type: String, fontWeight: "bold" })),
        ...rows.map((row): Row => row.map(workbookCell)),
      ],
      stickyRowsCount: 1,
      columns: heads.map((_head, at) => ({ width: widths[at] ?? COLUMN_WIDTH })),
    })),
  );
  return new Uint8Array(await workbook.toBuffer());
}

/** Writes text as text, so that MARKs keep all digits, tax numbers keep leading zeros, and nothing runs as a formula. */
function workbookCell(cell: ReportCell | Date): WorkbookCell {
  if (cell === null) return null;
  if (cell instanceof Date) return { value: cell, type: Date, format: DAY_FORMAT };
  if (typeof cell === "string") return { value: cell, type: String };
  if (typeof cell === "number") return { value: cell, type: Number };
  const isExact = cell <= EXCEL_CENTS_MAX && cell >= -EXCEL_CENTS_MAX;
  return isExact
    ? { value: Number(cell) / 100, type: Number, format: AMOUNT_FORMAT }
    : { value: formatEuro(cell), type: String };
}
