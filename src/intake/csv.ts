/** Reads documents from a CSV file. See docs/contract.md#csv. */
import { createDecimals } from "./csv-dialect.ts";
import type { DecimalSign } from "./csv-number.ts";
import { type DetectedFormat, readRows } from "./csv-rows.ts";
import { readTable, type TableOptions } from "./read-table.ts";
import { NO_FOREIGN_NAMES } from "./table-columns.ts";
import type { TableDocument } from "./table-draft.ts";

/** The detected format of a CSV file; undefined where nothing in it shows a part. */
export interface CsvFormat extends DetectedFormat {
  decimalSign: DecimalSign | undefined;
}

/**
 * Yields the documents of `source` in order, each once the rows after it have been read ahead. Uses memory for some thousand
 * rows and for all references. Throws `validation_failed` where the file cannot be read on (no header, an unclosed quotation
 * mark, bytes that are not text); the document at that place is not yielded. Calls `onFormat` once, at the end of the file or
 * before throwing.
 */
export async function* readCsvDocuments(
  source: AsyncIterable<Buffer>,
  options: TableOptions & { onFormat?(format: CsvFormat): void },
): AsyncGenerator<TableDocument> {
  const format: DetectedFormat = { encoding: undefined, delimiter: undefined };
  const decimals = createDecimals("line");
  const names = options.names ?? NO_FOREIGN_NAMES;
  const rows = readRows(source, names, format);
  try {
    yield* readTable(rows, { ...options, names, word: "line", decimals });
  } finally {
    await rows.return(undefined);
    options.onFormat?.({ ...format, decimalSign: decimals.sign });
  }
}
