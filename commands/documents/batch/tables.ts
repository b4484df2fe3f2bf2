/** Reads CSV files and workbooks. Each row is a line of one of the merchant's documents. */
import type { CsvFormat } from "../../../src/intake/csv.ts";
import type { TableDocument, TableSupplier } from "../../../src/intake/table-draft.ts";
import type { Delimiter } from "../../../src/intake/csv-dialect.ts";
import type { DecimalSign } from "../../../src/intake/csv-number.ts";
import { joinTexts, sameInBoth, type Text } from "../../../src/foundation/text.ts";
import { validationError } from "../../../src/foundation/errors.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import { UsageError } from "../../exit.ts";
import { type BatchItem, type Defaults, type Reading, withDefaults } from "./reading.ts";

export async function* readCsvItems(
  bytes: AsyncIterable<Buffer>,
  name: Text,
  reading: Reading,
): AsyncGenerator<BatchItem> {
  const { names, today } = reading;
  const supplier = supplierOf(reading.defaults.merchant);
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
  const supplier = supplierOf(reading.defaults.merchant);
  const { readWorkbookDocuments } = await import("../../../src/intake/workbook.ts");
  const rows = readWorkbookDocuments(bytes, { supplier, today, names, sheet });
  for await (const row of rows) {
    const place = { en: `${name.en}, row ${row.line}`, el: `${name.el}, σειρά ${row.line}` };
    yield itemOfRow(row, place, reading.defaults);
  }
}

/** The merchant is the supplier, because a table does not name one. */
function supplierOf(merchant: MerchantObject | undefined): TableSupplier {
  if (merchant === undefined)
    throw new UsageError({
      en: "--merchant is missing: a table does not name its merchant",
      el: "λείπει η --merchant: ένας πίνακας δεν ορίζει την επιχείρησή του",
    });
  if (merchant.tax_id !== null) return { taxId: merchant.tax_id, branch: merchant.branch };
  const message = {
    en: "has no tax number; set it with `fiscal merchants update --tax-id`",
    el: "δεν έχει ΑΦΜ· ορίστε το με `fiscal merchants update --tax-id`",
  };
  throw validationError([{ path: "merchant", message }]);
}

function itemOfRow(row: TableDocument, place: Text, defaults: Defaults): BatchItem {
  const { reference } = row;
  if ("body" in row) return { place, reference, body: withDefaults(row.body, defaults), places: row.places };
  return { place, reference, error: validationError(row.problems) };
}

/** `documents.csv, line 12` */
export function linePlace(name: Text, line: number): Text {
  return { en: `${name.en}, line ${line}`, el: `${name.el}, γραμμή ${line}` };
}

const DELIMITER_NAMES: Record<Delimiter, Text> = {
  ";": { en: "semicolons", el: "ελληνικό ερωτηματικό (;)" },
  ",": { en: "commas", el: "κόμμα (,)" },
  "\t": { en: "tabs", el: "στηλοθέτης" },
};

const MARKED_UTF_8: Text = { en: "UTF-8 with a byte order mark", el: "UTF-8 με BOM" };

const DECIMAL_NAMES: Record<DecimalSign, Text> = {
  ",": { en: "decimal comma", el: "υποδιαστολή κόμμα" },
  ".": { en: "decimal point", el: "υποδιαστολή τελεία" },
};

/** `Windows-1253, separated by semicolons, decimal comma`. A file of ASCII only counts as UTF-8. */
function describeForm({ encoding, delimiter, decimalSign }: CsvFormat): Text {
  const parts: Text[] = [
    encoding === "UTF-8 with a byte order mark" ? MARKED_UTF_8 : sameInBoth(encoding ?? "UTF-8"),
  ];
  if (delimiter !== undefined) {
    const { en, el } = DELIMITER_NAMES[delimiter];
    parts.push({ en: `separated by ${en}`, el: `διαχωριστικό ${el}` });
  }
  if (decimalSign !== undefined) parts.push(DECIMAL_NAMES[decimalSign]);
  return joinTexts(parts, ", ");
}
