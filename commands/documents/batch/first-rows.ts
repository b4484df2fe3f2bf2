/** Shows the first rows of a file as they would be read. */
import { TYPE_WORDS, UNIT_WORDS } from "../../../src/domain/document-codes.ts";
import type { DocumentType } from "../../../src/domain/document-types.ts";
import { joinTexts, type Text } from "../../../src/foundation/text.ts";
import type { LineInput } from "../../../src/intake/read-row.ts";
import { printProblem, type ProgramIo } from "../../io.ts";
import { amountText, type Column, dayText, decimalText } from "../../../src/operations/view.ts";
import { printTable } from "../../ui/table.ts";
import { rateOf } from "../../../src/operations/document-view.ts";
import type { BatchItem } from "../../../src/intake/accept-items.ts";
import { type Reading, readItems } from "./read-files.ts";

const ROWS_MAX = 3;

/** A line of a body as it is built from the rows of a table. */
interface FirstRow {
  reference: string;
  body: FirstBody;
  line: LineInput;
}

interface FirstBody {
  document: {
    type: DocumentType;
    issue_date: string;
    customer?: { name?: string; tax_id: { code?: string } };
    lines: LineInput[];
  };
  series?: string;
  number?: number;
}

/** Prints the first lines, and the problems of the documents before or among them. */
export async function printFirstRows(io: ProgramIo, file: string, reading: Reading): Promise<void> {
  const rows: FirstRow[] = [];
  let problems = 0;
  for await (const item of readItems(io, file, reading)) {
    if ("error" in item) {
      problems += 1;
      await printProblem(io, joinTexts([item.place, item.error.text], ": "));
    } else rows.push(...rowsOf(item));
    if (rows.length + problems >= ROWS_MAX) break;
  }
  if (rows.length === 0) return;
  const numbered = rows.some(({ body: { series, number } }) => series !== undefined || number !== undefined);
  const [reference, ...others] = COLUMNS;
  const columns = numbered ? [reference, ...NUMBER_COLUMNS, ...others] : COLUMNS;
  await printTable(io, columns, rows.slice(0, ROWS_MAX), { stream: io.stderr });
}

function rowsOf(item: BatchItem & { body: unknown }): FirstRow[] {
  const body = item.body as FirstBody;
  return body.document.lines.map((line) => ({ reference: item.reference ?? "-", body, line }));
}

/** Only where the file has them: otherwise they are assigned when a document is sent. */
const NUMBER_COLUMNS: readonly Column<FirstRow>[] = [
  { head: { en: "series", el: "σειρά" }, value: ({ body }) => body.series ?? "-" },
  {
    head: { en: "number", el: "αριθμός" },
    align: "right",
    value: ({ body }) => String(body.number ?? "-"),
  },
];

const COLUMNS: readonly [Column<FirstRow>, ...Column<FirstRow>[]] = [
  { head: { en: "reference", el: "αναφορά" }, value: ({ reference }) => reference },
  { head: { en: "type", el: "τύπος" }, shortens: true, value: ({ body }) => TYPE_WORDS[body.document.type] },
  { head: { en: "issue date", el: "ημερομηνία" }, value: ({ body }) => dayText(body.document.issue_date) },
  { head: { en: "customer", el: "πελάτης" }, shortens: true, value: customerOf },
  {
    head: { en: "description", el: "περιγραφή" },
    shortens: true,
    value: ({ line }) => line.description,
  },
  { head: { en: "quantity", el: "ποσότητα" }, align: "right", value: ({ line }) => quantityText(line) },
  {
    head: { en: "price without VAT", el: "τιμή χωρίς ΦΠΑ" },
    align: "right",
    value: ({ line }) => amountText(line.unit_price),
  },
  { head: { en: "VAT", el: "ΦΠΑ" }, align: "right", value: ({ line }) => rateOf(line.vat_category) },
];

function customerOf({
  body: {
    document: { customer },
  },
}: FirstRow): string {
  return customer?.name ?? customer?.tax_id.code ?? "-";
}

function quantityText({ quantity, unit }: LineInput): Text {
  const number = decimalText(quantity);
  const words = unit === undefined ? undefined : UNIT_WORDS[unit as keyof typeof UNIT_WORDS];
  return words === undefined ? number : joinTexts([number, words], " ");
}
