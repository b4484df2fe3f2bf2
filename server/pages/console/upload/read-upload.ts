/**
 * Keeps uploaded files, and reads their form, columns and documents with the reader of the command line. They are in memory: they hold
 * customers' data, and what was issued from them is stored with its documents. After a restart a file is uploaded again, which issues
 * nothing twice.
 */
import { hash } from "node:crypto";
import { supplierOf } from "../../../../src/numbering/counters.ts";
import type { Appliance } from "../../../../src/appliance.ts";
import { AppError } from "../../../../src/foundation/errors.ts";
import { yieldToOthers } from "../../../../src/foundation/turns.ts";
import { sameInBoth } from "../../../../src/foundation/text.ts";
import {
  acceptItems,
  type BatchItem,
  checkItems,
  tableItem,
  type Verdict,
} from "../../../../src/intake/accept-items.ts";
import { type ColumnMap, EMPTY_MAP, findRememberedMap, namesOf } from "../../../../src/intake/column-map.ts";
import {
  readTableDocuments,
  readTableHead,
  type TableFormat,
  type TableHead,
} from "../../../../src/intake/open-table.ts";
import { checkHeader, type HeaderCheck } from "../../../../src/intake/table-header.ts";
import type { MerchantObject } from "../../../../src/merchants/merchant-object.ts";
import { TEXTS } from "../messages.ts";
import { hasPassed } from "../../../../src/foundation/clock.ts";
import type { Mode } from "../../../../src/domain/vocabulary.ts";

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
  const map = (await findRememberedMap(appliance, upload.merchantId))?.map ?? EMPTY_MAP;
  const names = namesOf(map);
  const head = await readTableHead(bytesOf(upload), upload.format, { names });
  if (head === undefined)
    throw new AppError("validation_failed", { en: "The file is empty", el: "Το αρχείο είναι κενό" });
  return { map, head, check: checkHeader(head.cells, names) };
}

/** Every document of a file as it was shown: only this is issued. */
export interface Checked {
  /** A digest of the rest, which its form sends back: pages that show the same have the same. */
  id: string;
  merchant: MerchantObject;
  map: ColumnMap;
  /** The issue date of documents without one. */
  today: string;
  verdicts: readonly Verdict[];
}

type ReadAs = Pick<Checked, "merchant" | "map" | "today">;

/** Yields the documents. What cannot be read on is the last item, with its error. Throws for too many. */
async function* readUpload(upload: Upload, { merchant, map, today }: ReadAs): AsyncGenerator<BatchItem> {
  const options = { supplier: supplierOf(merchant), today, names: namesOf(map) };
  const rows = readTableDocuments(bytesOf(upload), upload.format, options);
  let count = 0;
  try {
    for await (const row of rows) {
      count += 1;
      if (count > DOCUMENTS_MAX) throw new AppError("payload_too_large", TEXTS.uploadTooLarge);
      const item = tableItem(row, { en: `line ${row.line}`, el: `γραμμή ${row.line}` });
      yield "body" in item ? { ...item, body: { merchant: merchant.id, ...(item.body as object) } } : item;
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "validation_failed") throw error;
    yield { place: sameInBoth(upload.name), reference: null, error };
  }
}

/** Checks every document. Stores nothing. */
export async function checkUpload(
  appliance: Appliance,
  upload: Upload,
  merchant: MerchantObject,
  map: ColumnMap,
): Promise<Checked> {
  const readAs = { merchant, map, today: appliance.clock.today() };
  const checking = checkItems(appliance, upload.mode, readUpload(upload, readAs), NEVER);
  const checked = { ...readAs, verdicts: await Array.fromAsync(checking) };
  return { id: hash("sha256", JSON.stringify(checked)), ...checked };
}

/** Issues what was shown as valid. Other submissions wait for this one. After a failure the file can be issued again. */
export async function acceptUpload(
  appliance: Appliance,
  upload: Upload,
  checked: Checked,
): Promise<readonly Verdict[]> {
  try {
    const items = withRefusals(readUpload(upload, checked), checked);
    const verdicts = await Array.fromAsync(acceptItems(appliance, upload.mode, items, NEVER));
    upload.bytes = Buffer.alloc(0);
    upload.checked = undefined;
    return verdicts;
  } catch (error) {
    upload.issued = undefined;
    throw error;
  }
}

/** What was refused stays so, even if it would be accepted by now, unless it was accepted before. */
async function* withRefusals(
  items: AsyncIterable<BatchItem>,
  { verdicts }: Checked,
): AsyncGenerator<BatchItem> {
  const before = verdicts.values();
  for await (const item of items) {
    const { value: verdict } = before.next();
    if (verdict?.outcome !== "refused" || !("body" in item)) yield item;
    // Its error names the cells already.
    else yield { place: item.place, reference: item.reference, body: item.body, refused: verdict.error };
  }
}

/** Nobody interrupts an upload while it is read or issued. */
const NEVER = new AbortController().signal;

/** Of one form with its file: about 60,000 rows. */
export const FILE_FORM_BYTES_MAX = 8 * 1024 * 1024;
/** The newest of each mode are kept. */
const UPLOADS_MAX = 8;
/** Long enough to read the errors of a file; a corrected file is a new upload. */
export const KEPT_MS = 60 * 60 * 1000;

export interface Upload {
  /** From the form, so that a form that is sent twice is one upload. */
  key: string;
  mode: Mode;
  merchantId: string;
  name: string;
  format: TableFormat;
  /** Empty once it is issued. */
  bytes: Buffer;
  /** An instant; it is not kept longer. */
  until: string;
  /** What its page shows; undefined before it was opened. */
  checked?: Checked | undefined;
  /** What became of each document once they were issued. */
  issued?: Promise<readonly Verdict[]> | undefined;
}

const KEPT = new WeakMap<Appliance, Map<string, Upload>>();

function uploadsOf(appliance: Appliance): Map<string, Upload> {
  const uploads = KEPT.get(appliance) ?? new Map<string, Upload>();
  KEPT.set(appliance, uploads);
  return uploads;
}

/** Keeps `upload`, unless its form was sent before. */
export function keepUpload(appliance: Appliance, upload: Omit<Upload, "until">): void {
  const uploads = uploadsOf(appliance);
  if (uploads.has(upload.key)) return;
  const until = new Date(appliance.clock.nowMs() + KEPT_MS).toISOString();
  uploads.set(upload.key, { ...upload, until });
  setTimeout(() => uploads.delete(upload.key), KEPT_MS).unref();
  const ofMode = [...uploads.values()].filter(({ mode }) => mode === upload.mode);
  if (ofMode.length > UPLOADS_MAX) uploads.delete(ofMode[0]!.key);
}

/** Undefined where it is no longer kept, or of the other mode. */
export function findUpload(appliance: Appliance, mode: Mode, key: string): Upload | undefined {
  const uploads = uploadsOf(appliance);
  const upload = uploads.get(key);
  if (upload?.mode !== mode) return undefined;
  // The timer stops while the machine sleeps.
  if (hasPassed(upload.until, appliance.clock.nowMs())) uploads.delete(key);
  return uploads.get(key);
}
