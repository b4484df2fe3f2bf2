/** Reads CSV files and workbooks. Each row is a line of one of the merchant's documents. */
import { type CsvFormat, describeForm } from "../../../src/intake/csv.ts";
import type { TableDocument } from "../../../src/intake/table-draft.ts";
import { supplierOf } from "../../../src/numbering/counters.ts";
import { type BatchItem, tableItem } from "../../../src/intake/accept-items.ts";
import { joinTexts, type Text } from "../../../src/foundation/text.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import { UsageError } from "../../exit.ts";
import { type Defaults, type Reading, withDefaults } from "./reading.ts";

export async function* readCsvItems(
  bytes: AsyncIterable<Buffer>,
  name: Text,
  reading: Reading,
): AsyncGenerator<BatchItem> {
  const { names, today } = reading;
  const supplier = supplierOf(requireMerchant(reading.defaults.merchant));
  const { readCsvDocuments } = await import("../../../src/intake/csv.ts");
  const onFormat = (form: CsvFormat) => {
    // Without a header nothing was detected, and the error says what is wrong.
    if (form.delimiter !== undefined) reading.note(joinTexts([name, describeForm(form)], ": "));
  };
  const rows = readCsvDocuments(bytes, { supplier, today, names, onFormat });
  for await (const row of rows) yield itemOfRow(row, linePlace(name, row.line), reading.defaults);
}

export async function* readWorkbookItems(
  bytes: AsyncIterable<Buffer>,
  name: Text,
  reading: Reading,
): AsyncGenerator<BatchItem> {
  const { names, sheet, today } = reading;
  const supplier = supplierOf(requireMerchant(reading.defaults.merchant));
  const { readWorkbookDocuments } = await import("../../../src/intake/workbook.ts");
  const rows = readWorkbookDocuments(bytes, { supplier, today, names, sheet });
  for await (const row of rows) yield itemOfRow(row, new Place(name, ROW, row.line), reading.defaults);
}

/** Throws a usage error without a merchant, which a table does not name. */
function requireMerchant(merchant: MerchantObject | undefined): MerchantObject {
  if (merchant !== undefined) return merchant;
  throw new UsageError({
    en: "--merchant is missing: a table does not name its merchant",
    el: "λείπει η --merchant: ένας πίνακας δεν ορίζει την επιχείρησή του",
  });
}

function itemOfRow(row: TableDocument, place: Text, defaults: Defaults): BatchItem {
  const item = tableItem(row, place);
  return "body" in item ? { ...item, body: withDefaults(item.body, defaults) } : item;
}

/** `documents.csv, line 12` */
export function linePlace(name: Text, line: number): Text {
  return new Place(name, LINE, line);
}

const LINE: Text = { en: "line", el: "γραμμή" };
const ROW: Text = { en: "row", el: "σειρά" };

/** Its texts are built when they are read, because a run keeps the place of every document. */
class Place implements Text {
  readonly #name: Text;
  readonly #word: Text;
  readonly #line: number;

  constructor(name: Text, word: Text, line: number) {
    this.#name = name;
    this.#word = word;
    this.#line = line;
  }

  get en(): string {
    return `${this.#name.en}, ${this.#word.en} ${this.#line}`;
  }

  get el(): string {
    return `${this.#name.el}, ${this.#word.el} ${this.#line}`;
  }
}
