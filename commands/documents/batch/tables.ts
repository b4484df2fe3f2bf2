/** Files of rows and columns, CSV and workbooks: each row a line item of a document of the merchant. */
import type { CsvFormat } from "../../../src/intake/csv.ts";
import type { TableDocument, TableSupplier } from "../../../src/intake/table-draft.ts";
import type { Delimiter } from "../../../src/intake/csv-dialect.ts";
import type { DecimalSign } from "../../../src/intake/csv-number.ts";
import { validationError } from "../../../src/foundation/errors.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import { UsageError } from "../../exit.ts";
import { type BatchItem, complete, type Defaults, type Reading } from "./reading.ts";

export async function* readCsvItems(
  bytes: AsyncIterable<Buffer>,
  name: string,
  reading: Reading,
): AsyncGenerator<BatchItem> {
  const { names, today } = reading;
  const supplier = supplierOf(reading.defaults.merchant);
  const { readCsvDocuments } = await import("../../../src/intake/csv.ts");
  const onFormat = (form: CsvFormat) => {
    // Without a header nothing was found: what is wrong is said by the error.
    if (form.delimiter !== undefined) reading.note(`${name}: ${describeForm(form)}`);
  };
  const rows = readCsvDocuments(bytes, { supplier, today, names, onFormat });
  for await (const row of rows) yield itemOfRow(row, `${name}, line ${row.line}`, reading.defaults);
}

export async function* readWorkbookItems(
  bytes: AsyncIterable<Buffer>,
  name: string,
  reading: Reading,
): AsyncGenerator<BatchItem> {
  const { names, sheet, today } = reading;
  const supplier = supplierOf(reading.defaults.merchant);
  const { readWorkbookDocuments } = await import("../../../src/intake/workbook.ts");
  const rows = readWorkbookDocuments(bytes, { supplier, today, names, sheet });
  for await (const row of rows) yield itemOfRow(row, `${name}, row ${row.line}`, reading.defaults);
}

/** A table does not name its supplier: the merchant is it. */
function supplierOf(merchant: MerchantObject | undefined): TableSupplier {
  if (merchant === undefined)
    throw new UsageError("--merchant is missing: a table does not name its merchant");
  if (merchant.tax_id !== null) return { taxId: merchant.tax_id, branch: merchant.branch };
  const message = "has no tax number to issue under; set it with `fiscal merchants update --tax-id`";
  throw validationError([{ path: "merchant", message }]);
}

function itemOfRow(row: TableDocument, place: string, defaults: Defaults): BatchItem {
  const { reference } = row;
  if ("body" in row) return { place, reference, body: complete(row.body, defaults), places: row.places };
  return { place, reference, error: validationError(row.problems).toObject(), problems: row.problems };
}

const DELIMITER_NAMES: Record<Delimiter, string> = { ";": ";", ",": ",", "\t": "tabs" };

const DECIMAL_NAMES: Record<DecimalSign, string> = { ",": "decimal comma", ".": "decimal point" };

/** `Windows-1253, separated by ;, decimal comma`. A file of ASCII alone is UTF-8, too. */
function describeForm({ encoding, delimiter, decimalSign }: CsvFormat): string {
  const parts: string[] = [encoding ?? "UTF-8"];
  if (delimiter !== undefined) parts.push(`separated by ${DELIMITER_NAMES[delimiter]}`);
  if (decimalSign !== undefined) parts.push(DECIMAL_NAMES[decimalSign]);
  return parts.join(", ");
}
