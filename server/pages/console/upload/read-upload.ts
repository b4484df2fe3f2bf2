/** Reads an uploaded file: its form, its columns, and its documents with the reader of the command line. */
import { supplierOf } from "../../../../src/numbering/counters.ts";
import { isDeepStrictEqual } from "node:util";
import type { Appliance } from "../../../../src/appliance.ts";
import { AppError } from "../../../../src/foundation/errors.ts";
import { yieldToOthers } from "../../../../src/foundation/turns.ts";
import { sameInBoth, type Text } from "../../../../src/foundation/text.ts";
import { type BatchItem, checkItems, type Verdict, tableItem } from "../../../../src/intake/accept-items.ts";
import { type ColumnMap, EMPTY_MAP, findRememberedMap, namesOf } from "../../../../src/intake/column-map.ts";
import { readCsvDocuments } from "../../../../src/intake/csv.ts";
import { readTableHead, type TableHead } from "../../../../src/intake/table-head.ts";
import { checkHeader, type HeaderCheck } from "../../../../src/intake/table-header.ts";
import type { MerchantObject } from "../../../../src/merchants/merchant-object.ts";
import { TEXTS } from "../messages.ts";
import type { Checked, Upload } from "./uploads.ts";

/** More are for the command line: a page shows all of them. */
const DOCUMENTS_MAX = 2000;

export interface Columns {
  map: ColumnMap;
  head: TableHead;
  check: HeaderCheck;
}

/** How much of a file is read before other work goes on: a few hundred rows. */
const PORTION_BYTES = 32_768;

async function* bytesOf({ bytes }: Upload): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += PORTION_BYTES) {
    yield bytes.subarray(start, start + PORTION_BYTES);
    await yieldToOthers();
  }
}

/** The columns with what is remembered for the merchant. Throws `validation_failed` for a file without a header. */
export async function readColumns(appliance: Appliance, upload: Upload): Promise<Columns> {
  const map = await mapOf(appliance, upload);
  const names = namesOf(map);
  const head = await readTableHead(bytesOf(upload), upload.format, { names });
  if (head === undefined)
    throw new AppError("validation_failed", { en: "The file is empty", el: "Το αρχείο είναι κενό" });
  return { map, head, check: checkHeader(head.cells, names) };
}

async function mapOf(appliance: Appliance, { merchantId }: Upload): Promise<ColumnMap> {
  return (await findRememberedMap(appliance, merchantId))?.map ?? EMPTY_MAP;
}

/** Yields the documents, read with `map`. What cannot be read on is the last item, with its error. Throws for too many. */
export async function* readUpload(
  appliance: Appliance,
  upload: Upload,
  merchant: MerchantObject,
  map: ColumnMap,
): AsyncGenerator<BatchItem> {
  const options = { supplier: supplierOf(merchant), today: appliance.clock.today(), names: namesOf(map) };
  const rows =
    upload.format === "csv"
      ? readCsvDocuments(bytesOf(upload), options)
      : (await import("../../../../src/intake/workbook.ts")).readWorkbookDocuments(bytesOf(upload), options);
  let count = 0;
  try {
    for await (const row of rows) {
      count += 1;
      if (count > DOCUMENTS_MAX)
        throw new AppError("payload_too_large", TEXTS.uploadTooMany(String(DOCUMENTS_MAX)));
      const item = tableItem(row, lineText(row.line));
      yield "body" in item ? { ...item, body: { merchant: merchant.id, ...(item.body as object) } } : item;
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "validation_failed") throw error;
    yield { place: sameInBoth(upload.name), reference: null, error };
  }
}

function lineText(line: number): Text {
  return { en: `line ${line}`, el: `γραμμή ${line}` };
}

/** Checks every document, again if the columns have another meaning since. Stores nothing. */
export async function checkUpload(
  appliance: Appliance,
  upload: Upload,
  merchant: MerchantObject,
): Promise<Checked> {
  const map = await mapOf(appliance, upload);
  if (upload.checked !== undefined && isDeepStrictEqual(upload.checked.map, map)) return upload.checked;
  const verdicts: Verdict[] = [];
  const { signal } = new AbortController();
  for await (const verdict of checkItems(
    appliance,
    upload.mode,
    readUpload(appliance, upload, merchant, map),
    signal,
  ))
    verdicts.push(verdict);
  upload.checked = { map, verdicts };
  return upload.checked;
}
